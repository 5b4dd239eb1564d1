/** What every call of a tool has to meet, as demands on its arguments: one for each access and each authority of the meet. */
import {
  type Box,
  type Bucket,
  type Cover,
  type FieldSet,
  type ValueSet,
  and,
  everythingSet,
  fingerprint,
  includes,
  nothingSet,
  or,
  scalars,
} from '../../authority/index.js';
import { type AccessRow, verbsOf } from '../../connector/index.js';
import type { ToolPolicy } from '../tool-policy.js';
import { type Omitted, type Said, Translation, orMissing } from './translation.js';

/** One rule, as far as it speaks of arguments. */
export interface Part {
  readonly said: readonly Said[];
  /** The arguments that its closed world leaves free; undefined: all. */
  readonly cover: Cover | undefined;
  /** What it asks beside, as a text that is equal for equal demands. */
  readonly beside: string;
}

/** A call must meet one of `allow` (lists: element by element) and none of `deny`. */
export interface Demand {
  readonly allow: readonly Part[];
  readonly deny: readonly Part[];
}

/** All demands; a call that meets them may still be refused for what arguments cannot show. */
export interface Demands {
  readonly list: readonly Demand[];
  /** By argument name: what leaving it out means where a connector says that. */
  readonly omitted: ReadonlyMap<string, Omitted>;
}

/** The demands that follow from everything that is met. None is stricter than what decides calls. */
export function demandsOf(policy: ToolPolicy): Demands {
  const translation = new Translation(policy);
  const { table, tool } = policy.frame;
  const certain = table.accesses.filter(isCertain);
  const list: Demand[] = [];
  for (const authority of policy.authorities.factors) {
    const bucketOf = (verb: AccessRow['verb']): Bucket | undefined => authority.bucket(tool, verb);
    for (const row of certain) list.push(ofRow(translation, bucketOf(row.verb), row));
    if (certain.length > 0) continue;
    if (table.accesses.length === 0 && table.commands === undefined)
      list.push(ofRow(translation, bucketOf(table.verb), undefined));
    else list.push(ofSome(verbsOf(table).map(bucketOf)), ...ofOptional(translation, table.accesses, bucketOf));
  }
  return { list: grouped(list.map(tidied).filter(isDemanding)), omitted: translation.omitted };
}

/** Whether each call makes an access of the row. */
function isCertain({ needed, omitted }: AccessRow): boolean {
  return needed && Object.values(omitted).every((said) => said !== 'none');
}

/** Most rules that are compared with each other. */
const mostCompared = 64;

/** Without rules that hold for nothing beyond what another one holds for: these give no value to fill in either. */
function tidied({ allow, deny }: Demand): Demand {
  if (allow.length > mostCompared) return { allow, deny };
  const left: Part[] = [];
  for (const part of allow) {
    if (left.some((other) => holdsAll(other, part))) continue;
    const others = left.filter((other) => !holdsAll(part, other));
    left.splice(0, left.length, ...others, part);
  }
  return { allow: left, deny };
}

function holdsAll(big: Part, small: Part): boolean {
  if (big.beside !== '' && big.beside !== small.beside) return false;
  if (big.cover !== undefined && big.cover.text !== small.cover?.text) return false;
  return big.said.every(({ key, set }) => {
    const other = small.said.find((one) => one.key === key);
    return other !== undefined && includes(set, other.set);
  });
}

function isDemanding({ allow, deny }: Demand): boolean {
  const free = allow.some(({ said, cover, beside }) => said.length === 0 && cover === undefined && beside === '');
  return !free || deny.length > 0;
}

function ofRow(translation: Translation, bucket: Bucket | undefined, row: AccessRow | undefined): Demand {
  const allow = (bucket?.allow ?? []).filter(({ box }) => box.fields.every((field) => carries(row, field)));
  return {
    allow: allow.map(({ box }) => partOf(box, (field) => translation.field(row, field))),
    deny: (bucket?.deny ?? []).flatMap(({ box }) => denied(box, (field) => translation.field(row, field))),
  };
}

function carries(row: AccessRow | undefined, { path, key, ifCarried }: FieldSet): boolean {
  return path !== undefined || ifCarried || (row !== undefined && Object.hasOwn(row.fields, key));
}

/** Some access is made, of whichever verb: its rule is one of all, and its fields are not known. */
function ofSome(buckets: readonly (Bucket | undefined)[]): Demand {
  const allow = buckets.flatMap((bucket) => bucket?.allow ?? []);
  const [first, ...rest] = buckets.map((bucket) => new Set(bucket?.deny.map(({ box }) => box)));
  const deny = [...(first ?? [])].filter((box) => rest.every((boxes) => boxes.has(box)));
  return {
    allow: allow.map(({ box }) => partOf(box, rawField)),
    deny: deny.flatMap((box) => denied(box, rawField)),
  };
}

/** Of rows that only some calls make, those of one field: whoever gives its argument makes the access. */
function ofOptional(
  translation: Translation,
  rows: readonly AccessRow[],
  bucketOf: (verb: AccessRow['verb']) => Bucket | undefined,
): readonly Demand[] {
  return rows.flatMap((row) => {
    const [name, second] = Object.keys(row.fields);
    if (name === undefined || second !== undefined) return [];
    const allow = (bucketOf(row.verb)?.allow ?? []).map(({ box }) => {
      const of = box.fields.filter(({ path, key }) => path === undefined && key === name);
      const said = of.flatMap((field) => translation.optional(row, field) ?? []);
      return { cover: undefined, beside: '', said };
    });
    return [{ allow, deny: [] }];
  });
}

type Translate = (field: FieldSet) => readonly Said[] | undefined;

function rawField({ key, path, view = 'raw', set }: FieldSet): readonly Said[] | undefined {
  return path && [{ key, path, view, set, elsewhere: false }];
}

function partOf(box: Box, translate: Translate): Part {
  const said: Said[] = [];
  const beside: string[] = [];
  for (const field of box.fields) {
    const one = translate(field);
    if (one === undefined) beside.push(`${field.key}=${fingerprint(field.set)}`);
    else said.push(...one);
  }
  return { said: joined(said), cover: box.cover, beside: beside.sort().join(';') };
}

/** A denial that arguments show as they are sent; any other one is left to the call. */
function denied(box: Box, translate: Translate): readonly Part[] {
  const said = box.fields.map(translate);
  const shown = said.flatMap((each) => (each?.length === 1 && each[0]?.view === 'raw' ? each : []));
  if (shown.length < said.length) return [];
  return [{ said: joined(shown), cover: undefined, beside: '' }];
}

function joined(said: readonly Said[]): readonly Said[] {
  const byKey = new Map<string, Said>();
  for (const one of said) {
    const before = byKey.get(one.key);
    byKey.set(one.key, before === undefined ? one : { ...one, set: and(before.set, one.set) });
  }
  return [...byKey.values()];
}

/** Where other arguments may give a field its value, the argument may be left out, unless only one value is allowed at all. */
function grouped(list: readonly Demand[]): readonly Demand[] {
  const keys = new Set(list.flatMap(({ allow }) => allow.flatMap(({ said }) => said.filter((one) => one.elsewhere).map(({ key }) => key))));
  const several = new Set([...keys].filter((key) => scalars(allowedIn(list, key), 1)?.length !== 1));
  if (several.size === 0) return list;
  return list.map(({ allow, deny }) => ({
    deny,
    allow: allow.map((part) => ({
      ...part,
      said: part.said.map((one) => (several.has(one.key) ? orMissing(one) : one)),
    })),
  }));
}

/** What all demands together leave of a key, whatever else holds. */
export function allowedIn(list: readonly Demand[], key: string): ValueSet {
  return list.map(({ allow }) => leftBy(allow, key)).reduce<ValueSet>(and, everythingSet);
}

function leftBy(parts: readonly Part[], key: string): ValueSet {
  const sets = parts.map(({ said }) => said.find((one) => one.key === key)?.set ?? everythingSet);
  return sets.reduce<ValueSet>(or, nothingSet);
}
