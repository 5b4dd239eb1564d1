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

/** The inner calls of a dispatcher; one that cannot be read refuses the whole call. */
export function readInner(calls: InnerCalls | undefined, args: JsonObject): readonly InnerCall[] | Refused {
  if (calls === undefined) return [];
  const found: InnerCall[] = [];
  for (const { place, value } of outerCalls(calls, args)) {
    const inner = isJsonObject(value) ? readOne(calls, value, place) : undefined;
    if (inner === undefined)
      return new Refused(nameOf(calls), 'an inner call needs a tool, and an object of arguments');
    found.push(inner);
  }
  return found.length > 0 ? found : new Refused(nameOf(calls), 'the call names none, and the tool needs one');
}

function nameOf({ each, tool }: InnerCalls): string {
  return ['args', ...(each ?? tool)].join('.');
}

function outerCalls({ each }: InnerCalls, args: JsonObject): readonly Edit[] {
  if (each === undefined) return [{ place: [], value: args }];
  return leavesAt(args, each).leaves.flatMap(({ place, value }) =>
    isJsonArray(value)
      ? value.map((element: Json, index) => ({ place: [...place, index], value: element }))
      : [],
  );
}

function readOne(calls: InnerCalls, call: JsonObject, at: Place): InnerCall | undefined {
  const [tool] = leavesAt(call, calls.tool).leaves;
  const [inner] = leavesAt(call, calls.arguments).leaves;
  if (typeof tool?.value !== 'string' || inner === undefined) return undefined;
  const args = inner.value ?? {};
  if (!isJsonObject(args)) return undefined;
  const name = calls.server === undefined ? tool.value : `${calls.server}/${tool.value}`;
  return { tool: name, args, place: [...at, ...calls.arguments] };
}
