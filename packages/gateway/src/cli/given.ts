/** What a server is given: the texts of its entry, and stored secrets, which are kept out of everything that it says. */
import { type GivenText, type ServerSource, isHeaderText } from '@pawl/core';
import { Redactor } from '../power/index.js';
import type { SecretFolder } from '../store/index.js';

/** Values by name, or why one of them is not to be had; no value stands in the reason. */
export type Given = Readonly<Record<string, string>> | string;

/** Reads stored secrets. */
export type SecretReader = Pick<SecretFolder, 'read'>;

/** What one server is given. Secrets are read at each ask, so that a new value counts from the next start or request on. */
export interface ServerGiven {
  readonly env: () => Given;
  readonly headers: () => Given;
  /** Finds every value that was given so far. */
  readonly redactor: Redactor;
  /** Whether anything of it is secret. */
  readonly isSecret: boolean;
}

/** Joins the entry of a server with the secrets that are stored. */
export function givenTo(
  { env, headers, auth }: Pick<ServerSource, 'env' | 'headers' | 'auth'>,
  store: SecretReader,
): ServerGiven {
  const redactor = new Redactor();
  return {
    redactor,
    isSecret: auth !== undefined || secretsIn({ env, headers }).length > 0,
    env: () => given(env, { store, redactor, fits: () => true, what: 'variable' }),
    headers: () => given(headers, { store, redactor, fits: isHeaderText, what: 'header' }),
  };
}

/** The secrets that an entry names, each once. */
export function secretsIn({ env, headers }: Pick<ServerSource, 'env' | 'headers'>): readonly string[] {
  const texts = [...Object.values(env), ...Object.values(headers)];
  return [...new Set(texts.flatMap((text) => (typeof text === 'string' ? [] : [text.secret])))];
}

interface Giving {
  readonly store: SecretReader;
  readonly redactor: Redactor;
  readonly fits: (value: string) => boolean;
  readonly what: string;
}

function given(texts: Readonly<Record<string, GivenText>>, { store, redactor, fits, what }: Giving): Given {
  const values: [string, string][] = [];
  for (const [name, text] of Object.entries(texts)) {
    if (typeof text === 'string') {
      values.push([name, text]);
      continue;
    }
    const read = store.read(text.secret);
    if (!read.ok) return read.why;
    if (!fits(read.value))
      return `the secret ${text.secret} cannot be the value of the ${what} ${name}: it holds other characters than visible ASCII`;
    redactor.add(read.value);
    values.push([name, read.value]);
  }
  return Object.fromEntries(values);
}
