/** `pawl keys issue --signing`: a key pair for a publisher of skills; the private half goes into a file and nowhere else. */
import { resolve } from 'node:path';
import { makeSigningKey, readPublicKey } from '@pawl/core';
import { no } from '../control/index.js';
import { type CommandInput, type ExitCode, Misuse, type Terminal, exit, need } from './command.js';
import { reserveKeyFile } from './key-out.js';
import { tellProblem } from './operate.js';

/** Writes the private key, and prints the entry of a trust file for the public one. No store is touched. */
export function issueSigningKey(input: CommandInput, terminal: Terminal): ExitCode {
  const json = input.flag('json');
  for (const name of ['agent', 'instance'])
    if (input.text(name) !== undefined) throw new Misuse(`--${name} does not go with --signing`);
  const path = resolve(need(input, 'out'));
  const file = reserveKeyFile(path);
  if (typeof file === 'string') return tellProblem('keys issue', no('refused', file).error, json, terminal);
  const { privatePem, publicPem } = makeSigningKey();
  const key = readPublicKey(publicPem);
  if (typeof key === 'string') {
    file.drop();
    throw new Error('a fresh key cannot be read');
  }
  file.writeText(privatePem);
  const trust = { keys: { [key.id]: { publicKey: publicPem, skills: ['*'] } } };
  const told = [
    `signing key ${key.id} is in ${path}; keep it offline`,
    'for the trust file, with the names that it may sign instead of *:',
    JSON.stringify(trust, undefined, 2),
  ];
  terminal.out(json ? `${JSON.stringify({ id: key.id, file: path, trust })}\n` : `${told.join('\n')}\n`);
  return exit.ok;
}
