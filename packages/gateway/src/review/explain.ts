/** Why a call got its verdict: what its records say, and what the policy of the generation that judged it says of it. */
import {
  type AllowedValues,
  type Envelope,
  type Json,
  type RuleView,
  allowedInstead,
  isJsonArray,
  isJsonObject,
  mintId,
  own,
  parseToolName,
  rulesOn,
} from '@pawl/core';
import { type LoadedPolicy, parseDocument } from '../config/index.js';
import { type Change, changeFor } from './change.js';
import { excerpt, placeOf } from './place.js';

/** A record of a call with what was kept of its arguments. */
export interface CallRecord extends Envelope {
  readonly arguments?: Json;
}

/** The policy of a generation, compiled as it was when it judged. */
export interface JudgingPolicy {
  readonly number: number;
  readonly loaded: LoadedPolicy;
}

/** What explaining takes. */
export interface Explained {
  /** All records of one call, in order of the chain; at least one. */
  readonly records: readonly CallRecord[];
  /** The generation named in them, where the store has it and this program can read it. */
  readonly policy: JudgingPolicy | undefined;
  /** The generation in force now. */
  readonly inForce: number | undefined;
}

/** A rule with its place and text in the document that judged. */
export interface RulePlace {
  readonly rule: string;
  readonly line?: number;
  readonly column?: number;
  readonly text?: readonly string[];
}

/** How a call ended. */
export interface EndView {
  readonly outcome: string;
  readonly code?: string;
  readonly milliseconds?: number;
}

/** The explanation of one call; what its records do not say is absent. */
export interface Explanation {
  readonly id: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly seq: number;
  readonly executor?: string;
  readonly session?: string;
  /** Of a child session: the one that delegated. What its own rules say stands in no document. */
  readonly parentSession?: string;
  readonly onBehalfOf?: string;
  readonly tool?: string;
  /** That judged the call; of the capability, and in force now. */
  readonly generation?: { readonly number: number; readonly capability?: number; readonly inForce?: number };
  readonly epoch?: number;
  readonly verdict: string;
  readonly level?: string;
  readonly code?: string;
  readonly layer?: string;
  readonly message?: string;
  /** For operators only. */
  readonly reason?: string;
  readonly detail?: string;
  /** Answered from memory: how often the same call was refused so. */
  readonly repeated?: number;
  readonly approval?: string;
  readonly constraint?: string;
  readonly accesses?: Json;
  readonly arguments?: Json;
  readonly filled?: Json;
  /** The rules that admit the call, or the one that refuses it. */
  readonly rules: readonly RulePlace[];
  /** What each field that fails could have been, the rest of the call as it was. */
  readonly allowed: readonly AllowedValues[];
  /** Of a refusal: what is said of the tool, rule by rule, and where known how the call stands to it. */
  readonly considered: readonly (RuleView & RulePlace)[];
  readonly change?: Change;
  readonly end?: EndView;
}

/** Explains. Never throws for anything that a store can hold. */
export function explain({ records, policy, inForce }: Explained): Explanation | undefined {
  const judged = records.find(({ record }) => record.type === 'intent' || record.type === 'refusal');
  if (judged === undefined) return undefined;
  const { record } = judged;
  const refused = record.type === 'refusal';
  const document = policy === undefined ? undefined : documentOf(policy.loaded);
  const looked = refused ? lookAt(judged, policy) : nothing;
  const [call, verdict] = [own(record, 'call'), own(record, 'verdict')];
  const considered = looked.considered.map((view) => ({ ...view, ...rulePlace(document, view.rule) }));
  const isChild = own(record, 'parentSession') !== undefined;
  const change = isChild
    ? undefined
    : document && changeFor({ record, considered: looked.considered, root: document.root });
  return {
    id: typeof call === 'string' ? call : '',
    at: judged.at,
    seq: judged.seq,
    verdict: typeof verdict === 'string' ? verdict : record.type,
    ...textsIn(record, textMembers),
    ...generationIn(record, inForce),
    ...numbersIn(record),
    ...jsonIn(judged),
    rules: rulesIn(record).map((rule) => rulePlace(document, rule)),
    allowed: looked.allowed,
    considered,
    ...(change === undefined ? {} : { change }),
    ...endIn(records),
  };
}

const textMembers = [
  'executor',
  'session',
  'parentSession',
  'onBehalfOf',
  'tool',
  'level',
  'code',
  'layer',
  'message',
  'reason',
  'detail',
  'approval',
  'constraint',
] as const;
type Texts = Partial<Record<(typeof textMembers)[number], string>>;

function textsIn(record: Envelope['record'], names: readonly (typeof textMembers)[number][]): Texts {
  const found: Texts = {};
  for (const name of names) {
    const value = own(record, name);
    if (typeof value === 'string') found[name] = value;
  }
  return found;
}

function numbersIn(record: Envelope['record']): Pick<Explanation, 'epoch' | 'repeated'> {
  const [epoch, repeated] = [own(record, 'epoch'), own(record, 'repeated')];
  return {
    ...(typeof epoch === 'number' ? { epoch } : {}),
    ...(typeof repeated === 'number' ? { repeated } : {}),
  };
}

function jsonIn({
  record,
  arguments: args,
}: CallRecord): Pick<Explanation, 'accesses' | 'arguments' | 'filled'> {
  const [accesses, filled] = [own(record, 'target'), own(record, 'filled')];
  return {
    ...(accesses === undefined ? {} : { accesses }),
    ...(args === undefined ? {} : { arguments: args }),
    ...(filled === undefined ? {} : { filled }),
  };
}

/** Number of the generation under which a record's call was judged. */
export function judgingGeneration(record: Envelope['record']): number | undefined {
  return numberOf(own(record, 'policyGeneration'));
}

function generationIn(
  record: Envelope['record'],
  inForce: number | undefined,
): Pick<Explanation, 'generation'> {
  const number = judgingGeneration(record);
  const capability = numberOf(own(record, 'capGeneration'));
  if (number === undefined) return {};
  return {
    generation: {
      number,
      ...(capability === undefined ? {} : { capability }),
      ...(inForce === undefined ? {} : { inForce }),
    },
  };
}

function numberOf(reference: Json | undefined): number | undefined {
  const number = isJsonObject(reference) ? own(reference, 'number') : undefined;
  return typeof number === 'number' ? number : undefined;
}

function rulesIn(record: Envelope['record']): readonly string[] {
  const [rule, rules] = [own(record, 'rule'), own(record, 'rules')];
  if (typeof rule === 'string') return [rule];
  return isJsonArray(rules) ? rules.filter((each) => typeof each === 'string') : [];
}

function endIn(records: readonly CallRecord[]): { readonly end?: EndView } {
  const record = records.find((each) => each.record.type === 'settlement')?.record;
  const outcome = record && own(record, 'outcome');
  if (record === undefined || typeof outcome !== 'string') return {};
  const [code, milliseconds] = [own(record, 'code'), own(record, 'milliseconds')];
  return {
    end: {
      outcome,
      ...(typeof code === 'string' ? { code } : {}),
      ...(typeof milliseconds === 'number' ? { milliseconds } : {}),
    },
  };
}

interface Looked {
  readonly considered: readonly RuleView[];
  readonly allowed: readonly AllowedValues[];
}

const nothing: Looked = { considered: [], allowed: [] };

/** What the judging policy says of the tool, and of the call as far as its arguments were kept. */
function lookAt({ record, arguments: args }: CallRecord, policy: JudgingPolicy | undefined): Looked {
  const { executor, tool, layer } = textsIn(record, ['executor', 'tool', 'layer']);
  const name = tool === undefined ? undefined : parseToolName(tool);
  const found =
    executor === undefined ? undefined : policy?.loaded.policy.executors.get(mintId.executor(executor));
  if (found === undefined || name === undefined || layer === 'decode') return nothing;
  return {
    considered: rulesOn(found, name, args),
    allowed: args === undefined ? [] : allowedInstead(found, name, args),
  };
}

interface JudgingDocument {
  readonly root: Parameters<typeof placeOf>[0];
  readonly text: string;
}

function documentOf({ read: { text, file } }: LoadedPolicy): JudgingDocument | undefined {
  const parsed = parseDocument(text, file);
  return parsed.ok ? { root: parsed.root, text } : undefined;
}

function rulePlace(document: JudgingDocument | undefined, rule: string): RulePlace {
  const place = document && placeOf(document.root, rule);
  if (document === undefined || place === undefined) return { rule };
  return { rule, ...place.at, text: excerpt(document.text, place) };
}
