/** What a server is, as far as starting or reaching it goes: a change of it waits for an operator. */
import { resolve } from 'node:path';
import { type GivenText, type JsonObject, type ServerSource, canonicalJson, sha256 } from '@pawl/core';
import { programOf, workingFolder } from './starting.js';

/** Plain JSON that may be shown: of variables and headers their names, those of stored secrets, and a digest of the rest. */
export type ServerIdentity = JsonObject;

/** The identity of a server of a document in that folder. Values of stored secrets are no part of it. */
export function identityOf(source: ServerSource, folder: string): ServerIdentity {
  const { url, headers, env, auth } = source;
  if (url !== undefined)
    return {
      url,
      headers: namesIn(headers),
      values: sha256(canonicalJson({ ...headers })),
      ...(auth && { issuer: auth.oauth.issuer, scopes: [...auth.oauth.scopes] }),
    };
  return {
    command: programOf(source, folder) ?? null,
    args: [...source.args],
    cwd: workingFolder(source, folder),
    env: namesIn(env),
    values: sha256(canonicalJson({ ...env })),
    ...sandboxIdentity(source, folder),
  };
}

function namesIn(given: Readonly<Record<string, GivenText>>): readonly string[] {
  return Object.entries(given)
    .map(([name, text]) => (typeof text === 'string' ? name : `${name} (secret ${text.secret})`))
    .sort();
}

/** Another sandbox is another process, a narrower one too. */
function sandboxIdentity({ sandbox }: ServerSource, folder: string): JsonObject {
  if (sandbox === undefined) return {};
  const { read, write, network } = sandbox;
  const paths = (list: readonly string[]): readonly string[] => list.map((path) => resolve(folder, path));
  const reached = network === 'none' ? network : { hosts: [...network.hosts] };
  return { sandbox: { read: paths(read), write: paths(write), network: reached } };
}
