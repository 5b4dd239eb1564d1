/** Reading one field of an access row: what its group of arguments names, each value canonical under the field's kind. */
import { type Held, type Scalar, Region, canonicalText, hostOfUrl } from '../authority/index.js';
import { type Json, type JsonObject, isJsonArray, isJsonObject } from '../ground/index.js';
import { type Edit, leavesAt } from './argument.js';
import { type Draft, Refused, unclean } from './raw.js';
import { propertyAt } from './schema.js';
import type { AccessRow, ConnectorField, FieldKind, Omission, Source } from './table.js';

/** Stands for a value that its kind refuses in a field that no list constrains: the access does not carry the field. */
export const unread: unique symbol = Symbol('unread');

/** One value or region a value that the call names; none: no access of this row is made. */
export type FieldValues = readonly (Held | typeof unread)[];

/** Reads a field; what it changes in the forwarded arguments, and what it leaves open, goes to the draft. */
export function readField(draft: Draft, row: AccessRow, field: string): FieldValues | Refused {
  const spec = draft.frame.fields[field];
  const sources = row.fields[field] ?? [];
  if (spec === undefined) return new Refused(field, 'its connector does not have the field');
  const values: (Held | typeof unread)[] = [];
  for (const source of sources) {
    for (const named of namedIn(draft.args, source)) {
      const value = readValue({ draft, row, field, spec }, source, named);
      if (value instanceof Refused) return value;
      values.push(value);
    }
  }
  return values.length > 0 ? values : leftOut({ draft, row, field, spec }, sources);
}

interface Asked {
  readonly draft: Draft;
  readonly row: AccessRow;
  readonly field: string;
  readonly spec: ConnectorField;
}

/** What a source names: its own value or the elements of its array; of a prefixed one only what has the prefix. */
function namedIn(args: JsonObject, source: Source): readonly Edit[] {
  const named = leavesAt(args, source.argument).leaves.flatMap(({ place, value }) =>
    value === undefined ? [] : elementsIn(value, place),
  );
  const { prefix } = source;
  return prefix === undefined
    ? named
    : named.filter(({ value }) => typeof value === 'string' && value.includes(prefix));
}

function elementsIn(value: Json, place: Edit['place']): readonly Edit[] {
  if (!isJsonArray(value)) return [{ place, value }];
  return value.flatMap((element, index) => elementsIn(element, [...place, index]));
}

function readValue(asked: Asked, source: Source, { place, value }: Edit): Held | typeof unread | Refused {
  const { draft, field, spec } = asked;
  if (source.prefix !== undefined) return asHeld(asked, beforePrefix(value, source.prefix), source);
  if (spec.vocabulary?.wildcard !== undefined && value === spec.vocabulary.wildcard) {
    draft.open.push({ key: field, path: pathOf(place), needed: false });
    return Region.everything(String(value));
  }
  if (source.argv === true && typeof value === 'string' && value.startsWith('-')) {
    return new Refused(field, 'it begins with - and goes to a command line');
  }
  return asHeld(asked, value, source, place);
}

/** The text before the first separator. */
function beforePrefix(value: Json, prefix: string): Json {
  return typeof value === 'string' ? value.slice(0, value.indexOf(prefix)) : value;
}

/** The value as its kind reads it. A place is given where the canonical form may be forwarded in the value's stead. */
function asHeld(
  { draft, row, field, spec }: Asked,
  value: Json,
  source: Source,
  place?: Edit['place'],
): Held | typeof unread | Refused {
  const constrained = draft.plan.fields.has(field);
  const read = canonical(draft, spec.kind, source, value);
  if (!read.ok) return constrained ? new Refused(field, read.why) : unread;
  if (constrained && place !== undefined && read.forward !== value) {
    draft.edits.push({ place, value: read.forward });
  }
  if (spec.kind !== 'path' || typeof read.text !== 'string') return read.text;
  if (row.extent === 'subtree') return Region.subtree(read.text);
  return row.extent === 'children' ? Region.children(read.text) : read.text;
}

type Canonical =
  | { readonly ok: true; readonly text: Json; readonly forward: Json }
  | { readonly ok: false; readonly why: string };

function canonical(draft: Draft, kind: FieldKind, source: Source, value: Json): Canonical {
  if (kind === 'oneOf') return scalar(value);
  if (typeof value !== 'string') return { ok: false, why: 'it is no text' };
  if (source.ofUrl === true) {
    const host = hostOfUrl(value);
    if (!host.ok) return host;
    return host.text === undefined
      ? { ok: false, why: 'it is no url with a host' }
      : { ok: true, text: host.text, forward: value };
  }
  if (kind !== 'path') return canonicalText(kind, value, draft.frame.paths);
  const base = baseOf(draft, source);
  if (typeof base === 'object') return base;
  const read = canonicalText('path', value, draft.frame.paths, base);
  return read.ok && source.forwardRelative === true
    ? { ...read, forward: belowBase(draft, base, read.text) }
    : read;
}

function scalar(value: Json): Canonical {
  if (isJsonObject(value) || isJsonArray(value)) return { ok: false, why: 'it is no single value' };
  const bad = unclean(value);
  return bad === undefined ? { ok: true, text: value, forward: value } : { ok: false, why: bad };
}

/** The folder from which a relative path is meant, canonical; undefined: the root. */
function baseOf({ args, frame }: Draft, { base }: Source): string | undefined | { ok: false; why: string } {
  if (base === undefined) return undefined;
  const [leaf] = leavesAt(args, base).leaves;
  if (typeof leaf?.value !== 'string') return undefined;
  const read = canonicalText('path', leaf.value, frame.paths);
  return read.ok ? read.text : read;
}

/** A path as the server takes it that wants it relative; one outside its base stays absolute. */
function belowBase({ frame }: Draft, base: string | undefined, path: string): string {
  const folder = base ?? frame.paths.root ?? '/';
  if (path === folder) return '.';
  const start = folder === '/' ? '/' : `${folder}/`;
  return path.startsWith(start) ? path.slice(start.length) : path;
}

/** What leaving the whole group out means: what the table says, the schema's default, or what its rows need. */
function leftOut(asked: Asked, sources: readonly Source[]): FieldValues | Refused {
  const { draft, row, field } = asked;
  const said = Object.hasOwn(row.omitted, field) ? row.omitted[field] : undefined;
  const plain = sources.find((source) => source.prefix === undefined && source.ofUrl !== true);
  const omission = said ?? byDefault(draft, sources) ?? (row.needed ? undefined : 'none');
  if (omission === 'none') return [];
  if (omission === 'refuse') return new Refused(field, 'it may not be left out');
  if (typeof omission === 'object') return omittedValue(asked, plain, omission.value);
  const constrained = draft.plan.fields.has(field);
  if (omission === undefined && !(constrained && plain !== undefined)) {
    return new Refused(field, 'the call names none, and the tool needs one');
  }
  draft.open.push({ key: field, path: plain?.argument, needed: omission === undefined });
  return [Region.everything('')];
}

/** The schema's default of a field that one plain argument feeds. */
function byDefault({ frame }: Draft, sources: readonly Source[]): Omission | undefined {
  const [only, second] = sources;
  if (frame.schema === undefined || only === undefined || second !== undefined || only.prefix !== undefined)
    return undefined;
  const value = propertyAt(frame.schema, only.argument).default;
  return value === undefined || value === null || typeof value === 'object' ? undefined : { value };
}

/** A value that leaving out stands for: judged, and forwarded explicitly where a list constrains it. */
function omittedValue(asked: Asked, plain: Source | undefined, value: Scalar): FieldValues | Refused {
  const { draft, field } = asked;
  const read = asHeld(asked, value, plain ?? { argument: [] });
  if (read instanceof Refused) return read;
  if (plain !== undefined && draft.plan.fields.has(field)) draft.edits.push({ place: plain.argument, value });
  return [read];
}

function pathOf(place: Edit['place']): readonly string[] | undefined {
  const names = place.filter((step) => typeof step === 'string');
  return names.length === place.length ? names : undefined;
}
