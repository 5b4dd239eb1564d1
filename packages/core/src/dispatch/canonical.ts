/** From arguments that were judged to arguments that are forwarded. */
import type { Rule } from '../authority/index.js';
import { type Reading, forwarded } from '../connector/index.js';
import { type Json, type JsonObject, isJsonArray, isJsonObject, own } from '../ground/index.js';

/** The arguments as they are forwarded when these rules admit the call. */
export function asForwarded(reading: Reading, args: JsonObject, rules: readonly Rule[]): JsonObject {
  return forwarded(reading, args, judgedKeys(reading, rules));
}

/** The same for what was given alone: what was left out stays out. The very same object where nothing has to change. */
export function givenAsForwarded(reading: Reading, args: JsonObject, rules: readonly Rule[]): JsonObject {
  const given = (edits: Reading['edits']): Reading['edits'] =>
    edits.filter(({ place }) => stands(args, place));
  const viewEdits = new Map([...reading.viewEdits].map(([key, edits]) => [key, given(edits)]));
  return asForwarded({ ...reading, edits: given(reading.edits), viewEdits }, args, rules);
}

/**
 * The keys in whose view the arguments are forwarded: those that the admitting rules judged, and those that only other
 * lists look at, unless the admitting rules judged the same argument in another view.
 */
function judgedKeys({ viewEdits }: Reading, rules: readonly Rule[]): ReadonlySet<string> {
  const judged = new Set(rules.flatMap((rule) => rule.box.fields.map((field) => field.key)));
  const alone = [...viewEdits.keys()].filter((key) => !judged.has(key.slice(0, key.lastIndexOf('|'))));
  return new Set([...judged, ...alone]);
}

function stands(at: Json | undefined, [step, ...rest]: readonly (string | number)[]): boolean {
  if (step === undefined) return at !== undefined;
  if (typeof step === 'number') return isJsonArray(at) && stands(at[step], rest);
  return isJsonObject(at) && stands(own(at, step), rest);
}
