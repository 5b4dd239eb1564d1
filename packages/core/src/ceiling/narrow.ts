/** A ceiling or a narrowing for one tool: one bucket that every access has to lie in. It only narrows. */
import {
  type Bucket,
  type Constraint,
  type FieldSet,
  Box,
  bucketOf,
  missingSet,
  or,
} from '../authority/index.js';
import {
  type Field,
  type FieldContext,
  type FieldMeaning,
  type PlannedKey,
  type Standing,
  type ToolFrame,
  fieldConstraint,
  fieldMeaning,
  fieldSets,
  plannedKeys,
  standing,
} from '../connector/index.js';
import type { Layer } from '../ground/index.js';
import type { Limit } from './declare.js';

/** A ceiling or narrowing as it applies to one tool. */
export interface ToolLimit {
  readonly layer: Layer;
  readonly bucket: Bucket;
  readonly keys: readonly PlannedKey[];
}

/** What is asked of every tool of a connector or server. */
export interface LimitUse {
  readonly layer: 'ceiling' | 'narrowing';
  readonly limit: Limit;
}

/**
 * What the limits ask of a tool; limits for other connectors or servers must have been left out by the caller. A field that
 * the tool does not have asks nothing of it. Undefined where nothing is asked at all.
 */
export function limitForTool(
  context: FieldContext,
  layer: LimitUse['layer'],
  limits: readonly Limit[],
  frame: ToolFrame,
): ToolLimit | undefined {
  let products: (readonly FieldSet[])[] = [[]];
  const keys: PlannedKey[] = [];
  for (const { on, field } of limits.flatMap((limit) =>
    limit.fields.map((each) => ({ on: limit.on, field: each })),
  )) {
    const at = standing(frame, field);
    const meaning = at.kind === 'no' ? undefined : meaningOf(context, frame, field, at);
    if (meaning === undefined || at.kind === 'no') continue;
    keys.push(...plannedKeys(meaning));
    const choices = meaning.alternatives.map((sets) =>
      fieldSets(meaning, sets, `${on}.${meaning.name}`, at.kind === 'connector').map((set) =>
        openly(set, at),
      ),
    );
    products = products.flatMap((product) => choices.map((choice) => [...product, ...choice]));
  }
  if (keys.length === 0) return undefined;
  const [first] = limits;
  const rules = products.map((fields) => ({
    rule: first?.path ?? layer,
    level: 'permit' as const,
    box: new Box({ fields }),
  }));
  return { layer, keys, bucket: bucketOf(rules) };
}

/** An argument that an open schema does not list may stay away; one that it lists may not. */
function openly(set: FieldSet, at: Standing): FieldSet {
  const open = at.kind === 'argument' && at.known === 'open';
  return open ? { ...set, set: or(set.set, missingSet) } : set;
}

function meaningOf(
  context: FieldContext,
  frame: ToolFrame,
  field: Field,
  at: Standing,
): FieldMeaning | undefined {
  const constraint = fieldConstraint(context, frame, field);
  if (constraint === undefined) return undefined;
  if (at.kind === 'argument' && !plainKinds(constraint)) {
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
  return kind === 'oneOf' || kind === 'number' || kind === 'text';
}
