/** `pawl explain`: one call of the audit log, and why it got its verdict. */
import { type StoredGeneration, readEnvelope, readJson } from '@pawl/core';
import {
  type Answer,
  type EvidenceQuery,
  type EvidenceRecord,
  mostRecords,
  no,
  yes,
} from '../control/index.js';
import { type CallRecord, type Explanation, explain, judgingGeneration } from '../review/index.js';
import { type Command, type CommandInput, type ExitCode, Misuse, type Terminal, exit } from './command.js';
import { explanationText } from './explain-text.js';
import { operate, tellProblem } from './operate.js';
import { evidenceOperations } from './operations.js';
import { compileSource } from './source.js';
import { type StorePlace, storeOptions, storePlace } from './store-option.js';

/** The command. */
export const explainCommand: Command = {
  name: 'explain',
  summary: 'Explains one call: its verdict, the rule of the policy that judged it, and what to change.',
  usage: 'explain ID [--store DIR | --policy P] [--json]',
  example: 'pawl explain c_jyq6cyykyb4ys3ua --policy examples/quickstart/pawl.yaml',
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
  const records = found.value.flatMap(({ text, body }): readonly CallRecord[] => {
    const envelope = readEnvelope(text);
    const args = body === undefined ? undefined : readJson(body);
    return envelope === undefined
      ? []
      : [{ ...envelope, ...(args === undefined ? {} : { arguments: args }) }];
  });
  const number = records
    .map(({ record }) => judgingGeneration(record))
    .find((judging) => judging !== undefined);
  const [judging, current] = [
    number === undefined ? undefined : await generation(place, number),
    await generation(place),
  ];
  const loaded = judging && compileSource(`generation ${judging.number}`, judging.source);
  const explanation = explain({
    records,
    policy: judging && loaded?.ok === true ? { number: judging.number, loaded } : undefined,
    inForce: current?.number,
  });
  return explanation === undefined ? unknown(id) : yes(explanation);
}

function unknown(id: string): Answer<never> {
  return no('refused', `the audit log has no call ${id}; pawl audit show lists calls`);
}

async function recordsOf(place: StorePlace, id: string): Promise<Answer<readonly EvidenceRecord[]>> {
  if (/^\d{1,15}$/u.test(id)) return throughRecord(place, id);
  if (id.startsWith('a_')) return throughAsk(place, id);
  return ofCall(place, id);
}

function ofCall(place: StorePlace, call: string): ReturnType<typeof evidence> {
  return evidence(place, { limit: mostRecords, call });
}

/** The call of the record with that number. */
async function throughRecord(place: StorePlace, id: string): Promise<Answer<readonly EvidenceRecord[]>> {
  const answer = await evidence(place, { limit: 1, from: Number(id) });
  if (!answer.ok) return answer;
  const envelope = readEnvelope(answer.value[0]?.text ?? '');
  const call = envelope?.seq === Number(id) ? envelope.record['call'] : undefined;
  return typeof call === 'string' ? ofCall(place, call) : unknown(id);
}

/** The last call that waited for that ask, or went under it, as far back as records are looked at. */
async function throughAsk(place: StorePlace, id: string): Promise<Answer<readonly EvidenceRecord[]>> {
  const answer = await operate(place, 'auditShow', { limit: mostRecords }, () =>
    evidenceOperations(place.folder).auditShow({ limit: mostRecords }),
  );
  if (!answer.ok) return answer;
  const record = answer.value
    .map((text) => readEnvelope(text)?.record)
    .findLast((each) => each?.['approval'] === id);
  const call = record?.['call'];
  return typeof call === 'string' ? ofCall(place, call) : unknown(id);
}

function evidence(place: StorePlace, query: EvidenceQuery): Promise<Answer<readonly EvidenceRecord[]>> {
  return operate(place, 'evidence', query, () => evidenceOperations(place.folder).evidence(query));
}

/** A generation of the store; undefined where it has none of that number. */
async function generation(place: StorePlace, number?: number): Promise<StoredGeneration | undefined> {
  const asked = number === undefined ? {} : { number };
  const answer = await operate(place, 'generation', asked, () =>
    evidenceOperations(place.folder).generation(asked),
  );
  return answer.ok ? answer.value : undefined;
}
