/** Reading the raw arguments that lists name: `args.x`, as sent or in the view of a kind. */
import {
  type ArgumentPath,
  type Scalar,
  type TextPart,
  type Value,
  Spread,
  canonicalText,
  missing,
  splitText,
  splits,
} from '../authority/index.js';
import { type Json, type JsonObject, isJsonArray } from '../ground/index.js';
import { type Edit, type Leaf, argumentName, leavesAt, withEdits } from './argument.js';
import type { ArgumentDefault, PlannedArgument, ReadPlan, ToolFrame } from './frame.js';
import { type Piece, partPiece } from './piece.js';

/** A call that cannot be read: a kind refused a constrained value, or a group yields nothing. */
export interface Unreadable {
  readonly kind: 'unreadable';
  /** `path`, `args.x`. */
  readonly field: string;
  readonly why: string;
}

/** A reading as it grows. */
export interface Draft {
  readonly frame: ToolFrame;
  readonly plan: ReadPlan;
  /** The arguments as decoded. */
  readonly args: JsonObject;
  /** The arguments with the defaults of what is constrained. */
  readonly judged: JsonObject;
  readonly edits: Edit[];
  readonly viewEdits: Map<string, readonly Edit[]>;
  readonly open: OpenField[];
  readonly selected: SelectedArgument[];
}

/** An argument that the call leaves out while another one of its group names what it stands for, as `tmux:main` does. */
export interface SelectedArgument {
  readonly path: ArgumentPath;
  readonly value: Scalar;
}

/** A field that the call leaves open, by leaving it out or by a wildcard: filling may close it. */
export interface OpenField {
  readonly key: string;
  /** The argument that would be filled; undefined where no argument can hold just the field's value. */
  readonly path: ArgumentPath | undefined;
  /** The tool needs it: left open, the call is refused as it stands. */
  readonly needed: boolean;
}

/** Why reading stopped. */
export class Refused {
  readonly unreadable: Unreadable;
  constructor(field: string, why: string) {
    this.unreadable = { kind: 'unreadable', field, why };
  }
}

/** The arguments as the tool takes them where a list constrains what was left out: with the defaults of its schema. */
export function defaultEdits(plan: ReadPlan, args: JsonObject): readonly Edit[] {
  return omissionEdits(
    plan.raw.flatMap((planned) => planned.defaults),
    args,
  );
}

/** The given defaults, outermost first, where the arguments leave out what they are for. */
export function omissionEdits(defaults: readonly ArgumentDefault[], args: JsonObject): readonly Edit[] {
  const edits: Edit[] = [];
  let judged = args;
  for (const { path, value } of defaults) {
    const omitted = leavesAt(judged, path).leaves.filter(
      (leaf) => leaf.value === undefined && leaf.place.length > 0,
    );
    const found = omitted.map(({ place }) => ({ place, value }));
    for (const edit of found) edits.push(edit);
    judged = withEdits(judged, found);
  }
  return edits;
}

/** What one planned argument gives: one piece, or in a view that splits a piece a part. */
export function rawPieces(draft: Draft, planned: PlannedArgument): readonly Piece[] | Refused {
  if (planned.constrained && splits(planned.view)) return splitPieces(draft, planned);
  const held = readRaw(draft, planned);
  return held instanceof Refused ? held : [{ key: planned.key, held }];
}

/** Most elements that the lists around the parts of an argument may have together, part for part. */
const mostElements = 65_536;

/**
 * The parts of every text in an argument. A part of a text that stands in lists is seen in lists of the same shape, all of
 * whose texts are the part: so what is said of every element, of some, or of their number stays true or false of each part.
 */
function splitPieces(draft: Draft, planned: PlannedArgument): readonly Piece[] | Refused {
  const whole = readRaw(draft, { ...planned, view: 'raw' });
  if (whole instanceof Refused) return whole;
  const field = argumentName(planned.path);
  const texts = textsIn(whole);
  const pieces: Piece[] = [];
  for (const text of texts) {
    const read = splitText(planned.view, text, draft.frame.paths);
    if (!read.ok) return new Refused(field, read.why);
    for (const part of read.parts) {
      if (pieces.length * texts.length > mostElements) return new Refused(field, 'it is too long');
      const piece = partPiece(planned.key, inPlace(whole, part), part, draft.frame.paths);
      if ('why' in piece) return new Refused(field, piece.why);
      pieces.push(piece);
    }
  }
  return pieces.length > 0 ? pieces : [{ key: planned.key, held: whole }];
}

function textsIn(value: Value): readonly string[] {
  if (value instanceof Spread) return value.elements.flatMap(textsIn);
  if (value === missing) return [];
  if (isJsonArray(value)) return value.flatMap(textsIn);
  return typeof value === 'string' ? [value] : [];
}

function inPlace(value: Value, part: TextPart): Value {
  if (value instanceof Spread) {
    return new Spread(
      value.elements.map((each) => (each === missing ? each : jsonOf(inPlace(each, part), each))),
    );
  }
  if (value === missing) return value;
  if (isJsonArray(value)) return value.map((each) => jsonOf(inPlace(each, part), each));
  return typeof value === 'string' ? part.text : value;
}

/** The value of one planned argument; canonical forms go to the edits of the draft. */
function readRaw(draft: Draft, planned: PlannedArgument): Value | Refused {
  const { leaves, spread: many } = leavesAt(draft.judged, planned.path);
  const values: Value[] = [];
  for (const leaf of leaves) {
    const value = readLeaf(draft, planned, leaf);
    if (value instanceof Refused) return value;
    values.push(value);
  }
  if (many) return new Spread(values.map((value) => (value instanceof Spread ? null : value)));
  const [value = missing] = values;
  return value;
}

/** What stands for a value of which lists ask no more than whether it is there. */
const there = true;

function readLeaf(draft: Draft, planned: PlannedArgument, { place, value }: Leaf): Value | Refused {
  if (value === undefined) return missing;
  if (!planned.constrained) return there;
  const bad = unclean(value);
  if (bad !== undefined) return new Refused(argumentName(planned.path), bad);
  return planned.view === 'raw' ? value : inView(draft, planned, { place, value });
}

function inView(draft: Draft, planned: PlannedArgument, { place, value }: Edit): Value | Refused {
  if (isJsonArray(value)) {
    const parts: Json[] = [];
    for (const [index, element] of value.entries()) {
      const part = inView(draft, planned, { place: [...place, index], value: element });
      if (part instanceof Refused) return part;
      parts.push(jsonOf(part, element));
    }
    return parts;
  }
  if (typeof value !== 'string') return value;
  const read = canonicalText(planned.view, value, draft.frame.paths);
  if (!read.ok) return new Refused(argumentName(planned.path), read.why);
  if (read.forward !== value) {
    const edits = draft.viewEdits.get(planned.key) ?? [];
    draft.viewEdits.set(planned.key, [...edits, { place, value: read.forward }]);
  }
  return read.text;
}

function jsonOf(value: Value, fallback: Json): Json {
  return value === missing || value instanceof Spread ? fallback : value;
}

/** Why a constrained string is refused as it stands, or undefined. Looks into arrays, not into objects. */
export function unclean(value: Json): string | undefined {
  if (isJsonArray(value)) return value.map(unclean).find((bad) => bad !== undefined);
  if (typeof value !== 'string') return undefined;
  if (value.includes('\u0000')) return 'it holds U+0000';
  if (/\p{Surrogate}/u.test(value)) return 'it holds a lone surrogate';
  return value === value.normalize('NFC') ? undefined : 'it is not in Unicode normal form C';
}
