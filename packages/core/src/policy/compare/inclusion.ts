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
import {
  type AccessRow,
  type ToolFrame,
  type ToolShape,
  accessShapes,
  verbsOf,
} from '../../connector/index.js';
import type { ToolPolicy } from '../tool-policy.js';
import { afterSecondLook } from './second-look.js';

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

/** Verbs of other rows that read the same arguments into the same fields: no call makes one access without the others. */
export function verbsBeside({ table }: ToolPolicy['frame'], { row }: ToolShape): readonly Verb[] {
  if (row === undefined) return [];
  const read = ({ fields, omitted, needed }: AccessRow): string => JSON.stringify([fields, omitted, needed]);
  const same = table.accesses.filter((other) => other !== row && read(other) === read(row));
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
    next: counted(secondLook(next, buckets(next)), counting.next),
    old: refuses ? undefined : counted(buckets(old), counting.old),
  };
}

/** What NEW holds after both looks. Of win32 the forwarded form is not the one that rules judge. */
function secondLook(
  { frame }: ToolPolicy,
  buckets: readonly Bucket[] | undefined,
): readonly Bucket[] | undefined {
  const [policy, ...limits] = buckets ?? [];
  if (policy === undefined || frame.paths.platform === 'win32') return buckets;
  const looked = afterSecondLook(policy);
  return looked === policy ? buckets : [looked, ...limits];
}

/** Every verb that calls of a tool can have. */
export function verbsOn({ frame }: ToolPolicy): readonly Verb[] {
  return [...new Set([frame.table.verb, ...verbsOf(frame.table)])];
}

const boxesIn = new WeakMap<ToolPolicy, readonly Box[]>();

/** All boxes of a tool's policy. */
export function boxesOf(policy: ToolPolicy): readonly Box[] {
  const known = boxesIn.get(policy);
  if (known !== undefined) return known;
  const boxes = new Set<Box>();
  for (const authority of policy.authorities.factors)
    for (const { allow, ask, deny } of bucketsIn(policy, authority))
      for (const list of [allow, ask, deny]) for (const { box } of list) boxes.add(box);
  const found = [...boxes];
  boxesIn.set(policy, found);
  return found;
}

function bucketsIn(policy: ToolPolicy, authority: Authority): readonly Bucket[] {
  return verbsOn(policy).flatMap((verb) => authority.bucket(policy.frame.tool, verb) ?? []);
}

/** Whether both say the same in the same words: rules are compared as they compiled, in any order. */
function samePolicies(a: ToolPolicy, b: ToolPolicy): boolean {
  return a === b || (planPrint(a) === planPrint(b) && sameFactors(a, b, ['allow', 'ask', 'deny']));
}

/** Whether the allow rules of both, and their limits, are the same. */
export function sameAllowed(a: ToolPolicy, b: ToolPolicy): boolean {
  return a === b || sameFactors(a, b, ['allow']);
}

type Lists = readonly (keyof Bucket)[];

function sameFactors(a: ToolPolicy, b: ToolPolicy, lists: Lists): boolean {
  const [verbs, others] = [verbsOn(a), verbsOn(b)];
  const [one, two] = [a.authorities.factors, b.authorities.factors];
  if (one.length !== two.length || verbs.join() !== others.join()) return false;
  return one.every((authority, at) =>
    verbs.every((verb) =>
      sameBuckets(authority.bucket(a.frame.tool, verb), two[at]?.bucket(b.frame.tool, verb), lists),
    ),
  );
}

function sameBuckets(a: Bucket | undefined, b: Bucket | undefined, lists: Lists): boolean {
  if (a === undefined || b === undefined) return a === b;
  return lists.every((list) => standIn(a[list], b[list]) && standIn(b[list], a[list]));
}

/** Whether every rule stands in the others too. Boxes are taken over from one policy to the next: most are the very same. */
function standIn(rules: readonly Rule[], others: readonly Rule[]): boolean {
  const byBox = new Map(others.map((rule) => [rule.box, rule]));
  const left = rules.filter((rule) => {
    const other = byBox.get(rule.box);
    return other === undefined || other.level !== rule.level || other.uses !== rule.uses;
  });
  if (left.length === 0) return true;
  const prints = new Set(others.map(rulePrint));
  return left.every((rule) => prints.has(rulePrint(rule)));
}

function rulePrint({ level, uses, box }: Rule): string {
  return `${level}${uses ?? ''} ${box.print}`;
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
  const print = `${factors.join('##')}###${planPrint(policy)}`;
  prints.set(policy, print);
  return print;
}

/** Equal for policies that read the same of calls. */
function planPrint({ plan: { raw, fields } }: ToolPolicy): string {
  return `${raw.map(({ key, constrained }) => `${key}${Number(constrained)}`).join()};${[...fields].sort().join()}`;
}

function bucketPrint(bucket: Bucket | undefined): string {
  if (bucket === undefined) return '';
  return [bucket.allow, bucket.ask, bucket.deny].map(rulesPrint).join('~');
}

function rulesPrint(rules: readonly Rule[]): string {
  const each = rules.map(rulePrint);
  return each.length < 2 ? (each[0] ?? '') : [...new Set(each)].sort().join('\n');
}
