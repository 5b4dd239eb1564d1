/** Reading how a server is reached: by a program that is started, or at a url. */
import type { Expect, Spot } from '../ground/index.js';
import type { serverKeys } from './keys.js';

type ServerKey = keyof typeof serverKeys;

/** Keys that say something of a process. */
const ofProcesses = ['command', 'args', 'cwd', 'env', 'sandbox'] as const;

/** Keys that say something of an address. */
const ofAddresses = ['headers', 'auth'] as const;

/** Reads `url`, and refuses keys that go with the other way of reaching a server only: they would be taken for enforced. */
export function readReach(expect: Expect, at: (key: ServerKey) => Spot | undefined): string | undefined {
  const url = at('url');
  if (url === undefined) {
    for (const key of ofAddresses) {
      const spot = at(key);
      if (spot !== undefined)
        expect.problem(spot.node.at, spot.path, `${key} without url`, `${key} only with url`);
    }
    return undefined;
  }
  for (const key of ofProcesses) {
    const spot = at(key);
    if (spot === undefined || isNone(spot)) continue;
    const allowed = key === 'command' ? 'command or url, not both' : `${key} with command; with url: headers`;
    expect.problem(spot.node.at, spot.path, `${key} beside url`, allowed);
  }
  return readUrl(expect, url);
}

/** `sandbox: none` demands nothing. */
function isNone({ node, path }: Spot): boolean {
  return path.endsWith('.sandbox') && node.kind === 'scalar' && node.value === 'none';
}

/** Reads the address of somebody who is reached over HTTP. */
export function readUrl(expect: Expect, spot: Spot): string | undefined {
  const text = expect.text(spot, 'a url');
  if (text === undefined) return undefined;
  const wrong = urlFault(text);
  if (wrong === undefined) return text;
  // The text itself is not repeated: it may hold a password.
  return expect.problem(spot.node.at, spot.path, wrong, 'https://HOST/PATH, or http://…');
}

/** What keeps a text from being the address of a server, in words; undefined where nothing does. */
function urlFault(text: string): string | undefined {
  if (!/^[!-~]+$/u.test(text) || text.includes('\\')) return 'characters that a url escapes';
  const url = parsed(text);
  if (url === undefined || !/^https?:\/\//iu.test(text)) return 'no http or https url';
  if (url.username !== '' || url.password !== '')
    return 'a url with a user (credentials go into headers, as { secret: NAME })';
  return text.includes('#') ? 'a url with a fragment' : undefined;
}

function parsed(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
