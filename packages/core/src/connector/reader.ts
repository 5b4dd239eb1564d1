/** Reading a call: its arguments become accesses, under what the lists of one executor look at. */
import { type Access, type Extent, type Held, Region, canonicalPath } from '../authority/index.js';
import { type Json, type JsonObject, isJsonArray } from '../ground/index.js';
import { type Edit, leavesAt, withEdits } from './argument.js';
import type { ReadPlan, ToolFrame } from './frame.js';
import { type Draft, Refused, type Unreadable, defaultEdits, readRaw } from './raw.js';
import type { AccessRow, Source } from './table.js';

/** A call that could be read. */
export interface Reading {
  readonly kind: 'read';
  /** At least one. */
  readonly accesses: readonly Access[];
  /** Changes that the forwarded arguments need whatever admits the call: defaults made explicit, paths made canonical. */
  readonly edits: readonly Edit[];
  /** Changes that belong to one key: made only if what admits the call judged the argument in that view. */
  readonly viewEdits: ReadonlyMap<string, readonly Edit[]>;
}

/** Reads decoded arguments. Pure; every access carries the raw arguments that the plan names. */
export function readCall(frame: ToolFrame, plan: ReadPlan, args: JsonObject): Reading | Unreadable {
  const defaults = defaultEdits(plan, args);
  const judged = withEdits(args, defaults);
  const draft: Draft = { frame, plan, args, judged, edits: [...defaults], viewEdits: new Map() };
  const raw: [string, Held][] = [];
  for (const planned of plan.raw) {
    const value = readRaw(draft, planned);
    if (value instanceof Refused) return value.unreadable;
    raw.push([planned.key, value]);
  }
  const accesses = readRows(draft, raw);
  if (accesses instanceof Refused) return accesses.unreadable;
  return { kind: 'read', accesses, edits: draft.edits, viewEdits: draft.viewEdits };
}

/** The arguments as they are forwarded when a box that judged the given keys admits the call. */
export function forwarded(reading: Reading, args: JsonObject, keys: ReadonlySet<string>): JsonObject {
  const chosen = [...reading.viewEdits].filter(([key]) => keys.has(key)).flatMap(([, edits]) => edits);
  return withEdits(args, [...reading.edits, ...chosen]);
}

function readRows(draft: Draft, raw: readonly [string, Held][]): readonly Access[] | Refused {
  const accesses: Access[] = [];
  for (const row of draft.frame.table.accesses) {
    const read = readRow(draft, row, raw);
    if (read instanceof Refused) return read;
    accesses.push(...read);
  }
  if (accesses.length > 0) return accesses;
  return [accessOf(draft, { verb: draft.frame.table.verb, namedOnly: false }, raw, [])];
}

function readRow(draft: Draft, row: AccessRow, raw: readonly [string, Held][]): readonly Access[] | Refused {
  let combinations: (readonly [string, Held])[][] = [[]];
  for (const [field, sources] of Object.entries(row.fields)) {
    const values = readField(draft, field, row.extent, sources);
    if (values instanceof Refused) return values;
    combinations = combinations.flatMap((some) => values.map((value) => [...some, ...value]));
  }
  return combinations.map((fields) => accessOf(draft, row, raw, fields));
}

/** One entry a value; a value that its kind refuses, in a field that no list constrains, is an entry without the field. */
function readField(
  draft: Draft,
  field: string,
  extent: Extent,
  sources: readonly Source[],
): readonly (readonly [string, Held])[][] | Refused {
  const entries: (readonly [string, Held])[][] = [];
  const constrained = draft.plan.fields.has(field);
  for (const { place, value } of sources.flatMap(({ argument }) => namedIn(draft.args, argument))) {
    const read = typeof value === 'string' ? canonicalPath(value, draft.frame.paths) : noText;
    if (!read.ok && constrained) return new Refused(field, read.why);
    if (read.ok && read.path !== value && constrained) draft.edits.push({ place, value: read.path });
    entries.push(read.ok ? [[field, held(read.path, extent)]] : []);
  }
  if (entries.length > 0) return entries;
  return new Refused(field, 'the call names none, and the tool needs one');
}

const noText = { ok: false, why: 'it is no text' } as const;

/** What a source names: its own value, or the elements of its array. */
function namedIn(args: JsonObject, path: Source['argument']): readonly Edit[] {
  return leavesAt(args, path).leaves.flatMap(({ place, value }) =>
    value === undefined ? [] : elementsIn(value, place),
  );
}

function elementsIn(value: Json, place: Edit['place']): readonly Edit[] {
  if (!isJsonArray(value)) return [{ place, value }];
  return value.flatMap((element, index) => elementsIn(element, [...place, index]));
}

function held(path: string, extent: Extent): Held {
  if (extent === 'subtree') return Region.subtree(path);
  return extent === 'children' ? Region.children(path) : path;
}

function accessOf(
  draft: Draft,
  row: { verb: Access['verb']; namedOnly: boolean },
  raw: readonly [string, Held][],
  own: readonly (readonly [string, Held])[],
): Access {
  const fields = emptyFields();
  const regions: string[] = [];
  for (const [key, value] of [...own, ...raw]) {
    fields[key] = value;
    if (value instanceof Region) regions.push(key);
  }
  return {
    tool: draft.frame.tool,
    verb: row.verb,
    fields,
    args: draft.args,
    namedOnly: row.namedOnly,
    regions,
  };
}

function emptyFields(): Record<string, Held> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object without prototype holds nothing yet
  return Object.create(null) as Record<string, Held>;
}
