/** Reading one field of an access row: what its group of arguments names, each value canonical under the field's kind. */
import {
  type ArgumentPath,
  type Held,
  type Scalar,
  Region,
  canonicalText,
  fillable,
  hostOfUrl,
  spelledText,
  splits,
  viewAt,
} from '../authority/index.js';
import { type Json, type JsonObject, isJsonArray, isJsonObject, own } from '../ground/index.js';
import { type Edit, type Leaf, argumentName, leavesAt, withEdits } from './argument.js';
import { defaultsOn } from './default.js';
import { type Draft, Refused, omissionEdits, unclean } from './raw.js';
import { propertyAt } from './schema.js';
import { selectedBy } from './selected.js';
import type { AccessRow, ConnectorField, FieldKind, Source } from './table.js';

/** Stands for a value that its kind refuses in a field that no list constrains: the access does not carry the field. */
export const unread: unique symbol = Symbol('unread');

/** One value or region a value that the call names; none: no access of this row is made. */
export type FieldValues = readonly (Held | typeof unread)[];

/** Reads a field; what it changes in the forwarded arguments, and what it leaves open, goes to the draft. */
export function readField(draft: Draft, row: AccessRow, field: string): FieldValues | Refused {
  const spec = draft.frame.fields[field];
  const sources = row.fields[field] ?? [];
  if (spec === undefined) return new Refused(field, 'its connector does not have the field');
  const args = withDefaults(draft, field, sources, Object.hasOwn(row.omitted, field));
  const asked: Asked = { draft, row, field, spec, args };
  const values = givenValues(asked, sources);
  if (values instanceof Refused) return values;
  if (values.length === 0) return leftOut(asked, sources);
  const selected = draft.plan.fields.has(field) ? selectedBy(asked, values) : undefined;
  if (selected !== undefined) draft.selected.push(selected);
  return withGaps(asked, sources, values);
}

function givenValues(asked: Asked, sources: readonly Source[]): FieldValues | Refused {
  const { args, field } = asked;
  const values: (Held | typeof unread)[] = [];
  for (const source of sources) {
    const named = namedIn(args, source.argument);
    if (source.argv === true && named.some(({ value }) => isOption(value))) {
      return new Refused(field, 'it begins with - and goes to a command line');
    }
    for (const edit of named) {
      if (source.prefix !== undefined && !holds(edit.value, source.prefix)) continue;
      const value = readValue(asked, source, edit);
      if (value instanceof Refused) return value;
      values.push(value);
    }
  }
  return values;
}

/** With what the table says of elements of lists that leave out what others of the list have. */
function withGaps(asked: Asked, sources: readonly Source[], given: FieldValues): FieldValues | Refused {
  if (!Object.hasOwn(asked.row.omitted, asked.field)) return given;
  const values = [...given];
  for (const gap of gapsIn(asked.args, sources)) {
    const more = leftOut(asked, sources, gap);
    if (more instanceof Refused) return more;
    for (const value of more) values.push(value);
  }
  return values;
}

/** Where such elements stand. */
function gapsIn(args: JsonObject, sources: readonly Source[]): readonly Edit['place'][] {
  const spreads = sources.map((source) => leavesAt(args, source.argument)).filter(({ spread }) => spread);
  const leaves = spreads.flatMap((each) => each.leaves);
  const element = ({ place }: Leaf): string => JSON.stringify(place.slice(0, -1));
  const given = new Set(leaves.filter(({ value }) => value !== undefined).map(element));
  return leaves
    .filter((leaf) => leaf.value === undefined && !(leaf.place.length > 0 && given.has(element(leaf))))
    .map(({ place }) => place);
}

/**
 * The arguments with the schema's defaults where the call leaves sources out: what the server would take is what is judged,
 * and where a list constrains the field it is forwarded explicitly. Where the table says what leaving the field out means,
 * that overrides the defaults of its sources.
 */
function withDefaults(
  draft: Draft,
  field: string,
  sources: readonly Source[],
  overridden: boolean,
): JsonObject {
  const { args, frame, plan, edits } = draft;
  const places = sources.flatMap(({ argument, base }) => [
    ...(overridden ? [] : [argument]),
    ...(base === undefined ? [] : [base]),
  ]);
  const left = places.filter((path) => !isGiven(args, path));
  if (left.length === 0) return args;
  const found = left.flatMap((path) => omissionEdits(defaultsOn(frame, path), args));
  if (plan.fields.has(field)) for (const edit of found) edits.push(edit);
  return withEdits(args, found);
}

interface Asked {
  readonly draft: Draft;
  readonly row: AccessRow;
  readonly field: string;
  readonly spec: ConnectorField;
  /** The call's arguments with the defaults of what feeds the field. */
  readonly args: JsonObject;
}

function isGiven(args: JsonObject, [name = '', ...deeper]: ArgumentPath): boolean {
  const value = own(args, name);
  if (deeper.length === 0) return value !== undefined;
  return leavesAt(args, [name, ...deeper]).leaves.every((leaf) => leaf.value !== undefined);
}

/** What an argument names: its own value or the elements of its array. */
function namedIn(args: JsonObject, argument: ArgumentPath): readonly Edit[] {
  return leavesAt(args, argument).leaves.flatMap(({ place, value }) =>
    value === undefined ? [] : elementsIn(value, place),
  );
}

function elementsIn(value: Json, place: Edit['place']): readonly Edit[] {
  if (!isJsonArray(value)) return [{ place, value }];
  return value.flatMap((element, index) => elementsIn(element, [...place, index]));
}

/** Whether a command line would take the value for an option. */
function isOption(value: Json): boolean {
  return (typeof value === 'string' || typeof value === 'number') && String(value).startsWith('-');
}

function holds(value: Json, prefix: string): value is string {
  return typeof value === 'string' && value.includes(prefix);
}

function readValue(asked: Asked, source: Source, { place, value }: Edit): Held | typeof unread | Refused {
  const { draft, field, spec } = asked;
  const { prefix } = source;
  const named = prefix !== undefined && holds(value, prefix) ? value.slice(0, value.indexOf(prefix)) : value;
  if (spec.vocabulary?.wildcard !== undefined && named === spec.vocabulary.wildcard) {
    draft.open.push({ key: field, path: named === value ? pathOf(place) : undefined, needed: false });
    return Region.everything(String(named));
  }
  if (source.joined !== undefined) return asHeld(asked, joined(asked, source.joined, value), source);
  return prefix === undefined ? asHeld(asked, value, source, place) : asHeld(asked, named, source);
}

/** The value with what the other field names in front, unless one of that field's values stands there already. */
function joined(
  { draft, row, args }: Asked,
  { field, by }: NonNullable<Source['joined']>,
  value: Json,
): Json {
  const known = draft.frame.fields[field]?.vocabulary?.values ?? [];
  if (typeof value !== 'string' || known.some((each) => value.startsWith(`${String(each)}${by}`)))
    return value;
  const other = row.fields[field]?.find((source) => source.prefix === undefined);
  const [leaf] = other === undefined ? [] : leavesAt(args, other.argument).leaves;
  const named = leaf?.value;
  return typeof named === 'string' && known.includes(named) ? `${named}${by}${value}` : value;
}

/** The value as its kind reads it. A place is given where the canonical form may be forwarded in the value's stead. */
function asHeld(
  asked: Asked,
  value: Json,
  source: Source,
  place?: Edit['place'],
): Held | typeof unread | Refused {
  const { draft, row, field, spec } = asked;
  const constrained = draft.plan.fields.has(field);
  const read = canonical(asked, spec.kind, source, value);
  if (!read.ok) return constrained ? new Refused(field, read.why) : unread;
  if (constrained && place !== undefined) {
    if (read.forward !== value) draft.edits.push({ place, value: read.forward });
    draft.edits.push(...(read.baseEdits ?? []));
  }
  if (spec.kind !== 'path' || typeof read.text !== 'string') return read.text;
  if (row.extent === 'subtree') return Region.subtree(read.text);
  return row.extent === 'children' ? Region.children(read.text) : read.text;
}

type Canonical =
  | {
      readonly ok: true;
      readonly text: Json;
      readonly forward: Json;
      /** Of a path that is forwarded relative: how its base is forwarded. */
      readonly baseEdits?: readonly Edit[];
    }
  | { readonly ok: false; readonly why: string };

function canonical(asked: Asked, kind: FieldKind, source: Source, value: Json): Canonical {
  const { paths } = asked.draft.frame;
  if (kind === 'oneOf') return scalar(value);
  if (typeof value !== 'string') return { ok: false, why: 'it is no text' };
  // A text that may hold several stays as sent: each becomes a piece of its own.
  if (splits(viewAt(kind))) return scalar(value);
  if (source.ofUrl === true) {
    const host = hostOfUrl(value);
    if (!host.ok) return host;
    return host.text === undefined
      ? { ok: false, why: 'it is no url with a host' }
      : { ok: true, text: host.text, forward: value };
  }
  if (kind !== 'path') return canonicalText(kind, value, paths);
  const base = baseOf(asked, source);
  if (!base.ok) return base;
  const read = canonicalText('path', value, paths, base.folder);
  return read.ok && source.forwardRelative === true
    ? { ...read, forward: belowBase(asked.draft, base.folder, read.text), baseEdits: base.edits }
    : read;
}

function scalar(value: Json): Canonical {
  if (isJsonObject(value) || isJsonArray(value)) return { ok: false, why: 'it is no single value' };
  const bad = unclean(value);
  return bad === undefined ? { ok: true, text: value, forward: value } : { ok: false, why: bad };
}

type Base =
  | {
      readonly ok: true;
      /** Canonical; undefined: the root. */
      readonly folder: string | undefined;
      /** The folder as it is forwarded, absolute or relative as the call gives it. */
      readonly edits: readonly Edit[];
    }
  | { readonly ok: false; readonly why: string };

/** The folder from which a relative path is meant. */
function baseOf({ args, draft }: Asked, { base }: Source): Base {
  const [leaf] = base === undefined ? [] : leavesAt(args, base).leaves;
  if (leaf?.value === undefined) return { ok: true, folder: undefined, edits: [] };
  const { value, place } = leaf;
  if (typeof value !== 'string') return { ok: false, why: 'its base is no text' };
  const read = canonicalText('path', value, draft.frame.paths);
  if (!read.ok) return read;
  const forward = absolute.test(value) ? read.forward : belowBase(draft, undefined, read.text);
  return { ok: true, folder: read.text, edits: forward === value ? [] : [{ place, value: forward }] };
}

/** How absolute paths begin, and those below a home. */
const absolute = /^(?:[/\\~]|[A-Za-z]:)/u;

/** A path as the server takes it that wants it relative; one outside its base stays absolute. */
function belowBase({ frame }: Draft, base: string | undefined, path: string): string {
  const { root, platform } = frame.paths;
  const folder = base ?? root ?? '/';
  if (path === folder) return '.';
  const start = folder === '/' ? '/' : `${folder}/`;
  if (!path.startsWith(start)) return spelledText('path', path);
  const below = path.slice(start.length);
  return platform === 'win32' ? below.replaceAll('/', '\\') : below;
}

/**
 * What leaving the whole group out means, defaults aside: what the table says, or what the tool needs. With a gap: what leaving
 * it out of one element of a list means.
 */
function leftOut(asked: Asked, sources: readonly Source[], gap?: Edit['place']): FieldValues | Refused {
  const { draft, row, field } = asked;
  const said = Object.hasOwn(row.omitted, field) ? row.omitted[field] : undefined;
  const plain = sources.find((source) => source.prefix === undefined && source.ofUrl !== true);
  if (typeof said === 'object') return omittedValue(asked, plain, said.value, gap);
  if (said === 'refuse') return new Refused(field, 'it may not be left out');
  if (said === 'bare') return [unread];
  const needed = said === undefined && (row.needed || isRequired(draft, sources));
  return said === 'everything' || needed ? leftOpen(asked, sources, needed) : [];
}

/** Everything that the field may hold, until filling closes it; refused where the tool needs it and nothing can. */
function leftOpen(asked: Asked, sources: readonly Source[], needed: boolean): FieldValues | Refused {
  const { draft, field } = asked;
  const plain = sources.find((source) => source.prefix === undefined && source.ofUrl !== true);
  const beside = needed && !mayBeFilled(asked, sources);
  if (beside && !filledBeside(asked, sources)) {
    return new Refused(field, 'the call names none, and the tool needs one');
  }
  draft.open.push({ key: field, path: beside ? undefined : fillablePath(asked, plain), needed });
  return [Region.everything(wildcardOf(asked))];
}

function mayBeFilled({ draft, field, spec }: Asked, sources: readonly Source[]): boolean {
  const plain = sources.some((source) => source.prefix === undefined && source.ofUrl !== true);
  if (plain) return draft.plan.fields.has(field) && fillable(viewAt(spec.kind));
  return sources.some(({ ofUrl }) => ofUrl === true);
}

/** Whether filling another field of the row would give this one its value, as a target with a prefix gives a backend. */
function filledBeside({ draft, row, field }: Asked, sources: readonly Source[]): boolean {
  const feeding = new Set(sources.map(({ argument }) => argumentName(argument)));
  return Object.entries(row.fields).some(
    ([other, group]) =>
      other !== field &&
      draft.plan.fields.has(other) &&
      group.some(({ argument, prefix }) => prefix === undefined && feeding.has(argumentName(argument))),
  );
}

function fillablePath({ args }: Asked, plain: Source | undefined): ArgumentPath | undefined {
  return plain !== undefined && !leavesAt(args, plain.argument).spread ? plain.argument : undefined;
}

function wildcardOf({ spec }: Asked): string {
  return String(spec.vocabulary?.wildcard ?? '');
}

/** Whether the tool's schema requires one of the arguments: then a call that names nothing there is refused. */
function isRequired({ frame }: Draft, sources: readonly Source[]): boolean {
  const { schema } = frame;
  return schema !== undefined && sources.some(({ argument }) => !propertyAt(schema, argument).optional);
}

/** A value that leaving out stands for: judged, and forwarded explicitly where a list constrains it. */
function omittedValue(
  asked: Asked,
  plain: Source | undefined,
  value: Scalar,
  gap: Edit['place'] | undefined,
): FieldValues | Refused {
  const { draft, field, args } = asked;
  const read = asHeld(asked, value, plain ?? { argument: [] });
  if (read instanceof Refused) return read;
  if (plain !== undefined && draft.plan.fields.has(field)) {
    const places = gap === undefined ? omittedPlaces(args, plain.argument) : [gap];
    for (const place of places) if (place.length > 0) draft.edits.push({ place, value });
  }
  return [read];
}

/** Where an argument that was left out stands: in every element of a list on the way, never in the list's own place. */
function omittedPlaces(args: JsonObject, argument: ArgumentPath): readonly Edit['place'][] {
  const { leaves, spread } = leavesAt(args, argument);
  return spread ? leaves.map(({ place }) => place) : [argument];
}

function pathOf(place: Edit['place']): readonly string[] | undefined {
  const names = place.filter((step) => typeof step === 'string');
  return names.length === place.length ? names : undefined;
}
