/** Dispatchers: calls of other tools inside the arguments of a call. */
import { type Json, type JsonObject, isJsonArray, isJsonObject } from '../ground/index.js';
import { type Edit, type Place, leavesAt } from './argument.js';
import { Refused } from './raw.js';
import type { InnerCalls } from './table.js';

/** One inner call. */
export interface InnerCall {
  /** `server/tool`; not known to exist. */
  readonly tool: string;
  readonly args: JsonObject;
  /** Where its arguments stand in those of the outer call. */
  readonly place: Place;
}

/** Most inner calls in one call. */
const mostCalls = 4_096;

/** The inner calls of a dispatcher; one that cannot be read refuses the whole call. */
export function readInner(calls: InnerCalls | undefined, args: JsonObject): readonly InnerCall[] | Refused {
  if (calls === undefined) return [];
  const found: InnerCall[] = [];
  for (const { place, value } of outerCalls(calls, args)) {
    const inner = isJsonObject(value) ? readOne(calls, value, place) : undefined;
    if (inner === undefined)
      return new Refused(nameOf(calls), 'an inner call needs a tool, and an object of arguments');
    if (found.length === mostCalls)
      return new Refused(nameOf(calls), `it holds more than ${mostCalls} calls`);
    found.push(inner);
  }
  return found.length > 0 ? found : new Refused(nameOf(calls), 'the call names none, and the tool needs one');
}

function nameOf({ each, tool }: InnerCalls): string {
  return ['args', ...(each ?? tool)].join('.');
}

/** What should be calls: the elements of every list, and what stands in the place of a list. */
function outerCalls({ each }: InnerCalls, args: JsonObject): readonly Edit[] {
  if (each === undefined) return [{ place: [], value: args }];
  return leavesAt(args, each).leaves.flatMap(({ place, value }): readonly Edit[] => {
    if (isJsonArray(value))
      return value.map((element: Json, index) => ({ place: [...place, index], value: element }));
    return value === undefined ? [] : [{ place, value: null }];
  });
}

function readOne(calls: InnerCalls, call: JsonObject, at: Place): InnerCall | undefined {
  const [tool, inner] = [leavesAt(call, calls.tool), leavesAt(call, calls.arguments)];
  if (tool.spread || inner.spread) return undefined;
  const named = tool.leaves[0]?.value;
  const args = inner.leaves[0]?.value ?? {};
  if (typeof named !== 'string' || !isJsonObject(args)) return undefined;
  const name = calls.server === undefined ? named : `${calls.server}/${named}`;
  return { tool: name, args, place: [...at, ...calls.arguments] };
}
