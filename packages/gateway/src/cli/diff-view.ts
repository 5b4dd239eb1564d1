/** A comparison as `diff` and a refused reload show it: as JSON, and as text for people. */
import { type Comparison, type ExecutorComparison, type Json, type Witness, isJsonObject } from '@pawl/core';

/** One witness in JSON: a call, an access that no call shows, or a change of another kind. */
export type WitnessView = Readonly<Record<string, unknown>>;

/** The answer of `diff`. */
export interface DiffView {
  readonly relation: Comparison['relation'];
  readonly executors: Readonly<Record<string, ExecutorView>>;
  /** Widenings that concern no executor in particular. */
  readonly witnesses?: readonly WitnessView[];
  readonly findings: readonly string[];
  /** There where no tool's schema was known: then every tool name and any JSON counts. */
  readonly schemas?: 'none';
  readonly ms: number;
}

interface ExecutorView {
  readonly relation: ExecutorComparison['relation'];
  readonly witnesses: readonly WitnessView[];
  readonly undecided?: readonly string[];
}

/** What is told beside the comparison. */
export interface DiffExtras {
  readonly findings: readonly string[];
  readonly ms: number;
  readonly schemas: 'none' | 'known';
}

/** The JSON form. */
export function diffView(comparison: Comparison, { findings, ms, schemas }: DiffExtras): DiffView {
  const executors = Object.entries(comparison.executors).map(([id, each]): [string, ExecutorView] => [
    id,
    {
      relation: each.relation,
      witnesses: each.witnesses.map(witnessView),
      ...(each.undecided === undefined ? {} : { undecided: each.undecided }),
    },
  ]);
  return {
    relation: comparison.relation,
    executors: Object.fromEntries(executors),
    ...(comparison.witnesses.length === 0 ? {} : { witnesses: comparison.witnesses.map(witnessView) }),
    findings,
    ...(schemas === 'none' ? { schemas } : {}),
    ms,
  };
}

/** One witness in JSON. */
function witnessView(witness: Witness): WitnessView {
  if (witness.kind === 'access') return { access: witness.access, rule: witness.rule };
  if (witness.kind === 'change') {
    const { what, path, old, new: now } = witness;
    return { kind: what, path, old, new: now };
  }
  const { kind: _, ...call } = witness;
  return call;
}

/** The text form: one line an executor, then what shows a widening. */
export function diffText(comparison: Comparison, { findings, schemas }: DiffExtras): string {
  const executors = Object.entries(comparison.executors);
  const about = schemas === 'none' ? ' (no schemas: every tool name and any JSON)' : '';
  const lines = [`${comparison.relation}${about}`];
  for (const [id, { relation }] of executors) lines.push(`  ${id}: ${relation}`);
  const told = executors.flatMap(([id, { witnesses, undecided = [] }]) => [
    ...witnesses.map((witness) => `${id}: ${witnessText(witness)}`),
    ...undecided.map((what) => `${id}: not decided: ${what}`),
  ]);
  for (const line of [...told, ...comparison.witnesses.map(witnessText), ...findings]) lines.push('', line);
  return `${lines.join('\n')}\n`;
}

/** One witness in a line. */
export function witnessText(witness: Witness): string {
  if (witness.kind === 'access') return `gains ${JSON.stringify(witness.access)} by ${witness.rule}`;
  if (witness.kind === 'change') return changeText(witness);
  const { tool, args, repeat, rule, old, new: now } = witness;
  const nth = repeat === undefined ? '' : ` (call ${repeat} of a session)`;
  return `${tool} ${JSON.stringify(args)}${nth}: ${old} → ${now}${rule === '' ? '' : ` by ${rule}`}`;
}

/** Null stands for what is not there: such a change is told as an addition or a removal. */
function changeText({ what, path, old, new: now }: Extract<Witness, { kind: 'change' }>): string {
  if (old === null) return `${what} ${path} is added: ${partsText(now)}`;
  if (now === null) return `${what} ${path} is removed: it was ${partsText(old)}`;
  return `${what} at ${path}: ${JSON.stringify(old)} → ${JSON.stringify(now)}`;
}

/** The members of an object as `name value`, without those that are empty; anything else as JSON. */
function partsText(value: Json): string {
  if (!isJsonObject(value)) return JSON.stringify(value);
  const parts = Object.entries(value).filter(([, part]) => part !== undefined && !isEmpty(part));
  return parts.map(([name, part]) => `${name} ${JSON.stringify(part)}`).join(', ') || '{}';
}

function isEmpty(part: Json): boolean {
  return part === null || (typeof part === 'object' && Object.keys(part).length === 0);
}
