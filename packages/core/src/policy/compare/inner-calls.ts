/** Calls of a dispatcher with a call inside that NEW admits: without one no call of it goes through, whatever was gained. */
import { Space, pieceProduct, piecesOf, sideAt } from '../../authority/index.js';
import { type InnerCalls, type ToolFrame, accessShapes, exampleCalls, putAt } from '../../connector/index.js';
import {
  type Json,
  type JsonObject,
  type ToolName,
  isJsonArray,
  isJsonObject,
  own,
  splitToolName,
} from '../../ground/index.js';
import type { ToolPolicy } from '../tool-policy.js';
import { boxesOf, questionOf } from './inclusion.js';
import type { Sides } from './judge.js';

/** Most tools that are called inside, most calls of each that are tried, and most calls that they are put into. */
const mostTools = 16;
const mostTried = 24;
const mostDrafts = 8;

/** One call inside. */
interface Inner {
  readonly tool: ToolName;
  readonly args: JsonObject;
  readonly freedom: number;
}

/** The drafts, each with calls inside; of a tool that is no dispatcher there are none. */
export function* withInnerCalls(
  { frame }: ToolPolicy,
  drafts: readonly JsonObject[],
  sides: Sides,
): Generator<JsonObject> {
  const { calls } = frame.table;
  if (calls === undefined) return;
  const inner = innerCalls(calls, sides);
  for (const draft of drafts.slice(0, mostDrafts)) {
    const said = valueAt(draft, [...(calls.each ?? []), ...calls.tool]);
    const named = inner.filter((one) => nameOf(calls, one) === said);
    for (const one of named.length > 0 ? named : inner) {
      const full = filled(frame, calls, draft, one);
      if (full !== undefined) yield full;
    }
  }
}

function nameOf({ server }: InnerCalls, { tool }: Inner): string {
  return server === undefined ? tool : splitToolName(tool).tool;
}

/** Calls that NEW admits by themselves, one of each tool, the freest first. */
function innerCalls({ server }: InnerCalls, { next, judge }: Sides): readonly Inner[] {
  const tools = next.reachable.filter(
    (tool) => server === undefined || splitToolName(tool).server === server,
  );
  const found = tools.slice(0, mostTools).flatMap((tool): readonly Inner[] => {
    const policy = next.forTool(tool);
    if (policy === undefined || policy.frame.table.calls !== undefined) return [];
    let best: Inner | undefined;
    let tried = 0;
    for (const args of plainCalls(policy)) {
      const { freedom } = judge(next, tool, args);
      if (freedom > (best?.freedom ?? 0)) best = { tool, args, freedom };
      tried += 1;
      if (best?.freedom === freest || tried === mostTried) break;
    }
    return best === undefined ? [] : [best];
  });
  return found.sort((a, b) => b.freedom - a.freedom);
}

const freest = 3;

/** Calls in what NEW allows of a tool. */
function* plainCalls(policy: ToolPolicy): Generator<JsonObject> {
  const { frame, plan } = policy;
  for (const of of accessShapes(frame, boxesOf(policy), { next: plan, old: undefined })) {
    const buckets = questionOf(of, policy, undefined).next;
    const space = new Space(of.shape);
    for (const piece of buckets === undefined
      ? []
      : piecesOf(sideAt({ space, side: 'next' }, buckets, 'once'))) {
      const gap = pieceProduct(space, piece);
      if (gap !== undefined) yield* exampleCalls({ frame, space, of, gap, others: () => [] });
    }
  }
}

/** The draft with the call inside; what it says of the arguments stays. */
function filled(
  frame: ToolFrame,
  calls: InnerCalls,
  draft: JsonObject,
  inner: Inner,
): JsonObject | undefined {
  const base = calls.each ?? [];
  const given = [...base, ...calls.arguments];
  const before = valueAt(draft, given);
  const within = before !== undefined && isJsonObject(before) ? { ...inner.args, ...before } : inner.args;
  const told = putAt(frame, draft, [...base, ...calls.tool], nameOf(calls, inner));
  return told && putAt(frame, told, given, within);
}

/** What stands at a path, in the first element of each list on the way. */
function valueAt(args: JsonObject, path: readonly string[]): Json | undefined {
  let now: Json | undefined = args;
  for (const name of path) {
    const at: Json | undefined = now !== undefined && isJsonArray(now) ? now[0] : now;
    now = at !== undefined && isJsonObject(at) ? own(at, name) : undefined;
  }
  return now;
}
