/** Reading a call: its arguments become accesses, under what the lists of one executor look at. */
import { type Access, type Held, Region, isListed } from '../authority/index.js';
import type { JsonObject } from '../ground/index.js';
import { type Edit, withEdits } from './argument.js';
import { innerDefaults } from './default.js';
import type { ReadPlan, ToolFrame } from './frame.js';
import { type InnerCall, readInner } from './inner.js';
import {
  type Draft,
  type OpenField,
  Refused,
  type SelectedArgument,
  type Unreadable,
  defaultEdits,
  omissionEdits,
  rawPieces,
} from './raw.js';
import { fieldPieces } from './field-pieces.js';
import { type Piece, choicesOf } from './piece.js';
import { type AccessRow, wordField } from './table.js';

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
  /** Arguments left out of which another member of their group says the value. */
  readonly selected: readonly SelectedArgument[];
  /** Calls that the arguments of a dispatcher hold; each is judged as its own, beside this one. */
  readonly inner: readonly InnerCall[];
}

/**
 * Reads decoded arguments. Pure; every access carries the raw arguments that the plan names. An argument that is seen in a
 * view that splits gives every access once a part; a command line gives an access a simple command, and those of its words.
 */
export function readCall(frame: ToolFrame, plan: ReadPlan, args: JsonObject): Reading | Unreadable {
  const defaults = defaultEdits(plan, args);
  const judged = withEdits(args, defaults);
  const found = { edits: [...defaults], viewEdits: new Map(), open: [], selected: [] };
  const draft: Draft = { frame, plan, args, judged, ...found };
  const keys: (readonly Piece[])[] = [];
  for (const planned of plan.raw) {
    const pieces = rawPieces(draft, planned);
    if (pieces instanceof Refused) return pieces.unreadable;
    keys.push(pieces);
  }
  const raws = choicesOf(keys, mostAccesses);
  const accesses = raws === undefined ? tooMany('arguments') : readRows(draft, raws);
  if (accesses instanceof Refused) return accesses.unreadable;
  const omitted = omissionEdits(innerDefaults(frame), judged);
  for (const edit of omitted) draft.edits.push(edit);
  const inner = readInner(frame.table.calls, withEdits(judged, omitted));
  if (inner instanceof Refused) return inner.unreadable;
  const { edits, viewEdits, open, selected } = draft;
  return { kind: 'read', accesses, edits, viewEdits, open, selected, inner };
}

/** The arguments as they are forwarded when a box that judged the given keys admits the call. */
export function forwarded(reading: Reading, args: JsonObject, keys: ReadonlySet<string>): JsonObject {
  const chosen = [...reading.viewEdits].filter(([key]) => keys.has(key)).flatMap(([, edits]) => edits);
  return withEdits(args, [...reading.edits, ...chosen]);
}

type Choice = readonly Piece[];

/** Most accesses that one row, or all commands among the raw arguments, make of a call: lists in several fields multiply. */
const mostAccesses = 16_384;

function tooMany(field: string): Refused {
  return new Refused(field, `the call makes more than ${mostAccesses} accesses`);
}

function readRows(draft: Draft, raws: readonly Choice[]): readonly Access[] | Refused {
  const { table } = draft.frame;
  const accesses: Access[] = [];
  for (const row of table.accesses) {
    const bad = readRow(draft, row, raws, accesses);
    if (bad !== undefined) return bad;
  }
  for (const raw of raws) {
    const verb = raw.find((piece) => piece.verb !== undefined)?.verb;
    if (verb !== undefined) accesses.push(accessOf(draft, { verb, namedOnly: false }, raw, []));
    const bad = addBesides(draft, raw, [], accesses);
    if (bad !== undefined) return bad;
  }
  if (accesses.length > 0) return accesses;
  return raws.map((raw) => accessOf(draft, { verb: table.verb, namedOnly: false }, raw, []));
}

function readRow(
  draft: Draft,
  row: AccessRow,
  raws: readonly Choice[],
  accesses: Access[],
): Refused | undefined {
  const keys: Choice[] = [];
  for (const field of Object.keys(row.fields)) {
    const pieces = fieldPieces(draft, row, field);
    if (pieces instanceof Refused) return pieces;
    keys.push(pieces);
  }
  const choices = choicesOf(keys, mostAccesses);
  if (choices === undefined || choices.length * raws.length > mostAccesses) {
    return tooMany(Object.keys(row.fields).at(-1) ?? 'arguments');
  }
  for (const own of choices) {
    for (const raw of raws) {
      accesses.push(accessOf(draft, row, raw, own));
      const bad = addBesides(draft, own, raw, accesses);
      if (bad !== undefined) return bad;
    }
  }
  return undefined;
}

/** The accesses that the words and redirections of the commands among `pieces` make; each carries all of both. */
function addBesides(draft: Draft, pieces: Choice, others: Choice, accesses: Access[]): Refused | undefined {
  for (const { besides = [] } of pieces) {
    for (const { verb, path } of besides) {
      if (path === undefined && draft.plan.fields.has(wordField)) {
        return new Refused(wordField, 'a path in the command cannot be resolved');
      }
      if (accesses.length >= mostAccesses) return tooMany(wordField);
      const word: Piece = { key: wordField, held: path };
      const own = [...pieces.filter(({ key }) => key !== wordField), word];
      accesses.push(accessOf(draft, { verb, namedOnly: true }, others, own));
    }
  }
  return undefined;
}

function accessOf(
  draft: Draft,
  row: { verb: Access['verb']; namedOnly: boolean },
  raw: Choice,
  own: Choice,
): Access {
  const fields = emptyFields();
  const regions: string[] = [];
  for (const { key, held } of own) note(fields, regions, key, held);
  let lists = false;
  for (const { key, held } of raw) {
    note(fields, regions, key, held);
    lists ||= isListed(held);
  }
  return {
    tool: draft.frame.tool,
    verb: row.verb,
    fields,
    args: draft.args,
    namedOnly: row.namedOnly,
    regions,
    lists,
  };
}

function note(fields: Record<string, Held>, regions: string[], key: string, held: Held | undefined): void {
  if (held === undefined) return;
  fields[key] = held;
  if (held instanceof Region) regions.push(key);
}

function emptyFields(): Record<string, Held> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object without prototype holds nothing yet
  return Object.create(null) as Record<string, Held>;
}
