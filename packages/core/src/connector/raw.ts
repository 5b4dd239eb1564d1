/** Reading the raw arguments that lists name: `args.x`, as sent or as a path. */
import { type ArgumentPath, Spread, type Value, canonicalPath, missing } from '../authority/index.js';
import { type Json, type JsonObject, isJsonArray, isJsonObject, own } from '../ground/index.js';
import { type Edit, type Leaf, argumentName, leavesAt } from './argument.js';
import type { PlannedArgument, ReadPlan, ToolFrame } from './frame.js';
import { propertyAt } from './schema.js';

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
  readonly args: JsonObject;
  readonly edits: Edit[];
  readonly viewEdits: Map<string, readonly Edit[]>;
}

/** Why reading stopped. */
export class Refused {
  readonly unreadable: Unreadable;
  constructor(field: string, why: string) {
    this.unreadable = { kind: 'unreadable', field, why };
  }
}

/** The value of one planned argument; defaults and canonical forms go to the edits of the draft. */
export function readRaw(draft: Draft, planned: PlannedArgument): Value | Refused {
  const { leaves, spread: many } = leavesAt(draft.args, planned.path);
  const fallback = planned.constrained ? defaultOf(draft.frame, planned.path) : undefined;
  const values: Value[] = [];
  for (const leaf of leaves) {
    const value = readLeaf(draft, planned, leaf, fallback);
    if (value instanceof Refused) return value;
    values.push(value);
  }
  if (many) return new Spread(values.map((value) => (value instanceof Spread ? null : value)));
  return values[0] ?? missing;
}

function readLeaf(
  draft: Draft,
  planned: PlannedArgument,
  leaf: Leaf,
  fallback: Json | undefined,
): Value | Refused {
  let { value } = leaf;
  if (value === undefined) {
    if (fallback === undefined || leaf.place.length === 0 || !parentStands(draft.args, leaf)) return missing;
    value = fallback;
    draft.edits.push({ place: leaf.place, value });
  }
  if (!planned.constrained) return value;
  const bad = unclean(value);
  if (bad !== undefined) return new Refused(argumentName(planned.path), bad);
  return planned.view === 'raw' ? value : asPath(draft, planned, { place: leaf.place, value });
}

function parentStands(args: JsonObject, leaf: Leaf): boolean {
  let at: Json | undefined = args;
  for (const step of leaf.place.slice(0, -1)) {
    if (isJsonArray(at) && typeof step === 'number') at = at[step];
    else if (isJsonObject(at) && typeof step === 'string') at = own(at, step);
    else return false;
  }
  return isJsonObject(at);
}

function asPath(
  draft: Draft,
  planned: PlannedArgument,
  leaf: { place: Edit['place']; value: Json },
): Value | Refused {
  const { place, value } = leaf;
  if (isJsonArray(value)) {
    const parts: Json[] = [];
    for (const [index, element] of value.entries()) {
      const part = asPath(draft, planned, { place: [...place, index], value: element });
      if (part instanceof Refused) return part;
      parts.push(jsonOf(part, element));
    }
    return parts;
  }
  if (typeof value !== 'string') return value;
  const read = canonicalPath(value, draft.frame.paths);
  if (!read.ok) return new Refused(argumentName(planned.path), read.why);
  if (read.path !== value) {
    const edits = draft.viewEdits.get(planned.key) ?? [];
    draft.viewEdits.set(planned.key, [...edits, { place, value: read.path }]);
  }
  return read.path;
}

function jsonOf(value: Value, fallback: Json): Json {
  return value === missing || value instanceof Spread ? fallback : value;
}

function defaultOf(frame: ToolFrame, path: ArgumentPath): Json | undefined {
  if (frame.schema === undefined) return undefined;
  const fallback = propertyAt(frame.schema, path).default;
  return fallback === null ? undefined : fallback;
}

/** Why a constrained string is refused as it stands, or undefined. Looks into arrays, not into objects. */
function unclean(value: Json): string | undefined {
  if (isJsonArray(value)) return value.map(unclean).find((bad) => bad !== undefined);
  if (typeof value !== 'string') return undefined;
  if (value.includes('\u0000')) return 'it holds U+0000';
  if (/\p{Surrogate}/u.test(value)) return 'it holds a lone surrogate';
  return value === value.normalize('NFC') ? undefined : 'it is not in Unicode normal form C';
}
