/** Reading who issues the tokens with which a server is asked. */
import { type Expect, type KeyTable, type Spot, entryOf } from '../ground/index.js';
import type { OAuthSource, ServerSource } from './document.js';
import { authKeys, oauthKeys } from './keys.js';
import { readUrl } from './read-reach.js';

/** Reads `auth`; undefined where there is none, and after a problem. */
export function readAuth(expect: Expect, spot: Spot | undefined): ServerSource['auth'] {
  const found = spot && member(expect, spot, authKeys, 'oauth');
  const oauth = found && readOAuth(expect, found);
  return oauth && { oauth };
}

function readOAuth(expect: Expect, spot: Spot): OAuthSource | undefined {
  const at = member(expect, spot, oauthKeys, 'issuer');
  const issuer = at && readIssuer(expect, at);
  const listed = spot.node.kind === 'map' ? entryOf(spot.node, 'scopes') : undefined;
  const scopes =
    listed === undefined ? [] : readScopes(expect, { node: listed.value, path: `${spot.path}.scopes` });
  return issuer === undefined || scopes === undefined ? undefined : { issuer, scopes };
}

/** A member that has to be there. */
function member(expect: Expect, spot: Spot, table: KeyTable, key: string): Spot | undefined {
  const map = expect.mapping(spot, table);
  const found = map && entryOf(map, key);
  if (map !== undefined && found === undefined)
    return expect.problem(spot.node.at, spot.path, `no ${key}`, Object.keys(table).join(', '));
  return found && { node: found.value, path: `${spot.path}.${key}` };
}

/** Whoever listens in between could issue tokens, or take them. */
function readIssuer(expect: Expect, spot: Spot): string | undefined {
  const text = readUrl(expect, spot);
  if (text === undefined) return undefined;
  const { protocol, hostname, search } = new URL(text);
  const isSafe = protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  if (isSafe && search === '') return text;
  return expect.problem(spot.node.at, spot.path, 'no issuer', 'https://HOST/PATH, without a query');
}

function readScopes(expect: Expect, spot: Spot): readonly string[] | undefined {
  const scopes = expect.texts(spot, 'scopes');
  if (scopes?.every((scope) => /^[!#-[\]-~]+$/u.test(scope)) !== false) return scopes;
  return expect.problem(
    spot.node.at,
    spot.path,
    'a scope that is no word',
    'words without blanks and quotes',
  );
}
