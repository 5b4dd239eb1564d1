/** Reading one server of the document. */
import { builtinNames } from '../connector/index.js';
import { type Expect, type ServerName, type Spot, entryOf, nodeInWords } from '../ground/index.js';
import type { ServerSource } from './document.js';
import { serverKeys } from './keys.js';
import { readAuth } from './read-auth.js';
import { readEnv, readHeaders } from './read-given.js';
import { readReach } from './read-reach.js';
import { readSandbox } from './read-sandbox.js';

type ServerKey = keyof typeof serverKeys;

/** Reads the entry of a server. */
export function readServer(
  expect: Expect,
  name: ServerName,
  entry: { readonly keyAt: ServerSource['at']; readonly spot: Spot },
  declared: readonly string[],
): ServerSource | undefined {
  const map = expect.mapping(entry.spot, serverKeys);
  if (map === undefined) return undefined;
  const path = entry.spot.path;
  const at = (key: ServerKey): Spot | undefined => {
    const found = entryOf(map, key);
    return found === undefined ? undefined : { node: found.value, path: `${path}.${key}` };
  };
  const text = (key: ServerKey, what: string): string | undefined => {
    const spot = at(key);
    return spot && expect.text(spot, what);
  };
  refuseUnbuilt(expect, at);
  refuseTwoCredentials(expect, at);
  const url = readReach(expect, at);
  const args = at('args');
  const letters = at('case');
  const system = at('platform');
  const platform = (system && expect.oneOf(system, serverKeys.platform.words)) ?? 'posix';
  const server: ServerSource = {
    name,
    at: entry.keyAt,
    path,
    command: text('command', 'a program'),
    args: (args && expect.texts(args, 'texts')) ?? [],
    cwd: text('cwd', 'a folder'),
    env: readEnv(expect, at('env')),
    url,
    headers: readHeaders(expect, at('headers')),
    auth: readAuth(expect, at('auth')),
    connector: readConnector(expect, at('connector'), declared),
    root: text('root', 'a folder'),
    home: text('home', 'a folder'),
    case: (letters && expect.oneOf(letters, serverKeys.case.words)) ?? byPlatform[platform],
    platform,
    sandbox: readSandbox(expect, at('sandbox')),
  };
  return server;
}

/** Whether letters of paths count, where the server does not say. */
const byPlatform = { posix: 'sensitive', win32: 'insensitive' } as const;

/** Keys of which this version enforces one value only. */
function refuseUnbuilt(expect: Expect, at: (key: ServerKey) => Spot | undefined): void {
  refuseWord(expect, at('share'), serverKeys.share.words, 'share: stateless');
  const surfaces = at('surfaces');
  if (surfaces !== undefined && (expect.list(surfaces, 'surfaces') ?? []).length > 0) {
    expect.notBuilt(surfaces.node.at, surfaces.path, 'surfaces');
  }
}

/** Of a header and a token one would be lost. */
function refuseTwoCredentials(expect: Expect, at: (key: ServerKey) => Spot | undefined): void {
  const headers = at('headers');
  if (at('auth') === undefined || headers?.node.kind !== 'map') return;
  const both = headers.node.entries.find(({ key }) => key.toLowerCase() === 'authorization');
  if (both !== undefined)
    expect.problem(both.keyAt, `${headers.path}.${both.key}`, 'a header beside auth', 'one of them');
}

/** Of two words the first is enforced, the second is not yet. */
function refuseWord(
  expect: Expect,
  spot: Spot | undefined,
  words: readonly [string, string],
  what: string,
): void {
  if (spot !== undefined && expect.oneOf(spot, words) === words[1]) {
    expect.notBuilt(spot.node.at, spot.path, what);
  }
}

function readConnector(
  expect: Expect,
  spot: Spot | undefined,
  declared: readonly string[],
): string | undefined {
  const connector = spot && expect.text(spot, 'a connector');
  const known = [...builtinNames(), ...declared];
  if (spot === undefined || connector === undefined || known.includes(connector)) return connector;
  return expect.problem(spot.node.at, spot.path, nodeInWords(spot.node), known.join(', '));
}
