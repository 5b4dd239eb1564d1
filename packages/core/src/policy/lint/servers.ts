/** Findings about servers whose credentials others can read: in the document, or on the way. */
import { hostGrant } from '../../authority/index.js';
import type { GivenText, ServerSource } from '../document.js';
import type { Note } from './note.js';

/** Names that say that a value is a credential, as words of a name. */
const credential = /(?:^|[_-])(?:authorization|cookie|token|secret|password|api[_-]?key)(?:$|[_-])/iu;

/** Notes literal credentials, and credentials that leave this machine unencrypted. */
export function exposedCredentials(
  servers: ReadonlyMap<ServerSource['name'], ServerSource>,
  note: Note,
): void {
  for (const server of servers.values()) {
    const { at, path, env, headers, url } = server;
    for (const [key, given] of [
      ['env', env],
      ['headers', headers],
    ] as const)
      for (const name of literal(given))
        note(
          { at, path: `${path}.${key}.${name}` },
          'a credential stands in the document, which its generations store as it is: say { secret: NAME }, and pawl secrets set NAME',
        );
    if (url !== undefined && Object.keys(headers).length > 0 && isPlain(url))
      note({ at, path: `${path}.url` }, 'headers go to another machine unencrypted: use https');
  }
}

function literal(given: Readonly<Record<string, GivenText>>): readonly string[] {
  return Object.entries(given).flatMap(([name, value]) =>
    typeof value === 'string' && credential.test(name) ? [name] : [],
  );
}

function isPlain(text: string): boolean {
  const { protocol, hostname } = new URL(text);
  return protocol === 'http:' && hostname !== 'localhost' && !hostGrant(['loopback']).called(hostname);
}
