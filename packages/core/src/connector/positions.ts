/** The arguments that rules of two policies name, cover or keep away, as positions of a comparison. */
import {
  type ArgumentPath,
  type Box,
  type RawPosition,
  type ValueSet,
  type ViewName,
  OutOfSteps,
  absentSet,
  and,
  arraysOf,
  elementsOf,
  everythingSet,
  integerSet,
  isByElement,
  missingSet,
  nothingSet,
  or,
  scalarSet,
  splitText,
  spreadOut,
  typeSet,
  viewUniverse,
} from '../authority/index.js';
import { type Json, isJsonArray, isJsonObject } from '../ground/index.js';
import { argumentName } from './argument.js';
import { defaultsOn } from './default.js';
import type { ReadPlan, ToolFrame } from './frame.js';
import { type PropertyInfo, argumentPaths, propertyAt } from './schema.js';

/** How both sides read the calls of one tool. */
export interface Plans {
  readonly next: ReadPlan;
  /** Undefined: no rule of OLD concerns the tool. */
  readonly old: ReadPlan | undefined;
}

/** Most arguments whose default is told apart from the value given. */
const mostDefaults = 3;

/**
 * Every position that matters, parents before children; where a closed world stands, one for whatever nobody names. Arguments
 * with a default that some list looks at are told apart: one list of positions for each way to give them or leave them out.
 */
export function rawPositions(
  frame: ToolFrame,
  boxes: readonly Box[],
  plans: Plans,
  also: readonly ArgumentPath[],
): readonly (readonly RawPosition[])[] {
  const places = placesIn(frame, boxes, also);
  const defaulted = [...new Set(places.filter((place) => isDefaulted(frame, place, plans)).map(nameOf))];
  if (defaulted.length > mostDefaults)
    throw new OutOfSteps(`more than ${mostDefaults} defaults of ${frame.tool} matter`);
  let ways: readonly ReadonlySet<string>[] = [new Set()];
  for (const name of defaulted) ways = ways.flatMap((way) => [way, new Set([...way, name])]);
  return ways.map((left) =>
    places.map((place) => {
      const name = nameOf(place);
      if (left.has(name)) return leftOut(frame, place, plans);
      return positionAt(frame, place, defaulted.includes(name));
    }),
  );
}

type RawPlace = Pick<RawPosition, 'path' | 'view' | 'byElement'>;

function nameOf({ path }: RawPlace): string {
  return argumentName(path);
}

function keyOf({ path, view }: RawPlace): string {
  return view === 'raw' ? argumentName(path) : `${argumentName(path)}|${view}`;
}

function placesIn(
  frame: ToolFrame,
  boxes: readonly Box[],
  also: readonly ArgumentPath[],
): readonly RawPlace[] {
  const told = toldBy(boxes);
  const named = distinct([...told.fields.values()].map(({ path }) => path).concat(told.covered, also));
  const paths = told.closed ? [...named, ...requiredPaths(frame, named), ...otherPaths(frame, named)] : named;
  const all = distinct(paths.flatMap((path) => path.map((_, at) => path.slice(0, at + 1))));
  const fields = [...told.fields.values()];
  const places = all.flatMap((path) => {
    const near = fields.filter((field) => isNear(field.path, path));
    const byElement = near.every((field) => field.byElement);
    const views = new Set<ViewName>(['raw']);
    for (const field of near) if (field.path.length === path.length) views.add(field.view);
    return [...views].map((view) => ({ path, view, byElement }));
  });
  return places.sort((a, b) => a.path.length - b.path.length);
}

function looksAt(plan: ReadPlan | undefined, place: RawPlace): boolean {
  const key = keyOf(place);
  return plan?.raw.some((planned) => planned.key === key && planned.constrained) === true;
}

function isDefaulted(frame: ToolFrame, place: RawPlace, { next, old }: Plans): boolean {
  return (
    (looksAt(next, place) || looksAt(old, place)) && defaultSet(frame, place.path, place.view) !== undefined
  );
}

/** The argument is left out: each side takes the default where it looks, and an absence where it does not. */
function leftOut(frame: ToolFrame, place: RawPlace, { next, old }: Plans): RawPosition {
  const taken = (plan: ReadPlan | undefined): ValueSet =>
    (looksAt(plan, place) ? defaultSet(frame, place.path, place.view) : undefined) ?? missingSet;
  const left = { next: taken(next), old: taken(old) };
  return { ...place, key: keyOf(place), universe: left.next, leftOut: left };
}

/** What can stand there; `given`: it is not left out. */
function positionAt(frame: ToolFrame, place: RawPlace, given: boolean): RawPosition {
  const { path, view, byElement } = place;
  const seen = universeIn(view, placeSet(frame, path), frame);
  const all = byElement ? elementsOf(seen) : seen;
  return { ...place, key: keyOf(place), universe: given ? and(all, presentSetOf) : all };
}

/** What the rules say of one argument in one view. */
interface ToldField {
  readonly path: ArgumentPath;
  readonly view: ViewName;
  /** Whether every rule tells lists by their elements alone. */
  byElement: boolean;
}

interface Told {
  readonly fields: ReadonlyMap<string, ToldField>;
  /** Paths that closed worlds name or free. */
  readonly covered: readonly ArgumentPath[];
  readonly closed: boolean;
}

function toldBy(boxes: readonly Box[]): Told {
  const fields = new Map<string, ToldField>();
  const covers = new Map<string, readonly ArgumentPath[]>();
  for (const box of boxes) {
    if (box.cover !== undefined) covers.set(box.cover.text, box.cover.paths);
    for (const { key, path, view = 'raw', set } of box.fields) {
      if (path === undefined) continue;
      const known = fields.get(key) ?? { path, view, byElement: true };
      known.byElement &&= isByElement(set);
      fields.set(key, known);
    }
  }
  return { fields, covered: distinct([...covers.values()].flat()), closed: covers.size > 0 };
}

function distinct(paths: readonly ArgumentPath[]): readonly ArgumentPath[] {
  return [...new Map(paths.map((path) => [JSON.stringify(path), path])).values()];
}

/** Required arguments that no rule names: they cannot be absent. */
function requiredPaths({ schema }: ToolFrame, named: readonly ArgumentPath[]): readonly ArgumentPath[] {
  if (schema === undefined) return [];
  const top = new Set(named.map(([name]) => name));
  return propertyNames(schema, [])
    .filter((name) => !top.has(name) && !propertyAt(schema, [name]).optional)
    .map((name) => [name]);
}

/** One argument, at every depth that rules step into, that stands for all that no rule names. */
function otherPaths(frame: ToolFrame, named: readonly ArgumentPath[]): readonly ArgumentPath[] {
  const parents = distinct([[], ...named.flatMap((path) => path.map((_, at) => path.slice(0, at)))]);
  return parents.flatMap((parent) => {
    const taken = new Set(
      named.filter((path) => startsWith(path, parent)).map((path) => path[parent.length]),
    );
    const other = otherName(frame, parent, taken);
    return other === undefined ? [] : [[...parent, other]];
  });
}

function startsWith(path: ArgumentPath, start: ArgumentPath): boolean {
  return path.length > start.length && start.every((name, at) => name === path[at]);
}

function otherName(
  { schema }: ToolFrame,
  parent: ArgumentPath,
  taken: ReadonlySet<string | undefined>,
): string | undefined {
  const free = freshNames.find((name) => !taken.has(name)) ?? 'other';
  if (schema === undefined) return free;
  const listed = propertyNames(schema, parent).find(
    (name) => !taken.has(name) && propertyAt(schema, [...parent, name]).optional,
  );
  if (listed !== undefined) return listed;
  return propertyAt(schema, [...parent, free]).known === 'no' ? undefined : free;
}

const freshNames: readonly string[] = ['other', 'another', 'extra', 'more', 'further'];

/** Names of the properties that a schema lists at a path. */
function propertyNames(schema: NonNullable<ToolFrame['schema']>, parent: ArgumentPath): readonly string[] {
  const below = argumentPaths(schema).filter((path) => startsWith(path, parent));
  return [...new Set(below.map((path) => path[parent.length] ?? ''))];
}

/** Whether one stands in, around or at the other. */
function isNear(other: ArgumentPath, path: ArgumentPath): boolean {
  return other.every((name, at) => at >= path.length || name === path[at]);
}

const presentSetOf: ValueSet = Object.freeze({ ...everythingSet, missing: false });

function defaultSet(frame: ToolFrame, path: ArgumentPath, view: ViewName): ValueSet | undefined {
  const own = defaultsOn(frame, path).find((each) => each.path.length === path.length);
  if (own === undefined) return undefined;
  const { value } = own;
  if (typeof value !== 'string' || view === 'raw') return valueOf(value);
  const read = splitText(view, value, frame.paths);
  return read.ok ? scalarSet(read.parts.map(({ text }) => text)) : nothingSet;
}

/** Everything that decode lets through at a place; nothing is known of what is in objects. */
export function placeSet({ schema }: ToolFrame, path: ArgumentPath): ValueSet {
  if (schema === undefined) return path.length === 1 ? topSet : everythingSet;
  const info = propertyAt(schema, path);
  if (info.known === 'no') return absentSet;
  if (info.known === 'open') return path.length === 1 ? topSet : everythingSet;
  const present = valuesAt(info);
  if (path.length === 1) return info.optional ? or(present, missingSet) : present;
  // What stands around it may be left out, or be a list.
  return spreadOut(or(present, missingSet));
}

const topSet: ValueSet = Object.freeze({ ...everythingSet, spreads: nothingSet.spreads });

/** Every value that is there and that the schema lets through. */
export function valuesAt(info: Omit<PropertyInfo, 'known' | 'optional'>): ValueSet {
  if (info.enum !== undefined) return info.enum.map(valueOf).reduce(or, nothingSet);
  const types = info.nullable ? [...info.types, 'null' as const] : info.types;
  return types
    .map((type) => {
      if (type === 'integer') return integerSet;
      if (type !== 'array' || info.items === undefined) return typeSet(type);
      return arraysOf(valuesAt(info.items));
    })
    .reduce<ValueSet>(or, nothingSet);
}

/** A set that holds the value; of structures all of that type. */
function valueOf(value: Json): ValueSet {
  if (isJsonArray(value)) return typeSet('array');
  return isJsonObject(value) ? typeSet('object') : scalarSet([value]);
}

function universeIn(view: ViewName, sent: ValueSet, { paths }: ToolFrame): ValueSet {
  if (view === 'raw') return sent;
  const seen = viewUniverse(view, paths.platform);
  return and(Object.freeze({ ...sent, text: sent.text === nothingSet.text ? sent.text : seen.text }), seen);
}
