/** `pawl audit verify|show`: whether the chain is whole, and what is in it. */
import type { VerifyReport } from '@pawl/core';
import { type AuditQuery, mostRecords } from '../control/index.js';
import { recordLines } from './record-line.js';
import {
  type Command,
  type CommandInput,
  type ExitCode,
  Misuse,
  type OptionSpecs,
  type Terminal,
  exit,
} from './command.js';
import { counted, visible } from './layout.js';
import { operate, tellProblem } from './operate.js';
import { evidenceOperations } from './operations.js';
import { storeOptions, storePlace } from './store-option.js';

const showOptions: OptionSpecs = {
  limit: { type: 'string', help: `show: the last N records, 50 unless told, at most ${mostRecords}` },
  call: { type: 'string', help: 'show: only records of this call' },
  executor: { type: 'string', help: 'show: only records of this agent, or agent/instance' },
};

/** The command. */
export const auditCommand: Command = {
  name: 'audit',
  summary: 'Verifies the audit chain, and shows its records.',
  usage: `audit verify [--json]
         pawl audit show [--limit N] [--call ID] [--executor E] [--json]
         (each with --store DIR or --policy P)`,
  example: `pawl audit verify --policy examples/quickstart/pawl.yaml
         pawl audit show --policy examples/quickstart/pawl.yaml --limit 20 --executor reporter`,
  options: {
    ...showOptions,
    ...storeOptions,
    json: { type: 'boolean', help: 'verify: one JSON object; show: the stored records, one a line' },
  },
  run: audit,
};

async function audit(input: CommandInput, terminal: Terminal): Promise<ExitCode> {
  const [act, ...words] = input.words;
  if (words.length > 0) throw new Misuse(`there is a word too much after ${act ?? 'audit'}`);
  if (act === 'show') return show(input, terminal);
  if (act !== 'verify') throw new Misuse('say what to do: verify or show');
  const stray = Object.keys(showOptions).find((name) => input.text(name) !== undefined);
  if (stray !== undefined) throw new Misuse(`--${stray} belongs to audit show`);
  return verify(input, terminal);
}

async function verify(input: CommandInput, terminal: Terminal): Promise<ExitCode> {
  const json = input.flag('json');
  const place = storePlace(input);
  const answer = await operate(place, 'auditVerify', {}, () =>
    evidenceOperations(place.folder).auditVerify(),
  );
  if (!answer.ok) return tellProblem('audit verify', answer.error, json, terminal);
  terminal.out(json ? `${JSON.stringify(answer.value)}\n` : reportText(answer.value));
  return answer.value.ok ? exit.ok : exit.negative;
}

function reportText({ ok, records, brokenAt, why, unsettled }: VerifyReport): string {
  const verdict = ok
    ? `whole: ${counted(records, 'record')} verified`
    : `BROKEN at record ${brokenAt ?? records}: ${visible(why ?? 'no reason given', 500)}; ${counted(records, 'record')} before it verified`;
  const open =
    unsettled.length === 0
      ? 'no unsettled calls'
      : `${counted(unsettled.length, 'unsettled call')}: an intent without an end (in flight, or cut off)`;
  return `${[verdict, open, ...unsettled.map((call) => `  ${visible(call)}`)].join('\n')}\n`;
}

async function show(input: CommandInput, terminal: Terminal): Promise<ExitCode> {
  const json = input.flag('json');
  const query = queryOf(input);
  const place = storePlace(input);
  const answer = await operate(place, 'auditShow', query, () =>
    evidenceOperations(place.folder).auditShow(query),
  );
  if (!answer.ok) return tellProblem('audit show', answer.error, json, terminal);
  const lines = json ? answer.value : recordLines(answer.value);
  terminal.out(lines.map((line) => `${line}\n`).join(''));
  return exit.ok;
}

function queryOf(input: CommandInput): AuditQuery {
  const limit = Number(input.text('limit') ?? '50');
  if (!Number.isInteger(limit) || limit < 1 || limit > mostRecords)
    throw new Misuse(`--limit is no whole number from 1 to ${mostRecords}`);
  const [call, executor] = [wordIn(input, 'call'), wordIn(input, 'executor')];
  return { limit, ...(call === undefined ? {} : { call }), ...(executor === undefined ? {} : { executor }) };
}

function wordIn(input: CommandInput, name: string): string | undefined {
  const text = input.text(name);
  if (text !== undefined && !/^[\x21-\x7e]{1,200}$/u.test(text))
    throw new Misuse(`--${name} is no id or name`);
  return text;
}
