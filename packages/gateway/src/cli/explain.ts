/** `pawl explain`: one call of the audit log, and why it got its verdict. */
import type { StoredGeneration } from '@pawl/core';
import { type Answer, mostRecords, no, yes } from '../control/index.js';
import {
  type CallRecord,
  type Explanation,
  type JudgingPolicy,
  explain,
  judgingGeneration,
} from '../review/index.js';
import { type Command, type CommandInput, type ExitCode, Misuse, type Terminal, exit } from './command.js';
import { allEvidence, evidence, storedGeneration } from './evidence.js';
import { explanationText } from './explain-text.js';
import { tellProblem } from './operate.js';
import { compileSource } from './source.js';
import { type StorePlace, storeOptions, storePlace } from './store-option.js';

/** The command. */
export const explainCommand: Command = {
  name: 'explain',
  summary: 'Explains one call: its verdict, the rule of the policy that judged it, and what to change.',
  usage: 'explain ID [--store DIR | --policy P] [--json]',
  example: 'pawl explain 6 --policy examples/quickstart/pawl.yaml',
  options: {
    ...storeOptions,
    json: { type: 'boolean', help: 'one JSON object' },
  },
  run: explainCall,
};

async function explainCall(input: CommandInput, terminal: Terminal): Promise<ExitCode> {
  const [id, more] = input.words;
  if (id === undefined || more !== undefined)
    throw new Misuse(
      'ID is missing, or not alone: the id of a refusal or call, a number, or the id of an ask',
    );
  if (!/^[\x21-\x7e]{1,200}$/u.test(id))
    throw new Misuse('ID is no id of a call, number of a record or id of an ask');
  const json = input.flag('json');
  const answer = await explained(storePlace(input), id);
  if (!answer.ok) return tellProblem('explain', answer.error, json, terminal);
  terminal.out(json ? `${JSON.stringify(answer.value)}\n` : explanationText(answer.value));
  return exit.ok;
}

async function explained(place: StorePlace, id: string): Promise<Answer<Explanation>> {
  const found = await recordsOf(place, id);
  if (!found.ok) return found;
  const records = found.value;
  const number = records
    .map(({ record }) => judgingGeneration(record))
    .find((judging) => judging !== undefined);
  const [judging, current] = [
    number === undefined ? undefined : await storedGeneration(place, number),
    await storedGeneration(place),
  ];
  const explanation = explain({
    records,
    policy: judging?.ok === true ? compiled(judging.value) : undefined,
    inForce: current.ok ? current.value.number : undefined,
  });
  return explanation === undefined ? unknown(id) : yes(explanation);
}

function compiled({ number, source }: StoredGeneration): JudgingPolicy | undefined {
  const loaded = compileSource(`generation ${number}`, source);
  return loaded.ok ? { number, loaded } : undefined;
}

function unknown(id: string): Answer<never> {
  return no('refused', `the audit log has no call ${id}; pawl audit show lists calls`);
}

async function recordsOf(place: StorePlace, id: string): Promise<Answer<readonly CallRecord[]>> {
  if (/^\d{1,15}$/u.test(id)) return throughRecord(place, id);
  return id.startsWith('a_') ? throughAsk(place, id) : ofCall(place, id);
}

function ofCall(place: StorePlace, call: string): Promise<Answer<readonly CallRecord[]>> {
  return evidence(place, { limit: mostRecords, call });
}

/** The call of the record with that number. */
async function throughRecord(place: StorePlace, id: string): Promise<Answer<readonly CallRecord[]>> {
  const answer = await evidence(place, { limit: 1, from: Number(id) });
  if (!answer.ok) return answer;
  const [record] = answer.value;
  const call = record?.seq === Number(id) ? record.record['call'] : undefined;
  return typeof call === 'string' ? ofCall(place, call) : unknown(id);
}

/** The last call that waited for that ask, or went under it. */
async function throughAsk(place: StorePlace, id: string): Promise<Answer<readonly CallRecord[]>> {
  const answer = await allEvidence(place, ({ record }) => record['approval'] === id);
  if (!answer.ok) return answer;
  const call = answer.value.at(-1)?.record['call'];
  return typeof call === 'string' ? ofCall(place, call) : unknown(id);
}
