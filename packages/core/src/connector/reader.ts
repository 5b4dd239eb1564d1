/** Reading a call: its arguments become accesses, under what the lists of one executor look at. */
import { type Access, type Held, Region } from '../authority/index.js';
import type { JsonObject } from '../ground/index.js';
import { type Edit, withEdits } from './argument.js';
import { innerDefaults } from './default.js';
import type { ReadPlan, ToolFrame } from './frame.js';
import { type InnerCall, readInner } from './inner.js';
import {
  type Draft,
  type OpenField,
  Refused,
  type Unreadable,
  defaultEdits,
  omissionEdits,
  readRaw,
} from './raw.js';
import { readField, unread } from './read-field.js';
import type { AccessRow } from './table.js';

/** A call that could be read. */
export interface Reading {
  readonly kind: 'read';
  /** At least one. */
  readonly accesses: readonly Access[];
  /** Changes that the forwarded arguments need whatever admits the call: defaults made explicit, paths made canonical. */
  readonly edits: readonly Edit[];
  /** Changes that belong to one key: made only if what admits the call judged the argument in that view. */
  readonly viewEdits: ReadonlyMap<string, readonly Edit[]>;
  /** Fields that the call leaves open. */
  readonly open: readonly OpenField[];
  /** Calls that the arguments of a dispatcher hold; each is judged as its own, beside this one. */
  readonly inner: readonly InnerCall[];
}

/** Reads decoded arguments. Pure; every access carries the raw arguments that the plan names. */
export function readCall(frame: ToolFrame, plan: ReadPlan, args: JsonObject): Reading | Unreadable {
  const defaults = defaultEdits(plan, args);
  const judged = withEdits(args, defaults);
  const draft: Draft = { frame, plan, args, judged, edits: [...defaults], viewEdits: new Map(), open: [] };
  const raw: [string, Held][] = [];
  for (const planned of plan.raw) {
    const value = readRaw(draft, planned);
    if (value instanceof Refused) return value.unreadable;
    raw.push([planned.key, value]);
  }
  const accesses = readRows(draft, raw);
  if (accesses instanceof Refused) return accesses.unreadable;
  const omitted = omissionEdits(innerDefaults(frame), judged);
  for (const edit of omitted) draft.edits.push(edit);
  const inner = readInner(frame.table.calls, withEdits(judged, omitted));
  if (inner instanceof Refused) return inner.unreadable;
  const { edits, viewEdits, open } = draft;
  return { kind: 'read', accesses, edits, viewEdits, open, inner };
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

/** Most accesses that one row makes of a call: lists in several fields multiply. */
const mostAccesses = 16_384;

function readRow(draft: Draft, row: AccessRow, raw: readonly [string, Held][]): readonly Access[] | Refused {
  let combinations: (readonly [string, Held])[][] = [[]];
  for (const field of Object.keys(row.fields)) {
    const values = readField(draft, row, field);
    if (values instanceof Refused) return values;
    if (combinations.length * values.length > mostAccesses) {
      return new Refused(field, `the call makes more than ${mostAccesses} accesses`);
    }
    combinations = combinations.flatMap((some) =>
      values.map((value) => (value === unread ? some : [...some, [field, value] as const])),
    );
  }
  return combinations.map((fields) => accessOf(draft, row, raw, fields));
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
