/** The secret power: values by name, and their removal from what the tool answers. */
import { type Json, type TurnPort, UsageError, stopsWithTurns } from '@pawl/core';
import { givenText } from './given.js';
import { type Grant, type PowerPort, alsoAsking } from './port.js';
import { Redactor, shortestSecret } from './redact.js';
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

/** Grants secrets by name. Throws a UsageError for an empty list. */
export function grantSecrets({ names, source, port }: SecretOptions): SecretGrant {
  if (names.length === 0) throw new UsageError('no secret is named: grant no secret power instead');
  const granted = new Set(names);
  const given = new Redactor();
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
      if (value.length < shortestSecret)
        throw new PowerFailure('failed', `the secret ${shown(name)} is too short to be kept out of results`);
      if (isRevoked) throw revoked();
      ask();
      given.add(value);
      return value;
    };
  const power: SecretPower = Object.freeze({ read: readIn(undefined) });
  stopsWithTurns(power, (turn) => Object.freeze({ read: readIn(turn) }));
  return Object.freeze({
    power,
    removed: (value: Json) => given.json(value),
    revoke: async () => {
      isRevoked = true;
    },
  });
}
