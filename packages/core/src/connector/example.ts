/** Calls that would make an access of a given shape: what a comparison shows to people. Candidates only; the matcher decides. */
import {
  type Product,
  type RawPosition,
  type Scalar,
  type Space,
  type Value,
  type ValueSet,
  type Verb,
  type ViewName,
  Spread,
  and,
  commandsWith,
  member,
  minus,
  missing,
  sample,
  scalarSet,
  spelledText,
  spellingsOf,
  splitText,
  textSet,
  viewAt,
} from '../authority/index.js';
import { type Json, type JsonObject, isJsonArray, isJsonObject, own } from '../ground/index.js';
import { besideVerbs } from './command-access.js';
import type { ToolFrame } from './frame.js';
import { placeSet } from './positions.js';
import { missingRequired } from './schema.js';
import type { ToolShape } from './shapes.js';
import { type AccessRow, type Source, wordField } from './table.js';

/** What an example is made from. */
export interface ExampleParts {
  readonly frame: ToolFrame;
  readonly space: Space;
  readonly of: ToolShape;
  /** Where the access lies. */
  readonly gap: Product;
  /** Values for fields of the other rows of the tool, which the call makes as well: by verb and field, several to try. */
  readonly others: (row: AccessRow, field: string) => readonly ValueSet[];
  /** Paths that are allowed in the accesses that commands make beside their own, by verb; none unless told. */
  readonly beside?: (verb: Verb) => readonly ValueSet[];
}

/** Most calls that are tried. */
const mostCalls = 96;
/** Samples of one field that are tried. */
const mostSamples = 3;

/** Calls to try, the likeliest first. */
export function exampleCalls(parts: ExampleParts): readonly JsonObject[] {
  const { frame } = parts;
  let drafts: readonly JsonObject[] = [{}];
  for (const choices of [...rawChoices(parts), ...ownChoices(parts), ...otherChoices(parts)]) {
    if (choices.length === 0) continue;
    const next = drafts.flatMap((draft) => choices.map((choice) => choice(draft)));
    drafts = spread(
      next.filter((draft) => draft !== undefined),
      mostCalls,
    );
  }
  return drafts.map((draft) => withRequired(frame, draft));
}

/** Puts something into arguments; undefined: it does not fit there. */
type Choice = (args: JsonObject) => JsonObject | undefined;

/** At most so many of a list, from all over it. */
function spread<T>(list: readonly T[], most: number): readonly T[] {
  if (list.length <= most) return list;
  const places = new Set(Array.from({ length: most }, (_, at) => Math.floor((at * list.length) / most)));
  return list.filter((_, at) => places.has(at));
}

/** For each argument that has to be chosen, by its path: ways to give it, or to leave it out. */
function rawChoices(parts: ExampleParts): readonly (readonly Choice[])[] {
  const { space, gap } = parts;
  const groups = new Map<string, RawPosition[]>();
  for (const position of space.shape.raw) {
    const name = JSON.stringify(position.path);
    groups.set(name, [...(groups.get(name) ?? []), position]);
  }
  return [...groups.values()]
    .filter((group) => group.some(({ key }) => gap.has(key) || !space.at(gap, key).missing))
    .map((group) => choicesAt(parts, group));
}

/** Commands of a set with a word, or a redirection, that makes an access of the shape, or else one that is allowed beside. */
function commandsNaming(parts: ExampleParts, set: ValueSet): readonly Scalar[] {
  const named = pathsNamed(parts);
  const commands = named.length === 0 ? [] : textsOf(set);
  return commands
    .flatMap((command) => named.flatMap(({ verb, path }) => commandsWith(command, path, verb)))
    .filter((text) => member(set, text))
    .map((text) => spelledText('command', text));
}

function pathsNamed({ space, of, gap, beside }: ExampleParts): readonly { verb: Verb; path: string }[] {
  const { carried, verb } = of.shape;
  if (carried.has(wordField)) return textsOf(space.at(gap, wordField)).map((path) => ({ verb, path }));
  return besideVerbs.flatMap((each) =>
    (beside?.(each) ?? []).flatMap((set) => textsOf(set).slice(0, 1)).map((path) => ({ verb: each, path })),
  );
}

function textsOf(set: ValueSet): readonly string[] {
  return samplesOf(set, 'raw').filter((value) => typeof value === 'string');
}

function choicesAt(parts: ExampleParts, group: readonly RawPosition[]): readonly Choice[] {
  const { frame, space, gap } = parts;
  const path = group[0]?.path ?? [];
  const sets = group.map((position) => ({ position, set: space.at(gap, position.key) }));
  const narrowFirst = [...sets].sort(
    (a, b) => Number(b.set !== b.position.universe) - Number(a.set !== a.position.universe),
  );
  const values = narrowFirst.flatMap(({ position, set }) => [
    ...(position.view === 'command' ? commandsNaming(parts, set) : []),
    ...samplesOf(set, position.view),
  ]);
  const fits = (value: Json): boolean =>
    sets.every(({ position, set }) => holds(frame, position, set, value));
  const plain = values.filter(fits);
  const good = plain.length > 0 ? plain : otherSpellings(frame, sets).filter(fits);
  const given = (good.length > 0 ? good : values).map(
    (value): Choice =>
      (args) =>
        putAt(frame, args, path, value),
  );
  const leave: Choice = (args) => args;
  if (group.some(({ leftOut }) => leftOut !== undefined)) return [(args) => args];
  const mayLeave = sets.every(({ set }) => set.missing);
  return sets.every(({ set }) => set.missing) ? [leave, ...given] : [...given, ...(mayLeave ? [leave] : [])];
}

/** Texts of a set that mean a path of another set in a way that neither shows. */
function otherSpellings(
  { paths }: ToolFrame,
  sets: readonly { readonly position: RawPosition; readonly set: ValueSet }[],
): readonly Json[] {
  const [sent, seen] = (['raw', 'path'] as const).map((view) =>
    sets.find(({ position }) => position.view === view),
  );
  if (sent === undefined || seen === undefined) return [];
  return [
    ...textsOf(and(sent.set, textSet(seen.set.text))),
    ...textsOf(seen.set).flatMap((path) => textsOf(and(sent.set, textSet(spellingsOf(path, paths))))),
  ];
}

function holds({ paths }: ToolFrame, { view }: RawPosition, set: ValueSet, value: Json): boolean {
  if (typeof value !== 'string' || view === 'raw') return member(set, value);
  const read = splitText(view, value, paths);
  return read.ok && read.parts.every(({ text }) => member(set, text));
}

/** Samples of a set as calls spell them; never the absence. */
function samplesOf(set: ValueSet, view: ViewName): readonly Json[] {
  const found: Json[] = [];
  let rest = set;
  for (let count = 0; count < mostSamples; count++) {
    const value: Value | undefined = sample(rest);
    if (value === undefined || value === missing) break;
    found.push(spelled(value, view));
    if (typeof value === 'object') break;
    rest = minus(rest, scalarSet([value]));
  }
  return found;
}

function spelled(value: Exclude<Value, typeof missing>, view: ViewName): Json {
  if (value instanceof Spread)
    return value.elements.flatMap((each) => (each === missing ? [] : [spelled(each, view)]));
  if (isJsonArray(value)) return value.map((each) => spelled(each, view));
  return typeof value === 'string' ? spelledText(view, value) : value;
}

function ownChoices(parts: ExampleParts): readonly (readonly Choice[])[] {
  const { frame, space, of, gap } = parts;
  const { row, shape } = of;
  if (row === undefined) return [];
  const own = Object.entries(row.fields).filter(([field]) => !shape.hosts.has(field));
  return own.map(([field, sources]) => {
    const kind = frame.fields[field]?.kind ?? 'oneOf';
    if (of.unread.includes(field)) return placing(frame, sources, [unreadable[kind]]);
    if (shape.regions.get(field) === 'all') {
      const wildcard = frame.fields[field]?.vocabulary?.wildcard;
      return wildcard === undefined ? [] : placing(frame, sources, [wildcard]);
    }
    const set = space.at(gap, field);
    const commands = kind === 'command' ? commandsNaming(parts, set) : [];
    const values = [...commands, ...samplesOf(set, viewAt(kind)).filter(isScalar)];
    const apart = kind === 'host' && of.unread.some((other) => frame.fields[other]?.kind === 'url');
    // A url that names a user has a host and is refused as a url.
    return placing(frame, sources, apart ? values.map((value) => `u@${String(value)}`) : values);
  });
}

/** Texts that the kinds refuse. */
const unreadable = {
  path: '~nobody',
  host: 'a b',
  url: 'nowhere',
  email: 'nobody',
  command: "'",
  sql: "'",
  oneOf: '\u0000',
} as const;

function otherChoices({ frame, of, others }: ExampleParts): readonly (readonly Choice[])[] {
  const taken = new Set(Object.values(of.row?.fields ?? {}).flatMap((sources) => sources.map(sourceName)));
  const choices: (readonly Choice[])[] = [];
  for (const row of frame.table.accesses) {
    if (row === of.row) continue;
    for (const [field, sources] of Object.entries(row.fields)) {
      const free = sources.filter((source) => !taken.has(sourceName(source)));
      if (free.length === 0) continue;
      const view = viewAt(frame.fields[field]?.kind ?? 'oneOf');
      const values = others(row, field).flatMap((set) => samplesOf(set, view).slice(0, 1).filter(isScalar));
      choices.push(placing(frame, free, [...new Set(values)]));
    }
  }
  return choices;
}

function sourceName({ argument }: Source): string {
  return JSON.stringify(argument);
}

function isScalar(value: Json): value is Scalar {
  return typeof value !== 'object' || value === null;
}

/** Ways to put one of the values into the first source that takes it; plain ones first. */
function placing(frame: ToolFrame, sources: readonly Source[], values: readonly Scalar[]): readonly Choice[] {
  const plainFirst = [...sources].sort((a, b) => oddness(a) - oddness(b));
  return values.flatMap((value) =>
    plainFirst.slice(0, 2).map(
      (source): Choice =>
        (args) =>
          putAt(frame, args, source.argument, dressed(source, value)),
    ),
  );
}

function oddness({ prefix, ofUrl }: Source): number {
  return Number(prefix !== undefined) + Number(ofUrl === true);
}

function dressed({ prefix, ofUrl }: Source, value: Scalar): Json {
  const url = ofUrl === true ? `https://${String(value)}/` : value;
  return prefix === undefined ? url : `${String(url)}${prefix}x`;
}

/** The arguments with a value at a path: objects on the way are made, and lists of one where the schema takes only those. */
export function putAt(
  frame: ToolFrame,
  args: JsonObject,
  path: readonly string[],
  value: Json,
): JsonObject | undefined {
  return putBelow({ frame, path, value }, args, 0);
}

interface Putting {
  readonly frame: ToolFrame;
  readonly path: readonly string[];
  readonly value: Json;
}

function putBelow(putting: Putting, args: JsonObject, depth: number): JsonObject | undefined {
  const { frame, path, value } = putting;
  const name = path[depth];
  if (name === undefined) return undefined;
  const takes = placeSet(frame, path.slice(0, depth + 1));
  if (depth + 1 === path.length) return { ...args, [name]: fits(takes, value) };
  const at = own(args, name);
  const list = at === undefined ? !takes.objects && takes.arrays.length > 0 : isJsonArray(at);
  const [first] = at !== undefined && isJsonArray(at) ? at : [at];
  const inner = putBelow(putting, first !== undefined && isJsonObject(first) ? first : {}, depth + 1);
  return inner && { ...args, [name]: list ? [inner] : inner };
}

/** The value, in a list where only lists are taken. */
function fits(takes: ValueSet, value: Json): Json {
  return !member(takes, value) && member(takes, [value]) ? [value] : value;
}

/** Most required arguments that are filled in. */
const mostRequired = 24;

/** Fills in what the schema requires and no rule looks at. */
function withRequired(frame: ToolFrame, draft: JsonObject): JsonObject {
  const { schema } = frame;
  if (schema === undefined) return draft;
  let args = draft;
  for (let count = 0; count < mostRequired; count++) {
    const lacking = missingRequired(schema, args);
    const path = stepsOf(lacking ?? '');
    const next =
      lacking === undefined ? undefined : putAt(frame, args, path, plainValue(placeSet(frame, path)));
    if (next === undefined) return args;
    args = next;
  }
  return args;
}

/** The names in a path such as `edits[0].oldText`; a place in a list is stepped through. */
function stepsOf(path: string): readonly string[] {
  return path
    .replaceAll(/\[\d+\]/gu, '')
    .split('.')
    .filter((name) => name !== '');
}

/** A short value that a schema takes. */
function plainValue(set: ValueSet): Json {
  const value = sample(minus(set, emptyText)) ?? sample(set);
  return value === undefined || value === missing || value instanceof Spread ? '' : value;
}

const emptyText: ValueSet = textSet(scalarSet(['']).text);
