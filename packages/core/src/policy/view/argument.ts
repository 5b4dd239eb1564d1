/** The arguments of a tool that its rules speak of, and what can be told apart at each. */
import {
  type ArgumentPath,
  type Cover,
  type Scalar,
  type ValueSet,
  type ViewName,
  and,
  listsIn,
  byElement,
  isEmpty,
  minus,
  missingSet,
  or,
  presentSet,
  scalars,
  typeSet,
  viewAt,
} from '../../authority/index.js';
import {
  type PropertyInfo,
  type ToolFrame,
  type ToolSchema,
  argumentName,
  argumentPaths,
  defaultsOn,
  propertyAt,
  requiredAround,
  valuesAt,
} from '../../connector/index.js';
import type { ToolPolicy } from '../tool-policy.js';
import { type Demand, type Demands, type Said, allowedIn } from './demand.js';

/** One argument that rules speak of. */
export interface Argument {
  readonly name: string;
  readonly path: ArgumentPath;
  readonly info: PropertyInfo;
  /** Everything that a call which gives it can have there. */
  readonly universe: ValueSet;
  /** Keys of the accesses that it feeds, by view. */
  readonly keys: readonly Pick<Said, 'key' | 'path' | 'view'>[];
  /** Values that stand for whatever a field may hold that the argument feeds. */
  readonly wildcards: readonly Scalar[];
  /** Values that are told apart beside what rules say: other arguments that feed the same field may name them. */
  readonly values: readonly Scalar[];
  /** Another argument may give its fields their value, and not just one is allowed: then it may be left out, or say no more. */
  readonly elsewhere: boolean;
  /** Another argument may give its fields their value. */
  readonly grouped: boolean;
  /** The object around it has to hold it. */
  readonly required: boolean;
  /**
   * `judged`: it stands in objects only, and whether it may be there can be tried. `loose`: it stands in lists.
   */
  readonly kind: 'judged' | 'loose';
  /** It stands for any of several arguments, of which rules say no more than whether they may be there. */
  readonly group?: Group;
}

/** Several arguments of the first level that are there or not for the same reasons. */
export interface Group {
  readonly members: readonly Argument[];
  /** With every argument that neither the schema nor any rule names: the names of all that it or they name. */
  readonly named: readonly string[] | undefined;
}

/**
 * Every argument that some demand speaks of; with closed worlds also those that these keep away, and those that are given their
 * default although the schema requires them.
 */
export function argumentsOf(
  { frame, plan }: Pick<ToolPolicy, 'frame' | 'plan'>,
  schema: ToolSchema,
  { must, may }: Pick<Demands, 'must' | 'may'>,
): readonly Argument[] {
  const list = [...must, ...may];
  const parts = list.flatMap(({ allow, deny }) => [...allow, ...deny]);
  const places = new Map<string, Place>();
  for (const one of parts.flatMap(({ said }) => said)) placeAt(places, one.path).said.push(one);
  noteRequired(places, { frame, plan }, schema);
  const covers = parts.flatMap(({ cover }) => cover ?? []);
  const named = covers.length === 0 ? [] : noteUncovered(places, schema, covers);
  noteParents(places, frame, schema);
  const all = [...places.values()].map((place) => argumentAt({ frame, schema, list }, place));
  return covers.length === 0 ? all : [...all, ...unnamed(schema, named)];
}

/** Those that may be given a default although the schema requires them. */
function noteRequired(
  places: Map<string, Place>,
  { frame, plan }: Pick<ToolPolicy, 'frame' | 'plan'>,
  schema: ToolSchema,
): void {
  for (const { path, key, view, defaults } of plan.raw)
    if (defaults.length > 0 && !propertyAt(schema, path).optional) placeAt(places, path).keys.set(key, view);
  for (const { path, field } of fedPaths(frame, plan, schema)) {
    const view = viewAt(frame.fields[field]?.kind ?? 'oneOf');
    placeAt(places, path).keys.set(`${argumentName(path)}<${field}`, view);
  }
}

/** Those that closed worlds keep away. Gives the names of all that schema and rules name. */
function noteUncovered(
  places: Map<string, Place>,
  schema: ToolSchema,
  covers: readonly Cover[],
): readonly string[] {
  const spoken = [...places.values()].map(({ path: [name = ''] }) => name);
  const listed = argumentPaths(schema).map(([name = '']) => name);
  for (const name of listed)
    if (!spoken.includes(name) || covers.some((cover) => !isCovered(cover, [name]))) placeAt(places, [name]);
  return [...spoken, ...listed];
}

/** The objects around those that such an object has to hold. */
function noteParents(places: Map<string, Place>, frame: ToolFrame, schema: ToolSchema): void {
  const paths = [...places.values()].map(({ path }) => path).filter((path) => path.length > 1);
  for (const path of paths)
    if (requiredAround(schema, path) && inObjects(frame, schema, path))
      for (const at of path.keys()) if (at > 0) placeAt(places, path.slice(0, at));
}

/** Arguments that feed constrained fields and are required: they may be given what leaving them out means. */
function fedPaths(
  { table }: ToolFrame,
  { fields }: ToolPolicy['plan'],
  schema: ToolSchema,
): readonly { readonly path: ArgumentPath; readonly field: string }[] {
  return table.accesses.flatMap((row) =>
    Object.entries(row.fields)
      .filter(([field]) => fields.has(field))
      .map(([field, sources]) => ({ field, plain: sources.filter(({ prefix }) => prefix === undefined) }))
      .filter(({ plain }) => plain.some(({ argument }) => !propertyAt(schema, argument).optional))
      .flatMap(({ field, plain }) => plain.map(({ argument }) => ({ path: argument, field }))),
  );
}

interface Place {
  readonly path: ArgumentPath;
  readonly keys: Map<string, ViewName>;
  readonly said: Said[];
}

function placeAt(places: Map<string, Place>, path: ArgumentPath): Place {
  const name = argumentName(path);
  const known = places.get(name) ?? { path, keys: new Map<string, ViewName>(), said: [] };
  places.set(name, known);
  return known;
}

interface Known {
  readonly frame: ToolFrame;
  readonly schema: ToolSchema;
  readonly list: readonly Demand[];
}

function argumentAt({ frame, schema, list }: Known, { path, keys, said }: Place): Argument {
  const name = argumentName(path);
  const info = propertyAt(schema, path);
  for (const { key, view } of said) keys.set(key, view);
  if (keys.size === 0) keys.set(name, 'raw');
  const grouped = isGrouped(frame, name);
  const fed = said.filter(({ field }) => field.path === undefined).map(({ key }) => key);
  return {
    name,
    path,
    info,
    universe: universeOf(info),
    keys: [...keys].map(([key, view]) => ({ key, path, view })),
    wildcards: [...new Set(said.flatMap(({ wildcard }) => wildcard ?? []))],
    values: said.flatMap(({ field }) => sharedValues(frame, field.key)),
    grouped,
    elsewhere:
      grouped && (fed.length === 0 || fed.some((key) => scalars(allowedIn(list, key), 1)?.length !== 1)),
    required: requiredAround(schema, path),
    kind: inObjects(frame, schema, path) ? 'judged' : 'loose',
  };
}

/** Where the schema takes arguments that it does not name: one that stands for all of them. */
function unnamed(schema: ToolSchema, named: readonly string[]): readonly Argument[] {
  const others = [...new Set(named)];
  const path = [others.reduce((fresh, name) => (name.startsWith(fresh) ? `${name}_` : fresh), 'other')];
  const info = propertyAt(schema, path);
  const name = argumentName(path);
  const keys: Argument['keys'] = [{ key: name, path, view: 'raw' }];
  const base = {
    name,
    path,
    info,
    universe: presentSet,
    keys,
    wildcards: [],
    values: [],
    grouped: false,
    elsewhere: false,
    required: false,
  };
  const group: Group = { members: [], named: others };
  return info.known === 'open' ? [{ ...base, group, kind: 'judged' }] : [];
}

/** The vocabulary of a field that several arguments feed. */
function sharedValues({ table, fields }: ToolFrame, key: string): readonly Scalar[] {
  const sources = table.accesses
    .flatMap((row) => row.fields[key] ?? [])
    .filter(({ prefix }) => prefix === undefined);
  const names = new Set(sources.map(({ argument }) => argumentName(argument)));
  return names.size > 1 ? (fields[key]?.vocabulary?.values ?? []) : [];
}

/** Whether a field that the argument feeds may get its value from a part of another one. */
function isGrouped({ table }: ToolFrame, name: string): boolean {
  const groups = table.accesses.flatMap((row) => Object.values(row.fields));
  return groups.some(
    (sources) =>
      sources.some(({ prefix }) => prefix !== undefined) &&
      sources.some(({ prefix, argument }) => prefix === undefined && argumentName(argument) === name),
  );
}

/** Whether every step before the last is an object, and nothing else, that has no default. */
function inObjects(frame: ToolFrame, schema: ToolSchema, path: ArgumentPath): boolean {
  const parents = path.slice(0, -1).map((_, at) => propertyAt(schema, path.slice(0, at + 1)));
  const plain = parents.every(
    ({ types, known }) => known === 'yes' && types.length === 1 && types[0] === 'object',
  );
  return plain && defaultsOn(frame, path).every((each) => each.path.length === path.length);
}

/** Whether a closed world leaves room for an argument. */
export function isCovered(cover: Cover | undefined, path: ArgumentPath): boolean {
  return cover === undefined || !isEmpty(minus(cover.leaves(path), missingSet));
}

/** Whether an argument stands inside another one. */
export function isWithin(inner: ArgumentPath, outer: ArgumentPath): boolean {
  return inner.length > outer.length && outer.every((name, at) => name === inner[at]);
}

/** Whether null in the argument's place means that it is left out. */
export function isAbsence(info: PropertyInfo): boolean {
  return info.optional && info.default === null;
}

/** Null that stands for an absence is none of its values. */
function universeOf(info: PropertyInfo): ValueSet {
  const values = info.known === 'yes' ? and(valuesAt(info), presentSet) : presentSet;
  const plain = or(byElement(values), listsIn(values));
  return isAbsence(info) ? minus(plain, typeSet('null')) : plain;
}
