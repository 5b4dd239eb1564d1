/** One call replayed from its records: whether each verdict is the one that its generation gives, and no refusal a false one. */
import {
  type Admission,
  type AuditRecord,
  type CallOutcome,
  type ExecutorId,
  type IntentRecord,
  type JsonObject,
  type RefusalRecord,
  type SettlementRecord,
  deepEqualJson,
} from '@pawl/core';
import { saidBy } from './documents.js';

/** What was in force when: documents and epochs by generation. */
export interface Books {
  documentOf(generation: number): string;
  epochOf(generation: number, executor: ExecutorId): number;
  /** Whether anything was ever frozen. */
  readonly everFrozen: boolean;
}

/** A call as it was made, and everything that is known of it. */
export interface Told {
  readonly agent: string;
  readonly args: JsonObject;
  readonly outcome: CallOutcome;
  /** In the order of writing. */
  readonly records: readonly AuditRecord[];
  /** Arguments that reached the tool; undefined where nothing did. */
  readonly sent: JsonObject | undefined;
}

/** What is wrong with a call, in words; empty where nothing is. */
export function replay(books: Books, told: Told): readonly string[] {
  const { outcome, records } = told;
  const kinds = records.map(({ type }) => type).join(' ');
  if (kinds !== 'refusal' && kinds !== 'intent settlement') return [`${outcome.call} left ${kinds}`];
  const wrongs = records.flatMap((record) => replayedOne(books, told, record));
  const arrived = (outcome.kind === 'result') === (told.sent !== undefined);
  return [...wrongs, ...(arrived ? [] : ['was answered otherwise than it went'])].map(
    (why) => `${outcome.call} ${JSON.stringify(told.args)}: ${why}`,
  );
}

function replayedOne(books: Books, told: Told, record: AuditRecord): readonly string[] {
  if (record.type === 'intent') return admittedRightly(books, told, record);
  if (record.type === 'refusal') return refusedRightly(books, told, record);
  return record.type === 'settlement' ? settledRightly(books, told, record) : [];
}

function admittedRightly(books: Books, { agent, args, sent }: Told, record: IntentRecord): readonly string[] {
  const said = saidBy(books.documentOf(record.policyGeneration?.number ?? 0), agent, args);
  if (said.kind === 'refused') return [`was admitted where its generation says ${said.denial.code}`];
  const rules = [...new Set(said.rules.map(({ rule }) => rule))];
  const level = said.charges === undefined ? said.level === record.level : freer(said.level, record.level);
  return [
    ...(deepEqualJson(rules, [...record.rules]) ? [] : ['rests on other rules']),
    ...(level ? [] : [`goes at level ${record.level} where its generation says ${said.level}`]),
    ...(deepEqualJson([...said.filled], [...(record.filled ?? [])]) ? [] : ['was filled otherwise']),
    ...(sent === undefined || deepEqualJson(sent, said.args) ? [] : ['was sent with other arguments']),
  ];
}

const freedom = { once: 1, session: 2, permit: 3 } as const;

function freer(one: keyof typeof freedom, than: keyof typeof freedom): boolean {
  return freedom[one] >= freedom[than];
}

/** A refusal before the intent: no false one either. */
function refusedRightly(books: Books, { agent, args }: Told, record: RefusalRecord): readonly string[] {
  const { code, detail, policyGeneration } = record;
  if (detail === 'frozen') return books.everFrozen ? [] : ['is frozen and nothing ever was'];
  if (code === 'no_such_cap') return diedRightly(books, record);
  const said = saidBy(books.documentOf(policyGeneration?.number ?? 0), agent, args);
  if (said.kind === 'refused')
    return said.denial.code === code ? [] : [`was refused as ${code}, not as ${said.denial.code}`];
  const asks = said.level !== 'permit' || said.charges !== undefined;
  const isAsk = code === 'consent_required' || code === 'consent_refused';
  return isAsk && asks ? [] : [`was refused as ${code} where its generation admits it`];
}

/** A capability that is said to have died with its epoch did. */
function diedRightly(
  books: Books,
  { reason, policyGeneration, capGeneration, executor }: RefusalRecord,
): readonly string[] {
  if (reason !== 'generation_widened' || capGeneration === undefined || executor === undefined) return [];
  const [then, now] = [capGeneration.number, policyGeneration?.number ?? 0].map((each) =>
    books.epochOf(each, executor),
  );
  return then === now ? ['died of an epoch that did not move'] : [];
}

/** A refusal at the last check: what was in force then must be a reason for it. */
function settledRightly(books: Books, told: Told, record: SettlementRecord): readonly string[] {
  const { outcome, code, policyGeneration } = record;
  if (outcome !== 'not_dispatched' || code === 'no_such_cap') return [];
  if (code === 'attenuated_away' && books.everFrozen) return [];
  if (policyGeneration === undefined) return [`was refused as ${code} although nothing had changed`];
  const { number } = policyGeneration;
  const said = saidBy(books.documentOf(number), told.agent, told.args);
  if (code === 'attenuated_away')
    return said.kind === 'refused' ? [] : [`was attenuated away although generation ${number} admits it`];
  const intent = told.records.find((one) => one.type === 'intent');
  const then = saidBy(books.documentOf(intent?.policyGeneration?.number ?? 0), told.agent, told.args);
  return isSame(said, then) ? [`was refused as ${code} although generation ${number} says the same`] : [];
}

/** Whether two generations say the same of a call that nothing counts. */
function isSame(one: Admission, other: Admission): boolean {
  if (one.kind !== 'admitted' || other.kind !== 'admitted') return false;
  const counted = one.charges !== undefined || other.charges !== undefined;
  return !counted && one.level === other.level && deepEqualJson(one.args, other.args);
}

/** Why a generation would not hand the call over so, in words; empty where it would. */
export function outside(
  books: Books,
  { intent, args }: { readonly intent: IntentRecord; readonly args: JsonObject },
  number: number,
): readonly string[] {
  const said = saidBy(books.documentOf(number), intent.executor ?? '', args);
  if (said.kind === 'refused') return [`generation ${number} refuses it: ${said.denial.code}`];
  if (!deepEqualJson(said.args, args)) return [`generation ${number} would forward other arguments`];
  if (!freer(said.level, intent.level)) return [`generation ${number} wants an approval`];
  return [];
}
