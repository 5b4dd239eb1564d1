/** Stored tokens: what a server is asked with on behalf of one principal, one file each. */
import { type ExecutorId, type ServerName, isJsonObject, own, parseJson } from '@pawl/core';
import { PrivateFolder } from './private-files.js';

/** Tokens of an issuer, and the client that they were given to. */
export interface StoredTokens {
  readonly issuer: string;
  /** The server that they are for. */
  readonly resource: string;
  readonly client: string;
  readonly clientSecret?: string;
  readonly access: string;
  readonly refresh?: string;
  /** Unix milliseconds. */
  readonly expiresAt?: number;
}

/** A login as it may be shown. */
export interface StoredLogin {
  readonly server: string;
  /** The principal; empty for the one that lists the tools. */
  readonly executor: string;
  readonly at: number;
}

const mostBytes = 65_536;
/** Names may hold dots; in names of files `%` stands for them, as what an interrupted replacement leaves is told by its dot. */
const isFile = /^([a-z][a-z0-9-]*)~([A-Za-z0-9_%-]*)(?:~([A-Za-z0-9_%-]+))?$/u;

/** The tokens of a store. */
export class TokenFolder {
  readonly #files: PrivateFolder;

  /** @param folder absolute; made at the first {@link set} */
  constructor(folder: string) {
    this.#files = new PrivateFolder(folder, mostBytes);
  }

  /** Who has logged in where. Throws StoreError `unwritable`. */
  list(): readonly StoredLogin[] {
    return this.#files.list().flatMap(({ name, at }) => {
      const [, server, agent, instance] = isFile.exec(name) ?? [];
      if (server === undefined || agent === undefined) return [];
      const executor = instance === undefined ? agent : `${agent}/${instance}`;
      return [{ server, executor: executor.replaceAll('%', '.'), at }];
    });
  }

  /** Reads the tokens of a principal; undefined where there are none that can be used. Never throws. */
  read(server: ServerName, principal: ExecutorId | undefined): StoredTokens | undefined {
    const read = this.#files.read(fileOf(server, principal));
    return 'text' in read ? tokensIn(read.text) : undefined;
  }

  /** Stores tokens. Throws StoreError `unwritable`. */
  set(server: ServerName, principal: ExecutorId | undefined, tokens: StoredTokens): void {
    this.#files.write(fileOf(server, principal), JSON.stringify(tokens));
  }

  /** Removes the tokens of a principal; false where there are none. Throws StoreError `unwritable`. */
  remove(server: ServerName, principal: ExecutorId | undefined): boolean {
    return this.#files.remove(fileOf(server, principal));
  }
}

function fileOf(server: ServerName, principal: ExecutorId | undefined): string {
  return `${server}~${(principal ?? '').replace('/', '~').replaceAll('.', '%')}`;
}

function tokensIn(text: string): StoredTokens | undefined {
  const read = parseJson(text);
  const value = read.ok ? read.value : undefined;
  if (!isJsonObject(value)) return undefined;
  const texts = ['issuer', 'resource', 'client', 'access'].map((key) => own(value, key));
  const [issuer, resource, client, access] = texts.map((each) =>
    typeof each === 'string' ? each : undefined,
  );
  if (issuer === undefined || resource === undefined || client === undefined || access === undefined)
    return undefined;
  const [clientSecret, refresh, expiresAt] = ['clientSecret', 'refresh', 'expiresAt'].map((key) =>
    own(value, key),
  );
  return {
    issuer,
    resource,
    client,
    access,
    ...(typeof clientSecret === 'string' && { clientSecret }),
    ...(typeof refresh === 'string' && { refresh }),
    ...(typeof expiresAt === 'number' && { expiresAt }),
  };
}
