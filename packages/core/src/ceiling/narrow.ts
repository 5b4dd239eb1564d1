/** A ceiling or a narrowing for one tool: one bucket that every access has to lie in. It only narrows. */
import {
  type Bucket,
  type Constraint,
  type FieldSet,
  type Scalar,
  type ValueSet,
  Box,
  and,
  bucketOf,
  isUnbound,
  member,
  missingSet,
  nothingSet,
  or,
  scalars,
} from '../authority/index.js';
import {
  type Field,
  type FieldContext,
  type FieldFrame,
  type FieldMeaning,
  type PlannedKey,
  type Standing,
  type ToolFrame,
  fieldConstraint,
  fieldMeaning,
  fieldSets,
  plannedKeys,
  standing,
  wordField,
} from '../connector/index.js';
import type { Layer } from '../ground/index.js';
import type { Limit } from './declare.js';

/** A ceiling or narrowing as it applies to one tool. */
export interface ToolLimit {
  readonly layer: Layer;
  readonly bucket: Bucket;
  readonly keys: readonly PlannedKey[];
  /** The connector or server of which something is stored that cannot be read: then the bucket admits nothing. */
  readonly unreadable?: string;
}

/** What is asked of a tool, and by whom. */
export interface LimitUse {
  readonly layer: 'ceiling' | 'narrowing';
  readonly limits: readonly Limit[];
  /** Keys that a narrowing binds to one value: a ceiling that waits for that (`single`) is met by them. */
  readonly bound: ReadonlySet<string>;
}

/** The keys that narrowings together bind to exactly one value. One that leaves a choice between boxes binds nothing. */
export function boundBy(narrowings: readonly ToolLimit[]): ReadonlySet<string> {
  const sets = new Map<string, ValueSet>();
  for (const { bucket } of narrowings) {
    const [rule, other] = bucket.allow;
    if (rule === undefined || other !== undefined) continue;
    for (const { key, set } of rule.box.fields) sets.set(key, and(sets.get(key) ?? set, set));
  }
  return new Set([...sets].flatMap(([key, set]) => (scalars(set, 1)?.length === 1 ? [key] : [])));
}

/** A limit that cannot be read: it admits nothing of the tool, whatever the call holds. */
export function refusingLimit(layer: ToolLimit['layer'], unreadable: string): ToolLimit {
  return { layer, keys: [], bucket: bucketOf([]), unreadable };
}

/**
 * What the limits ask of a tool; limits for other connectors or servers must have been left out by the caller. A field that
 * the tool does not have asks nothing of it; one that cannot be read admits nothing. Undefined where nothing is asked at all.
 */
export function limitForTool(
  context: FieldContext,
  { layer, limits, bound }: LimitUse,
  frame: ToolFrame,
): ToolLimit | undefined {
  let products: (readonly FieldSet[])[] = [[]];
  const keys: PlannedKey[] = [];
  let asked = 0;
  for (const { on, field } of limits.flatMap((limit) =>
    limit.fields.map((each) => ({ on: limit.on, field: each })),
  )) {
    const at = standing(frame, field);
    if (at.kind === 'no') continue;
    asked += 1;
    const pathNamed = limits.some(
      (limit) => limit.on === on && limit.fields.some(({ name }) => name === wordField),
    );
    const meaning = meaningOf({ ...context, pathNamed }, frame, field);
    if (meaning === undefined) return { layer, keys: [], bucket: bucketOf([]) };
    const whole = takesWhole(meaning, frame);
    if (!whole) keys.push(...plannedKeys(meaning));
    const choices = meaning.alternatives.map((sets) =>
      fieldSets(meaning, sets, `${on}.${meaning.name}`, at.kind === 'connector')
        .map((set) => ({ ...openly(set, at), whole: whole || set.whole === true }))
        .flatMap((set) => (isUnbound(meaning.constraint) ? waiting(set, bound) : [set])),
    );
    products = products.flatMap((product) => choices.map((choice) => [...product, ...choice]));
  }
  if (asked === 0) return undefined;
  const [first] = limits;
  const rules = products.map((fields) => ({
    rule: first?.path ?? layer,
    level: 'permit' as const,
    box: new Box({ fields }),
  }));
  return { layer, keys, bucket: bucketOf(rules) };
}

/** Whether it lists all that the field can hold: then it counts as no limit for the wildcard, which stays as sent. */
function takesWhole({ field, alternatives }: FieldMeaning, { fields }: FieldFrame): boolean {
  const spec = Object.hasOwn(fields, field.name) ? fields[field.name] : undefined;
  const values = spec?.vocabulary?.values ?? [];
  const takes = (value: Scalar): boolean =>
    alternatives.some((sets) => sets.every(({ set }) => member(set, value)));
  return values.length > 0 && values.every(takes);
}

/** Whether the field lists all that it can hold there. Undefined where its constraint cannot be read. */
export function isWhole(context: FieldContext, frame: FieldFrame, field: Field): boolean | undefined {
  const meaning = meaningOf(context, frame, field);
  return meaning && takesWhole(meaning, frame);
}

/** Notes what is wrong with the constraint of a field, whether or not an agent has a tool that it concerns. */
export function checkLimit(context: FieldContext, frame: FieldFrame, field: Field): void {
  meaningOf(context, frame, field);
}

/** A field that waits for a narrowing: nothing more is asked of it once that binds it, and before it admits nothing. */
function waiting(set: FieldSet, bound: ReadonlySet<string>): readonly FieldSet[] {
  return bound.has(set.key) ? [] : [{ ...set, set: nothingSet }];
}

/** An argument that an open schema does not list may stay away; one that it lists may not. */
function openly(set: FieldSet, at: Standing): FieldSet {
  const open = at.kind === 'argument' && at.known === 'open';
  return open ? { ...set, set: or(set.set, missingSet) } : set;
}

/** What a field of a limit means there. Undefined after problems were noted. */
export function meaningOf(context: FieldContext, frame: FieldFrame, field: Field): FieldMeaning | undefined {
  const constraint = fieldConstraint(context, frame, field);
  if (constraint === undefined) return undefined;
  if (field.name.startsWith('args.') && !plainKinds(constraint)) {
    const allowed = 'exact values, a number, a text, or combinations of these';
    return context.expect.problem(field.at, field.path, `a constraint of kind ${constraint.kind}`, allowed);
  }
  return fieldMeaning(context, frame, field, constraint);
}

/** Exact values, numbers, texts, and combinations of these. */
function plainKinds(constraint: Constraint): boolean {
  const { kind } = constraint;
  if (kind === 'either' || kind === 'all') return constraint.of.every(plainKinds);
  if (kind === 'optional') return plainKinds(constraint.of);
  if (kind === 'except') return [constraint.except, constraint.in ?? constraint.except].every(plainKinds);
  return kind === 'oneOf' || kind === 'number' || kind === 'text' || kind === 'single';
}
