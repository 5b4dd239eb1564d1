/** What a declaration asks for beyond what stands already: it changes nothing, for only the intersection holds, and is told. */
import {
  type Scalar,
  type ValueSet,
  and,
  everythingSet,
  includes,
  isEmpty,
  isUnbound,
  member,
  nothingSet,
  scalars,
} from '../authority/index.js';
import type { AccessRow, Field, FieldMeaning } from '../connector/index.js';
import { type DocNode, Expect, plainOf } from '../ground/index.js';
import type { Limit } from './declare.js';
import { meaningOf } from './narrow.js';
import type { Reading } from './sanitise.js';
import type { LimitGround, LimitTargets } from './target.js';

/** One thing that was asked for in vain. */
export interface Beyond {
  /** `terminal.backends`. */
  readonly field: string;
  /** As it was asked for: one value or pattern, or the whole constraint. */
  readonly asked: string;
  /** Whether nothing of it is left, or a part. */
  readonly left: 'nothing' | 'part';
  /** What it lies outside of, with its values: `terminal.backends (tmux)`. */
  readonly outside: string;
  /** Where that stands. */
  readonly path: string;
}

/** Compares what is asked for with limits that stand, field by field. For people: dispatch intersects, whatever this says. */
export function beyond(
  asked: readonly Limit[],
  standing: readonly Limit[],
  targets: LimitTargets,
  reading: Reading,
): readonly Beyond[] {
  const found = new Map<string, Beyond>();
  for (const limit of asked)
    for (const ground of targets.at(limit.on)?.grounds ?? []) {
      const others = standing.filter(({ on }) => ground.names.includes(on));
      for (const other of others)
        for (const each of between({ limit, other, ground, reading: { ...reading, mayBeUnbound: true } }))
          found.set(JSON.stringify([each.field, each.asked, each.path]), each);
    }
  return [...found.values()];
}

/** One asked for and one that stands, where both apply. */
interface Pair {
  readonly limit: Limit;
  readonly other: Limit;
  readonly ground: LimitGround;
  readonly reading: Reading;
}

function between(pair: Pair): readonly Beyond[] {
  const { limit, other } = pair;
  return limit.fields.flatMap((field) =>
    other.fields.flatMap((stands) =>
      field.name === stands.name ? sameField(pair, field, stands) : joinedField(pair, field, stands),
    ),
  );
}

function sameField(pair: Pair, field: Field, stands: Field): readonly Beyond[] {
  const within = meant(pair, stands);
  const whole = meant(pair, field);
  if (within === undefined || whole === undefined) return [];
  const told = tell(pair, field, stands, within);
  if (isUnbound(within.constraint))
    return isOneValue(whole) ? [] : [told(wordsOf(field.node), 'nothing', 'single')];
  return itemsOf(field.node).flatMap((node) => {
    const item = meant(pair, { ...field, node });
    const left = item && leftOf(item, within);
    return left === undefined || left === 'all' ? [] : [told(wordsOf(node), left)];
  });
}

/** Values that begin with one of another field, as `tmux:main` does: that one has to be within the other field. */
function joinedField(pair: Pair, field: Field, stands: Field): readonly Beyond[] {
  const by = joint(pair.ground, field.name, stands.name);
  const within = by === undefined ? undefined : meant(pair, stands);
  if (by === undefined || within === undefined || isUnbound(within.constraint)) return [];
  const known = pair.ground.frame.fields[stands.name]?.vocabulary?.values ?? [];
  const told = tell(pair, field, stands, within);
  return scalarsOf(field.node).flatMap((value) => {
    const front =
      typeof value === 'string' && value.includes(by) ? value.slice(0, value.indexOf(by)) : undefined;
    const isOut = front !== undefined && known.includes(front) && !admitsValue(within, front);
    return isOut ? [told(String(value), 'nothing')] : [];
  });
}

function tell(
  { limit, other }: Pair,
  field: Field,
  stands: Field,
  { text }: FieldMeaning,
): (asked: string, left: Beyond['left'], values?: string) => Beyond {
  return (asked, left, values = text) => ({
    field: `${limit.on}.${field.name}`,
    asked,
    left,
    outside: `${other.on}.${stands.name} (${values})`,
    path: other.path,
  });
}

function meant({ reading, ground }: Pair, field: Field): FieldMeaning | undefined {
  return meaningOf({ ...reading, expect: new Expect() }, ground.frame, field);
}

type Sets = FieldMeaning['alternatives'][number];

/** How much of the first lies in the second. */
function leftOf(item: FieldMeaning, within: FieldMeaning): 'all' | Beyond['left'] {
  const inside = item.alternatives.every((sets) => within.alternatives.some((big) => holds(big, sets)));
  if (inside) return 'all';
  const meets = item.alternatives.some((sets) => within.alternatives.some((big) => overlap(big, sets)));
  return meets ? 'part' : 'nothing';
}

function holds(big: Sets, small: Sets): boolean {
  return big.every(({ key, set }) => includes(set, setAt(small, key)));
}

function overlap(a: Sets, b: Sets): boolean {
  return a.every(({ key, set }) => haveCommon(set, setAt(b, key)));
}

/** Lists have the empty one in common, whatever they are of: they count where one of both has nothing else. */
function haveCommon(a: ValueSet, b: ValueSet): boolean {
  const both = and(a, b);
  const onlyLists = [a, b].some((set) => isEmpty(withoutLists(set)));
  return !isEmpty(onlyLists ? both : withoutLists(both));
}

function withoutLists(set: ValueSet): ValueSet {
  return { ...set, arrays: nothingSet.arrays, spreads: nothingSet.spreads };
}

function setAt(sets: Sets, key: string): ValueSet {
  return sets.find((each) => each.key === key)?.set ?? everythingSet;
}

function admitsValue({ alternatives }: FieldMeaning, value: Scalar): boolean {
  return alternatives.some((sets) => sets.every(({ set }) => member(set, value)));
}

function isOneValue({ alternatives }: FieldMeaning): boolean {
  const [only, more] = alternatives;
  return more === undefined && only?.some(({ set }) => scalars(set, 1)?.length === 1) === true;
}

/** The choices of a constraint: the items of its list, else the whole. */
function itemsOf(node: DocNode): readonly DocNode[] {
  return node.kind === 'list' ? node.items : [node];
}

function scalarsOf(node: DocNode): readonly Scalar[] {
  const items = node.kind === 'map' ? node.entries.flatMap(({ value }) => itemsOf(value)) : itemsOf(node);
  return items.flatMap((item) => (item.kind === 'scalar' ? [item.value] : []));
}

/** The text that joins a field to another in front of it, in any tool. */
function joint({ tools }: LimitGround, field: string, other: string): string | undefined {
  const rows: readonly AccessRow[] = Object.values(tools).flatMap(({ accesses }) => accesses);
  const joins = rows.flatMap(({ fields }) => fields[field] ?? []).flatMap(({ joined }) => joined ?? []);
  return joins.find((each) => each.field === other)?.by;
}

function wordsOf(node: DocNode): string {
  const value = plainOf(node);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
