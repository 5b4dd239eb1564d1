/** One tool of one executor: whether NEW holds nothing that OLD does not. */
import {
  type Authority,
  type Box,
  type Bucket,
  type Gain,
  type LevelProof,
  OutOfSteps,
  type Rule,
  Space,
  type Steps,
  type Verb,
  bucketOf,
  bucketsOf,
  prove,
} from '../../authority/index.js';
import { type ToolFrame, type ToolShape, accessShapes, verbsOf } from '../../connector/index.js';
import type { ToolPolicy } from '../tool-policy.js';

/** Nothing gained, with what proves it; or the first shape in which something is. */
export type ToolInclusion =
  | { readonly kind: 'included'; readonly proof: ToolProof }
  | { readonly kind: 'gained'; readonly gain: Gain; readonly of: ToolShape; readonly space: Space };

/** `same`: both sides say the same of the tool. Otherwise the levels of each shape, in order. */
export type ToolProof = 'same' | readonly (readonly LevelProof[])[];

/** Compares one tool, as far as the counted rules go. Throws OutOfSteps and TooManyStates. */
export function compareTool(
  next: ToolPolicy,
  old: ToolPolicy | undefined,
  counting: Sides<Counting>,
  steps: Steps,
): ToolInclusion {
  const whole = counting.next === unbudgeted && counting.old === unbudgeted;
  if (whole && old !== undefined && samePolicies(next, old)) return { kind: 'included', proof: 'same' };
  const boxes = [...boxesOf(next), ...(old === undefined ? [] : boxesOf(old))];
  const proofs: (readonly LevelProof[])[] = [];
  for (const of of accessShapes(jointFrame(next, old), boxes, { next: next.plan, old: old?.plan })) {
    const space = new Space(of.shape);
    const found = prove(space, questionOf(of, next, old, counting), steps);
    if (found.kind === 'gained') return { kind: 'gained', gain: found.gain, of, space };
    proofs.push(found.proof);
  }
  return { kind: 'included', proof: proofs };
}

/**
 * What each shape gains of accesses that a call of the tool can make together with those of rows that read the same arguments:
 * where no call shows a gain, one of these may. Throws OutOfSteps and TooManyStates.
 */
export function* jointGains(
  next: ToolPolicy,
  old: ToolPolicy | undefined,
  steps: Steps,
): Generator<{ readonly gain: Gain; readonly of: ToolShape; readonly space: Space }> {
  const boxes = [...boxesOf(next), ...(old === undefined ? [] : boxesOf(old))];
  for (const of of accessShapes(jointFrame(next, old), boxes, { next: next.plan, old: old?.plan })) {
    const asked = questionOf(of, next, old);
    const joined = verbsBeside(next.frame, of).map((verb) =>
      bucketsOf(next.authorities, next.frame.tool, verb),
    );
    if (asked.next === undefined || joined.some((buckets) => buckets === undefined)) continue;
    const space = new Space(of.shape);
    const all = [...asked.next, ...joined.flatMap((buckets) => buckets ?? [])];
    const found = prove(space, { next: all, old: asked.old }, steps);
    if (found.kind === 'gained') yield { gain: found.gain, of, space };
  }
}

/** Verbs of other rows that read the same arguments into the same fields. */
function verbsBeside({ table }: ToolPolicy['frame'], { row }: ToolShape): readonly Verb[] {
  if (row === undefined) return [];
  const same = table.accesses.filter(
    (other) => other !== row && JSON.stringify(other.fields) === JSON.stringify(row.fields),
  );
  return [...new Set(same.map(({ verb }) => verb))].filter((verb) => verb !== row.verb);
}

/**
 * The tool as both sides read it together: an argument that either reads as command lines is read so. A side that does not
 * judges each access of a command as it judges the call. Throws OutOfSteps where a row of the tool judges that call instead.
 */
export function jointFrame(next: ToolPolicy, old: ToolPolicy | undefined): ToolFrame {
  const { commands: now = [], accesses } = next.frame.table;
  const before = old === undefined ? now : (old.frame.table.commands ?? []);
  if (JSON.stringify(now) === JSON.stringify(before)) return next.frame;
  if (accesses.length > 0) throw new OutOfSteps('commands beside rows are not compared');
  const commands = [...now, ...before];
  const fields = { ...old?.frame.fields, ...next.frame.fields };
  return { ...next.frame, fields, table: { ...next.frame.table, commands } };
}

/** The verb by which a side judges accesses of a shape. */
function verbAt({ frame }: ToolPolicy, { shape, command }: ToolShape): Verb {
  return command === true && frame.table.commands === undefined ? frame.table.verb : shape.verb;
}

/** Which allow rules of a policy count. */
export type Counting = (rule: Rule) => boolean;

/** Rules that admit any number of calls. */
export const unbudgeted: Counting = ({ uses }) => uses === undefined;
const all: Counting = () => true;

/** The same of both sides. */
export interface Sides<T> {
  readonly next: T;
  readonly old: T;
}

/** The buckets with only the rules that count in the policy's own; its limits stay whole. */
function counted(buckets: readonly Bucket[] | undefined, counts: Counting): readonly Bucket[] | undefined {
  const [policy, ...limits] = buckets ?? [];
  if (policy === undefined || policy.allow.every(counts)) return buckets;
  return [bucketOf(policy.allow.filter(counts), policy.ask, policy.deny), ...limits];
}

/** What is asked of a shape: a value that OLD cannot read refuses the call there. */
export function questionOf(
  of: ToolShape,
  next: ToolPolicy,
  old: ToolPolicy | undefined,
  counting: Sides<Counting> = { next: all, old: all },
): { readonly next: readonly Bucket[] | undefined; readonly old: readonly Bucket[] | undefined } {
  const { tool } = next.frame;
  const refuses = old === undefined || of.unread.some((field) => old.plan.fields.has(field));
  const buckets = (side: ToolPolicy): readonly Bucket[] | undefined =>
    bucketsOf(side.authorities, tool, verbAt(side, of));
  return {
    next: counted(buckets(next), counting.next),
    old: refuses ? undefined : counted(buckets(old), counting.old),
  };
}

/** Every verb that calls of a tool can have. */
export function verbsOn({ frame }: ToolPolicy): readonly Verb[] {
  return [...new Set([frame.table.verb, ...verbsOf(frame.table)])];
}

/** All boxes of a tool's policy. */
export function boxesOf(policy: ToolPolicy): readonly Box[] {
  const buckets = policy.authorities.factors.flatMap((authority) => bucketsIn(policy, authority));
  return [
    ...new Set(buckets.flatMap(({ allow, ask, deny }) => [...allow, ...ask, ...deny].map(({ box }) => box))),
  ];
}

function bucketsIn(policy: ToolPolicy, authority: Authority): readonly Bucket[] {
  return verbsOn(policy).flatMap((verb) => authority.bucket(policy.frame.tool, verb) ?? []);
}

/** Whether both say the same in the same words: rules are compared as they compiled, in any order. */
function samePolicies(a: ToolPolicy, b: ToolPolicy): boolean {
  return a === b || policyPrint(a) === policyPrint(b);
}

const prints = new WeakMap<ToolPolicy, string>();

/** Equal for policies of one tool that hold the same accesses and read calls alike. */
export function policyPrint(policy: ToolPolicy): string {
  const known = prints.get(policy);
  if (known !== undefined) return known;
  const factors = policy.authorities.factors.map((authority) =>
    verbsOn(policy)
      .map((verb) => bucketPrint(authority.bucket(policy.frame.tool, verb)))
      .join('#'),
  );
  const { raw, fields } = policy.plan;
  const plan = `${raw.map(({ key, constrained }) => `${key}${Number(constrained)}`).join()};${[...fields].sort().join()}`;
  const print = `${factors.join('##')}###${plan}`;
  prints.set(policy, print);
  return print;
}

/** Equal for policies of one tool whose allow rules, and limits, are the same. */
export function allowPrint(policy: ToolPolicy): string {
  const { authorities, frame } = policy;
  const lists = authorities.factors.map((authority) =>
    verbsOn(policy).map((verb) => rulesPrint(authority.bucket(frame.tool, verb)?.allow ?? [])),
  );
  return JSON.stringify(lists);
}

function bucketPrint(bucket: Bucket | undefined): string {
  if (bucket === undefined) return '';
  return [bucket.allow, bucket.ask, bucket.deny].map(rulesPrint).join('~');
}

function rulesPrint(rules: readonly Rule[]): string {
  const each = rules.map(({ level, uses, box }) => `${level}${uses ?? ''} ${box.print}`);
  return each.length < 2 ? (each[0] ?? '') : [...new Set(each)].sort().join('\n');
}
