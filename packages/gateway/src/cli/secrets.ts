/** `pawl secrets`: values and tokens that servers are given. They come from standard input, or an issuer, and are never shown. */
import { readPolicy } from '../config/index.js';
import { no } from '../control/index.js';
import { type PolicyDocument, isSecretName, secretNameInWords } from '@pawl/core';
import { SecretFolder, StoreError, TokenFolder, secretFault, storePaths } from '../store/index.js';
import {
  type Command,
  type CommandInput,
  type ExitCode,
  Misuse,
  type OptionSpecs,
  type Terminal,
  exit,
} from './command.js';
import { secretsIn } from './given.js';
import { columns, timeText } from './layout.js';
import { tellProblem } from './operate.js';
import { login, logout } from './login.js';
import { tellBadPolicy } from './problem.js';
import { storeOptions, storePlace } from './store-option.js';

const loginOptions: OptionSpecs = {
  agent: { type: 'string', help: 'login, logout: the agent for whom; without it: for listing the tools' },
  instance: { type: 'string', help: 'login, logout: the instance of the agent' },
  'client-id': { type: 'string', help: 'login: a client that the issuer knows; else Pawl registers one' },
};

/** The command. */
export const secretsCommand: Command = {
  name: 'secrets',
  summary: 'Stores the secrets that servers are given, lists their names, removes them.',
  usage: `secrets set NAME < FILE
         pawl secrets list [--json]
         pawl secrets remove NAME
         pawl secrets login SERVER --policy P [--agent A [--instance I]] [--client-id ID]
         pawl secrets logout SERVER [--agent A [--instance I]]
         (each with --store DIR or --policy P)`,
  example: `printf %s "$TOKEN" | pawl secrets set --policy examples/quickstart/pawl.yaml files_token
         pawl secrets list --policy examples/quickstart/pawl.yaml
         pawl secrets remove --policy examples/quickstart/pawl.yaml files_token`,
  options: {
    ...loginOptions,
    ...storeOptions,
    json: { type: 'boolean', help: 'list: one JSON object a line' },
  },
  run: secrets,
};

/** What is read of standard input at most; no secret is as long. */
const mostRead = 65_536;

type Act = (folder: SecretFolder, input: CommandInput, terminal: Terminal) => ExitCode | Promise<ExitCode>;

const acts: Readonly<Record<string, Act>> = {
  set: (folder, input, terminal) => set(folder, nameIn(input.words[1]), terminal),
  list,
  remove: (folder, input, terminal) => remove(folder, nameIn(input.words[1]), terminal),
  login: (_, input, terminal) => login(input, input.words[1], terminal),
  logout: (_, input, terminal) => logout(input, input.words[1], terminal),
};

async function secrets(input: CommandInput, terminal: Terminal): Promise<ExitCode> {
  const [word = ''] = input.words;
  const act = Object.hasOwn(acts, word) ? acts[word] : undefined;
  if (act === undefined) throw new Misuse(`say what to do: ${Object.keys(acts).join(', ')}`);
  // What stands there may be a value: it is not repeated.
  if (input.words.length > (act === list ? 1 : 2) || input.rest.length > 0)
    throw new Misuse(
      'there is a word too much; a value is read from standard input, never from the command line',
    );
  const stray = Object.keys(loginOptions).find((option) => input.text(option) !== undefined);
  if (stray !== undefined && !word.startsWith('log')) throw new Misuse(`--${stray} belongs to secrets login`);
  const paths = storePaths(storePlace(input).folder);
  try {
    return await act(new SecretFolder(paths.secrets), input, terminal);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const { error: problem } = no('unavailable', error.message);
    return tellProblem(`secrets ${word}`, problem, input.flag('json'), terminal);
  }
}

function nameIn(word: string | undefined): string {
  if (word === undefined) throw new Misuse('NAME is missing');
  if (!isSecretName(word)) throw new Misuse(`NAME is no name of a secret: ${secretNameInWords()}`);
  return word;
}

async function set(folder: SecretFolder, name: string, terminal: Terminal): Promise<ExitCode> {
  if (process.stdin.isTTY)
    throw new Misuse(
      `the value is read from standard input, so that it is not shown: read -rs V && printf %s "$V" | pawl secrets set ${name}`,
    );
  const value = withoutLineEnd(await standardInput());
  const wrong = value === undefined ? 'it is too long, or no UTF-8 text' : secretFault(value);
  if (value === undefined || wrong !== undefined) {
    terminal.err(`pawl secrets set: the value was not stored: ${wrong}\n`);
    return exit.negative;
  }
  const replaced = folder.set(name, value);
  terminal.out(
    replaced
      ? `secret ${name} has a new value; servers get it from their next start or request on\n`
      : `secret ${name} is stored\n`,
  );
  return exit.ok;
}

/** One line end is what `echo` adds. */
function withoutLineEnd(text: string | undefined): string | undefined {
  return text?.replace(/\r?\n$/u, '');
}

async function standardInput(): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostRead) return undefined;
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
  } catch {
    return undefined;
  }
}

/** One secret: stored, or named by the policy beside which the store lies. */
interface SecretRow {
  readonly name: string;
  readonly at?: number;
  readonly servers: readonly string[];
}

/** One login; `executor` is empty for the one that lists the tools. */
interface LoginRow {
  readonly login: { readonly server: string; readonly executor: string };
  readonly at: number;
}

function list(folder: SecretFolder, input: CommandInput, terminal: Terminal): ExitCode {
  const json = input.flag('json');
  const policy = input.text('policy');
  const read = policy === undefined ? undefined : readPolicy(policy);
  if (read?.ok === false) return tellBadPolicy(read, json, terminal);
  const { tokens } = storePaths(storePlace(input).folder);
  const logins = new TokenFolder(tokens).list().map(({ at, ...login }): LoginRow => ({ login, at }));
  const rows = [...secretRows(folder, read?.policy.document.servers ?? new Map()), ...logins];
  const lines = json ? rows.map((row) => JSON.stringify(row)) : table(rows);
  terminal.out(lines.map((line) => `${line}\n`).join(''));
  return exit.ok;
}

function secretRows(folder: SecretFolder, servers: PolicyDocument['servers']): readonly SecretRow[] {
  const used = new Map<string, string[]>();
  for (const source of servers.values())
    for (const name of secretsIn(source)) used.set(name, [...(used.get(name) ?? []), source.name]);
  const stored = folder.list().map(({ name, at }) => ({ name, at, servers: used.get(name) ?? [] }));
  const missing = [...used].filter(([name]) => !stored.some((row) => row.name === name));
  return [...stored, ...missing.map(([name, wanted]) => ({ name, servers: wanted }))];
}

function table(rows: readonly (SecretRow | LoginRow)[]): readonly string[] {
  if (rows.length === 0) return ['no secrets'];
  const cells = rows.map((row) => {
    const state = row.at === undefined ? 'NOT STORED' : `set ${timeText(row.at)}`;
    if ('name' in row) return [row.name, state, row.servers.join(', ')];
    const { server, executor } = row.login;
    return [`login of ${executor === '' ? 'the list of tools' : executor}`, state, server];
  });
  return columns([['NAME', 'STATE', 'SERVERS'], ...cells]);
}

function remove(folder: SecretFolder, name: string, terminal: Terminal): ExitCode {
  if (!folder.remove(name)) {
    terminal.err(`pawl secrets remove: there is no secret ${name}\n`);
    return exit.negative;
  }
  terminal.out(`secret ${name} is removed; a process that was given it keeps it until it ends\n`);
  return exit.ok;
}
