/** The secret power: values by name, and their removal from what the tool answers. */
import { type Json, type TurnPort, UsageError, isJsonArray, isJsonObject, stopsWithTurns } from '@pawl/core';
import { type Grant, type PowerPort, alsoAsking } from './port.js';
import { givenText } from './given.js';
import { PowerFailure, outOfScope, revoked, shown } from './refusal.js';

/** A power over some secrets. */
export interface SecretPower {
  /** The value. Rejects with a denial (`out_of_scope`, constraint `secret.names`) for a name that was not granted. */
  read(name: string): Promise<string>;
}

/** Where secrets are kept. */
export interface SecretSource {
  /** The value, or undefined where there is none of this name. */
  get(name: string): Promise<string | undefined>;
}

/** What a secret power is made from. */
export interface SecretOptions {
  readonly names: readonly string[];
  readonly source: SecretSource;
  readonly port: PowerPort;
}

/** The grant of secrets; whoever mounts the tool passes its results through it. */
export interface SecretGrant extends Grant<SecretPower> {
  /**
   * The same JSON without any value that the power has given: as it is, in base64 and hexadecimal, and as urls spell it. What a
   * tool makes of a secret beyond that is not found.
   */
  removed(value: Json): Json;
}

/** Shorter ones would be found in texts that have nothing to do with them. */
const shortest = 6;
const instead = '[secret]';

/** Grants secrets by name. Throws a UsageError for an empty list. */
export function grantSecrets({ names, source, port }: SecretOptions): SecretGrant {
  if (names.length === 0) throw new UsageError('no secret is named: grant no secret power instead');
  const granted = new Set(names);
  const given = new Set<string>();
  let isRevoked = false;
  const readIn =
    (turn: TurnPort | undefined) =>
    async (named: string): Promise<string> => {
      const name = givenText(named, 'the name of a secret');
      const ask = alsoAsking(port, turn);
      if (isRevoked) throw revoked();
      ask();
      if (!granted.has(name)) throw outOfScope('secret.names', `the secret ${shown(name)} is not granted`);
      const value = await source.get(name);
      if (value === undefined) throw new PowerFailure('not_found', `there is no secret ${shown(name)}`);
      if (value.length < shortest)
        throw new PowerFailure('failed', `the secret ${shown(name)} is too short to be kept out of results`);
      if (isRevoked) throw revoked();
      ask();
      for (const spelling of spellings(value)) given.add(spelling);
      return value;
    };
  const power: SecretPower = Object.freeze({ read: readIn(undefined) });
  stopsWithTurns(power, (turn) => Object.freeze({ read: readIn(turn) }));
  return Object.freeze({
    power,
    removed: (value: Json) =>
      without(
        value,
        [...given].sort((a, b) => b.length - a.length),
      ),
    revoke: async () => {
      isRevoked = true;
    },
  });
}

function spellings(value: string): readonly string[] {
  const bytes = Buffer.from(value, 'utf8');
  // In a longer text base64 depends on where the value begins: three ways, without the characters that neighbours share.
  const inside = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replaceAll('=', '');
    return text.slice(shift === 0 ? 0 : shift + 1, (bytes.length + shift) % 3 === 0 ? undefined : -1);
  });
  const url = inside.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  const hex = bytes.toString('hex');
  const plain = [
    value,
    encodeURIComponent(value),
    new URLSearchParams([['', value]]).toString().slice(1),
    JSON.stringify(value).slice(1, -1),
  ];
  return [...plain, hex, hex.toUpperCase(), ...inside, ...url].filter((text) => text.length >= shortest);
}

function without(value: Json, secrets: readonly string[]): Json {
  if (typeof value === 'string') return textWithout(value, secrets);
  if (isJsonArray(value)) return value.map((item) => without(item, secrets));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, member]): [string, Json] => [
    textWithout(key, secrets),
    without(member ?? null, secrets),
  ]);
  return Object.fromEntries(entries);
}

function textWithout(text: string, secrets: readonly string[]): string {
  return secrets.reduce((left, secret) => left.replaceAll(secret, instead), text);
}
