/** `pawl keys issue|list|revoke`: the credentials of agents. A secret is written to its key file and nowhere else. */
import { resolve } from 'node:path';
import { type AgentName, type KeyId, mintId, parseAgentName, systemClock, systemEntropy } from '@pawl/core';
import { readPolicy } from '../config/index.js';
import { type Answer, type KeyPlace, type KeyRevoked, type KeyView, no } from '../control/index.js';
import { type IssuedKey, issueKey, keyIdOf } from '../identity/index.js';
import {
  type Command,
  type CommandInput,
  type ExitCode,
  Misuse,
  type OptionSpecs,
  type Terminal,
  exit,
  need,
} from './command.js';
import { type ReservedFile, reserveKeyFile } from './key-out.js';
import { type KnownAgents, agentsOf } from './known-agents.js';
import { columns, timeText } from './layout.js';
import { onStore, operate, tellProblem } from './operate.js';
import { tellBadPolicy } from './problem.js';
import { issueSigningKey } from './signing-key.js';
import { type StorePlace, storeOptions, storePlace } from './store-option.js';

const issueOptions: OptionSpecs = {
  agent: { type: 'string', help: 'issue: the agent that the key acts as' },
  instance: { type: 'string', help: 'issue: the instance of the agent' },
  signing: { type: 'boolean', help: 'issue: a key pair that signs skills, instead of a key of an agent' },
  out: { type: 'string', help: 'issue: the key file to write, readable by you only; it must not exist' },
};

/** The command. */
export const keysCommand: Command = {
  name: 'keys',
  summary: 'Issues, lists and revokes the keys that agents present.',
  usage: `keys issue --agent A [--instance I] --out FILE [--json]
         pawl keys issue --signing --out FILE [--json]
         pawl keys list [--json]
         pawl keys revoke ID [--json]
         (each with --store DIR or --policy P)`,
  example: `pawl keys issue --policy examples/quickstart/pawl.yaml --agent reporter --out new.key.json
         pawl keys issue --signing --out signing.pem
         pawl keys list --policy examples/quickstart/pawl.yaml
         pawl keys revoke --policy examples/quickstart/pawl.yaml ID`,
  options: { ...issueOptions, ...storeOptions, json: { type: 'boolean', help: 'one JSON object a line' } },
  run: keys,
};

async function keys(input: CommandInput, terminal: Terminal): Promise<ExitCode> {
  const [act, ...words] = input.words;
  const most = act === 'revoke' ? 1 : 0;
  if (words.length > most) throw new Misuse(`there is a word too much after ${act ?? 'keys'}`);
  const stray =
    act === 'issue'
      ? undefined
      : Object.keys(issueOptions).find((name) => input.text(name) !== undefined || input.flag(name));
  if (stray !== undefined) throw new Misuse(`--${stray} belongs to keys issue`);
  if (act === 'issue' && input.flag('signing')) return issueSigningKey(input, terminal);
  if (act === 'issue') return issue(input, terminal);
  if (act === 'list') return list(input, terminal);
  if (act === 'revoke') return revoke(input, terminal, keyIdIn(words[0]));
  throw new Misuse('say what to do: issue, list or revoke');
}

async function issue(input: CommandInput, terminal: Terminal): Promise<ExitCode> {
  const json = input.flag('json');
  const holder = holderOf(input);
  const path = resolve(need(input, 'out'));
  const place = storePlace(input);
  const agents = agentsBeside(input, json, terminal);
  if (typeof agents === 'number') return agents;
  const file = reserveKeyFile(path);
  if (typeof file === 'string') return tellProblem('keys issue', no('refused', file).error, json, terminal);
  const fresh = issueKey(holder, systemEntropy, systemClock.wall());
  const answer = await kept(file, fresh, () => stored(place, fresh, agents));
  if (!answer.ok) return tellProblem('keys issue', answer.error, json, terminal);
  const { agent, instance } = holder;
  const { id } = fresh.record;
  const executor = instance === undefined ? agent : `${agent}/${instance}`;
  terminal.out(
    json ? `${JSON.stringify({ id, ...holder, file: path })}\n` : `key ${id} of ${executor} is in ${path}\n`,
  );
  return exit.ok;
}

/** Stores the key where the daemon or the store takes it; the secret stays here. */
function stored(
  place: StorePlace,
  fresh: IssuedKey,
  agents: KnownAgents | undefined,
): Promise<Answer<KeyPlace>> {
  const { issuedAt: _, revokedAt: __, ...record } = fresh.record;
  const options = { create: place.named, ...(agents === undefined ? {} : { agents }) };
  return operate(place, 'keysIssue', record, () =>
    onStore(place, options, (operations) => operations.keysIssue(record)),
  );
}

/** Writes the key into its file once it is stored; removes the file when it is not. */
async function kept(
  file: ReservedFile,
  fresh: IssuedKey,
  store: () => Promise<Answer<KeyPlace>>,
): Promise<Answer<KeyPlace>> {
  let done = false;
  try {
    const answer = await store();
    if (!answer.ok) return answer;
    file.write({ key: fresh.key, ...answer.value });
    done = true;
    return answer;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return no(
      'unavailable',
      `no key file was written: ${why}; if keys list shows ${fresh.record.id}, revoke it`,
    );
  } finally {
    if (!done) file.drop();
  }
}

function holderOf(input: CommandInput): { readonly agent: AgentName; readonly instance?: string } {
  const agent = parseAgentName(need(input, 'agent'));
  if (agent === undefined) throw new Misuse('--agent is no agent name: letters, digits, "_", "." and "-"');
  const instance = input.text('instance');
  if (instance === undefined) return { agent };
  if (parseAgentName(instance) === undefined)
    throw new Misuse('--instance is no instance name: letters, digits, "_", "." and "-"');
  return { agent, instance };
}

/** The agents of `--policy`, or the exit code after its problems were told. */
function agentsBeside(
  input: CommandInput,
  json: boolean,
  terminal: Terminal,
): KnownAgents | undefined | ExitCode {
  const policy = input.text('policy');
  if (policy === undefined) return undefined;
  const read = readPolicy(policy);
  return read.ok ? agentsOf(read.policy.document) : tellBadPolicy(read, json, terminal);
}

async function list(input: CommandInput, terminal: Terminal): Promise<ExitCode> {
  const json = input.flag('json');
  const place = storePlace(input);
  const answer = await operate(place, 'keysList', {}, () =>
    onStore(place, {}, (operations) => operations.keysList()),
  );
  if (!answer.ok) return tellProblem('keys list', answer.error, json, terminal);
  const now = systemClock.wall();
  const lines = json ? answer.value.map((key) => JSON.stringify(key)) : table(answer.value, now);
  terminal.out(lines.map((line) => `${line}\n`).join(''));
  return exit.ok;
}

function table(keys: readonly KeyView[], now: number): readonly string[] {
  if (keys.length === 0) return ['no keys'];
  const rows = keys.map((key) => {
    const { id, agent, instance, issuedAt } = key;
    return [
      id,
      instance === undefined ? agent : `${agent}/${instance}`,
      timeText(issuedAt),
      stateOf(key, now),
    ];
  });
  return columns([['ID', 'EXECUTOR', 'ISSUED', 'STATE'], ...rows]);
}

function stateOf({ revokedAt, expiresAt, executorRevokedAt }: KeyView, now: number): string {
  if (executorRevokedAt !== undefined) return `dead: its executor was revoked ${timeText(executorRevokedAt)}`;
  if (revokedAt !== undefined) return `revoked ${timeText(revokedAt)}`;
  if (expiresAt === undefined) return 'valid';
  return `${expiresAt <= now ? 'expired' : 'valid until'} ${timeText(expiresAt)}`;
}

async function revoke(input: CommandInput, terminal: Terminal, id: KeyId): Promise<ExitCode> {
  const json = input.flag('json');
  const place = storePlace(input);
  const answer = await operate(place, 'keysRevoke', { id }, () =>
    onStore(place, {}, (operations) => operations.keysRevoke({ id })),
  );
  if (!answer.ok) return tellProblem('keys revoke', answer.error, json, terminal);
  terminal.out(json ? `${JSON.stringify(answer.value)}\n` : `${revokedText(answer.value)}\n`);
  return exit.ok;
}

function revokedText({ id, changed }: KeyRevoked): string {
  return changed
    ? `key ${id} is revoked; nothing authorises with it any more`
    : `key ${id} was revoked before`;
}

/** A key id; a whole key, pasted by mistake, names itself. What was given is never repeated. */
function keyIdIn(word: string | undefined): KeyId {
  if (word === undefined) throw new Misuse('ID is missing; keys list shows them');
  if (/^[a-z2-7]{16}$/u.test(word)) return mintId.key(word);
  const id = keyIdOf(word);
  if (id === undefined) throw new Misuse('ID is no key id: 16 characters, as keys list shows them');
  return id;
}
