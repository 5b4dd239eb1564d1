/** What the accesses of a tool's calls have to meet, as demands on its arguments: one for each authority of the meet and verb. */
import {
  type ArgumentPath,
  type Bucket,
  type Cover,
  type FieldSet,
  type Rule,
  type Scalar,
  type ValueSet,
  type Verb,
  type ViewName,
  and,
  everythingSet,
  fingerprint,
  includes,
  nothingSet,
  or,
  viewAt,
} from '../../authority/index.js';
import { type AccessRow, argumentName, verbsOf } from '../../connector/index.js';
import type { ToolPolicy } from '../tool-policy.js';

/** What a rule says of one argument, in one view. */
export interface Said {
  /** `args.x`, `args.x|path`; of an argument that feeds a field of the connector `args.x<field`. */
  readonly key: string;
  readonly path: ArgumentPath;
  readonly view: ViewName;
  readonly set: ValueSet;
  /** The field, as it stands in the rule. */
  readonly field: FieldSet;
  /** Value that stands for whatever the field may hold. */
  readonly wildcard: Scalar | undefined;
}

/** One rule, as far as it speaks of arguments. */
export interface Part {
  readonly said: readonly Said[];
  /** The arguments that its closed world leaves free; undefined: all. */
  readonly cover: Cover | undefined;
  /** What it asks beside, as a text that is equal for equal demands. */
  readonly beside: string;
}

/** An access of this verb must meet one of `allow` (lists: element by element) and none of `deny`. */
export interface Demand {
  readonly factor: number;
  readonly verb: Verb;
  readonly allow: readonly Part[];
  readonly deny: readonly Part[];
}

/** All demands; a call that meets them may still be refused for what arguments cannot show. */
export interface Demands {
  /** Each call has to meet these; where no access is certain: one of any verb, whatever the connector's fields hold. */
  readonly must: readonly Demand[];
  /** Those that make the accesses of these rows, or none of any row, have to meet these. */
  readonly may: readonly Demand[];
  /** Whether `must` is of any verb. */
  readonly some: boolean;
  /** Rows of the table, as far as arguments show what they hold. */
  readonly rows: readonly TriedRow[];
}

/** A row, with the sources of its fields that hold values as they are. */
export interface TriedRow {
  readonly row: AccessRow;
  /** Each call makes an access of it. */
  readonly certain: boolean;
  /** All that its fields hold is shown. */
  readonly whole: boolean;
}

/** The demands that follow from everything that is met. None is stricter than what decides calls. */
export function demandsOf(policy: ToolPolicy): Demands {
  const { table } = policy.frame;
  const rows = table.accesses.map(triedRow);
  const certain = new Set(rows.filter((row) => row.certain).map(({ row }) => row.verb));
  const factors = [...policy.authorities.factors.keys()];
  const demand = (verb: Verb) => (factor: number) => demandFor(policy, rows, { factor, verb });
  const plain = table.accesses.length === 0 && table.commands === undefined;
  const all = [
    ...new Set([...table.accesses.map(({ verb }) => verb), ...(certain.size > 0 ? [] : [table.verb])]),
  ];
  if (certain.size > 0 || plain) {
    const sure: readonly Verb[] = certain.size > 0 ? [...certain] : [table.verb];
    return {
      rows,
      some: false,
      must: sure.flatMap((verb) => factors.map(demand(verb))),
      may: all.filter((verb) => !sure.includes(verb)).flatMap((verb) => factors.map(demand(verb))),
    };
  }
  return {
    rows,
    some: true,
    must: factors.map((factor) => someDemand(policy, factor)),
    may: all.flatMap((verb) => factors.map(demand(verb))),
  };
}

/** Whether each call makes an access of the row. */
export function isCertain({ needed, omitted }: AccessRow): boolean {
  return needed && Object.values(omitted).every((said) => said !== 'none');
}

function triedRow(row: AccessRow): TriedRow {
  const fields = Object.entries(row.fields).map(
    ([name, sources]) => [name, sources.filter(isPlain)] as const,
  );
  const tried = fields.filter(
    ([name, plain]) => plain.length > 0 && row.fields[name]?.every(isPlainOrPrefixed),
  );
  return {
    row: { ...row, fields: Object.fromEntries(tried) },
    certain: isCertain(row),
    whole:
      tried.length === fields.length &&
      tried.every(([name, plain]) => plain.length === row.fields[name]?.length),
  };
}

type Source = AccessRow['fields'][string][number];

function isPlain({ prefix, ofUrl, joined }: Source): boolean {
  return prefix === undefined && ofUrl !== true && joined === undefined;
}

function isPlainOrPrefixed(source: Source): boolean {
  return isPlain(source) || source.prefix !== undefined;
}

interface Place {
  readonly factor: number;
  readonly verb: Verb;
}

function bucketAt({ authorities, frame }: ToolPolicy, { factor, verb }: Place): Bucket | undefined {
  return authorities.factors[factor]?.bucket(frame.tool, verb);
}

function demandFor(policy: ToolPolicy, rows: readonly TriedRow[], place: Place): Demand {
  const own = policy.frame.table.accesses.filter(({ verb }) => verb === place.verb);
  const carried = new Set(own.flatMap(({ fields }) => Object.keys(fields)));
  const tried = rows.filter(({ row }) => row.verb === place.verb);
  const bucket = bucketAt(policy, place);
  const stands = ({ path, key, ifCarried }: FieldSet): boolean =>
    path !== undefined || ifCarried || carried.has(key);
  const allow = (bucket?.allow ?? []).filter(({ box }) => box.fields.every(stands));
  const deny = (bucket?.deny ?? []).filter(({ box }) => box.fields.every(stands));
  const said = (field: FieldSet): readonly Said[] | undefined => saidBy(policy, tried, field);
  return {
    ...place,
    allow: tidied(allow.map((rule) => partOf(rule, said))),
    deny: deny.flatMap((rule) => deniedPart(rule, said)),
  };
}

/** Some access is made, of whichever verb: its rule is one of all. */
function someDemand(policy: ToolPolicy, factor: number): Demand {
  const { table } = policy.frame;
  const buckets = verbsOf(table).map((verb) => bucketAt(policy, { factor, verb }));
  const said = (field: FieldSet): readonly Said[] | undefined => saidBy(policy, [], field);
  const [first, ...rest] = buckets.map((bucket) => bucket?.deny ?? []);
  const everywhere = (first ?? []).filter(({ box }) =>
    rest.every((rules) => rules.some((other) => other.box === box)),
  );
  return {
    factor,
    verb: table.verb,
    allow: tidied(buckets.flatMap((bucket) => bucket?.allow.map((rule) => partOf(rule, said)) ?? [])),
    deny: everywhere.flatMap((rule) => deniedPart(rule, said)),
  };
}

/** Undefined where arguments do not show what the field holds. */
function saidBy(
  { frame }: ToolPolicy,
  rows: readonly TriedRow[],
  field: FieldSet,
): readonly Said[] | undefined {
  const { key, path, view = 'raw', set } = field;
  if (path !== undefined) return [{ key, path, view, set, field, wildcard: undefined }];
  const spec = frame.fields[key];
  const seen = viewAt(spec?.kind ?? 'oneOf');
  const wildcard = spec?.vocabulary?.wildcard;
  const tried = rows.filter(({ row }) => Object.hasOwn(row.fields, key));
  if (tried.length === 0) return undefined;
  return tried.flatMap(({ row }) => {
    return (row.fields[key] ?? []).map((source): Said => {
      const name = `${argumentName(source.argument)}<${key}`;
      return { key: name, path: source.argument, view: seen, set, field, wildcard };
    });
  });
}

type SaidBy = (field: FieldSet) => readonly Said[] | undefined;

function partOf({ box }: Rule, saidOf: SaidBy): Part {
  const said: Said[] = [];
  const beside: string[] = [];
  for (const field of box.fields) {
    const some = saidOf(field);
    if (some === undefined) beside.push(`${field.key}=${fingerprint(field.set)}`);
    else said.push(...some);
  }
  return { said, cover: box.cover, beside: beside.sort().join(';') };
}

/** A denial that arguments show as they are sent; any other one is left to the call. */
function deniedPart({ box }: Rule, saidOf: SaidBy): readonly Part[] {
  const said = box.fields.map(saidOf);
  const shown = said.flatMap((each) => (each?.every(({ view }) => view === 'raw') === true ? each : []));
  const all = said.every((each) => each !== undefined && each.every(({ view }) => view === 'raw'));
  return all ? [{ said: shown, cover: undefined, beside: '' }] : [];
}

/** Most rules that are compared with each other. */
const mostCompared = 64;

/** Without rules that hold for nothing beyond what another one holds for: these give no value to fill in either. */
function tidied(allow: readonly Part[]): readonly Part[] {
  if (allow.length > mostCompared) return allow;
  const left: Part[] = [];
  for (const part of allow) {
    if (left.some((other) => holdsAll(other, part))) continue;
    const others = left.filter((other) => !holdsAll(part, other));
    left.splice(0, left.length, ...others, part);
  }
  return left;
}

function holdsAll(big: Part, small: Part): boolean {
  if (big.beside !== '' && big.beside !== small.beside) return false;
  if (big.cover !== undefined && big.cover.text !== small.cover?.text) return false;
  return big.said.every((one) => {
    const others = small.said.filter(({ key }) => key === one.key);
    return others.some(({ set, field }) => includes(one.set, set) && isAsOpen(one.field, field));
  });
}

function isAsOpen(big: FieldSet, small: FieldSet): boolean {
  return (big.whole === true || small.whole !== true) && (big.ifCarried || !small.ifCarried);
}

/** What all demands together leave of a key, whatever else holds. */
export function allowedIn(list: readonly Demand[], key: string): ValueSet {
  return list.map(({ allow }) => leftBy(allow, key)).reduce<ValueSet>(and, everythingSet);
}

function leftBy(parts: readonly Part[], key: string): ValueSet {
  return parts.map((part) => setIn(part, key)).reduce<ValueSet>(or, nothingSet);
}

/** What a rule leaves of a key. */
export function setIn({ said }: Part, key: string): ValueSet {
  return said
    .filter((one) => one.key === key)
    .map(({ set }) => set)
    .reduce<ValueSet>(and, everythingSet);
}
