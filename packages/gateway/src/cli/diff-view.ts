/** A comparison as `diff` and a refused reload show it: as JSON, and as text for people. */
import type { Comparison, ExecutorComparison, Witness } from '@pawl/core';

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
export function witnessView(witness: Witness): WitnessView {
  if (witness.kind === 'access') return { access: witness.access, rule: witness.rule };
  if (witness.kind === 'change') {
    const { what, path, old, new: now } = witness;
    return { kind: what, path, old, new: now };
  }
  const { kind: _, ...call } = witness;
  return call;
}

/** The text form: one line an executor, then what shows a widening. */
export function diffText(view: DiffView): string {
  const lines = [`${view.relation}${view.schemas === 'none' ? ' (no schemas: every tool name and any JSON)' : ''}`];
  for (const [id, { relation }] of Object.entries(view.executors)) lines.push(`  ${id}: ${relation}`);
  const all = Object.entries(view.executors).flatMap(([id, { witnesses }]) =>
    witnesses.map((witness) => `${id}: ${witnessText(witness)}`),
  );
  for (const line of all) lines.push('', line);
  for (const witness of view.witnesses ?? []) lines.push('', witnessText(witness));
  for (const [id, { undecided = [] }] of Object.entries(view.executors))
    for (const what of undecided) lines.push('', `${id}: not decided: ${what}`);
  for (const finding of view.findings) lines.push('', finding);
  return `${lines.join('\n')}\n`;
}

function witnessText(witness: WitnessView): string {
  const { old, new: now, rule } = witness;
  if (witness['access'] !== undefined) return `gains ${JSON.stringify(witness['access'])} by ${String(rule)}`;
  if (witness['kind'] !== undefined)
    return `${String(witness['kind'])} at ${String(witness['path'])}: ${JSON.stringify(old)} → ${JSON.stringify(now)}`;
  const repeat = witness['repeat'] === undefined ? '' : ` (call ${String(witness['repeat'])} of a session)`;
  const by = rule === '' ? '' : ` by ${String(rule)}`;
  return `${String(witness['tool'])} ${JSON.stringify(witness['args'])}${repeat}: ${String(old)} → ${String(now)}${by}`;
}
