/** Reading what a server is given: variables and headers, as texts or as stored secrets by name. */
import { type Expect, type Member, type Spot, entryOf } from '../ground/index.js';
import type { GivenText } from './document.js';
import { secretKeys } from './keys.js';

const secretName = /^[A-Za-z0-9_][A-Za-z0-9_-]{0,63}$/u;
const secretNameWords = 'at most 64 letters, digits, "_" and "-", the first no "-"';

/** Whether a text can name a stored secret. */
export function isSecretName(text: string): boolean {
  return secretName.test(text);
}

/** What names of secrets look like, in words. */
export function secretNameInWords(): string {
  return secretNameWords;
}

/** Reads `env`. */
export function readEnv(expect: Expect, spot: Spot | undefined): Readonly<Record<string, GivenText>> {
  return read(expect, spot, (member) => {
    if (/^[A-Za-z_][A-Za-z0-9_]*$/u.test(member.key)) return member.key;
    return noName(expect, member, 'a name of a variable');
  });
}

/** Headers that say where a message goes, how long it is or what it says: Pawl writes them itself. */
const ownHeaders: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'last-event-id',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Reads `headers`, by lower-case name. */
export function readHeaders(expect: Expect, spot: Spot | undefined): Readonly<Record<string, GivenText>> {
  const seen = new Set<string>();
  const headers = read(expect, spot, (member) => {
    const name = member.key.toLowerCase();
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/u.test(name)) return noName(expect, member, 'a name of a header');
    if (ownHeaders.has(name) || /^(?:proxy|mcp)-/u.test(name))
      return noName(expect, member, 'headers that Pawl does not set itself');
    if (seen.has(name)) return noName(expect, member, 'each header once: their letters do not count');
    seen.add(name);
    return name;
  });
  for (const { key, spot: inner } of spot === undefined ? [] : expect.members(spot)) {
    const value = headers[key.toLowerCase()];
    if (typeof value !== 'string' || isHeaderText(value)) continue;
    const allowed = 'visible ASCII characters, with blanks inside only';
    expect.problem(inner.node.at, inner.path, 'a text that no header can have', allowed);
  }
  return headers;
}

/** Whether a text can be the value of a header: not empty, no control characters, nothing that a reader would cut off. */
export function isHeaderText(text: string): boolean {
  return /^[!-~](?:[ -~]*[!-~])?$/u.test(text);
}

function noName(expect: Expect, { keyAt, key, spot }: Member, allowed: string): undefined {
  return expect.problem(keyAt, spot.path, `key ${JSON.stringify(key)}`, allowed);
}

function read(
  expect: Expect,
  spot: Spot | undefined,
  nameOf: (member: Member) => string | undefined,
): Readonly<Record<string, GivenText>> {
  const given: [string, GivenText][] = [];
  for (const member of spot === undefined ? [] : expect.members(spot)) {
    const name = nameOf(member);
    const value = name === undefined ? undefined : readText(expect, member.spot);
    if (name !== undefined && value !== undefined) given.push([name, value]);
  }
  return Object.fromEntries(given);
}

function readText(expect: Expect, spot: Spot): GivenText | undefined {
  if (spot.node.kind !== 'map')
    return expect.text(spot, 'a text (quote numbers and booleans), or { secret: NAME }');
  const map = expect.mapping(spot, secretKeys);
  const found = map && entryOf(map, 'secret');
  if (found === undefined)
    return expect.problem(spot.node.at, spot.path, 'no secret', '{ secret: NAME }, or a text');
  const inner = { node: found.value, path: `${spot.path}.secret` };
  const secret = expect.text(inner, 'a name of a secret');
  if (secret === undefined || isSecretName(secret)) return secret === undefined ? undefined : { secret };
  return expect.problem(inner.node.at, inner.path, JSON.stringify(secret), secretNameWords);
}
