/** Whose ceiling: the executor's. What the document and the store declare for it, each only narrowing, tool by tool. */
import type { FieldContext, ToolFrame } from '../connector/index.js';
import { Expect } from '../ground/index.js';
import type { Limit } from './declare.js';
import { type ToolLimit, boundBy, limitForTool, refusingLimit } from './narrow.js';

/** What one place says for an executor: the document or the store, its creator or its subscriber. */
export interface LimitSource {
  readonly layer: 'ceiling' | 'narrowing';
  readonly limits: readonly Limit[];
  /** Of the store: connectors and servers of which it holds something that cannot be read. Absent for the document. */
  readonly unreadable?: ReadonlySet<string>;
}

/** A tool, and how constraints for it are read. */
export interface LimitedTool {
  readonly frame: ToolFrame;
  /** The names by which limits mean the tool: its server's, and its connector's. */
  readonly names: readonly string[];
  /** Its `expect` takes what is wrong with the document; what is wrong with the store refuses instead. */
  readonly context: FieldContext;
}

/**
 * What a call of the tool has to stay within, ceilings first: every source that says anything of it, as a factor of its own, so
 * that their intersection decides and nothing that a later one says can widen an earlier one. What cannot be read admits nothing.
 * A tool of which no source speaks costs its calls nothing.
 */
export function resolveLimits(tool: LimitedTool, sources: readonly LimitSource[]): readonly ToolLimit[] {
  if (sources.length === 0) return [];
  const of = (layer: LimitSource['layer'], bound: ReadonlySet<string>): readonly ToolLimit[] =>
    sources.filter((source) => source.layer === layer).flatMap((source) => one(tool, source, bound) ?? []);
  const narrowings = of('narrowing', nobody);
  return [...of('ceiling', boundBy(narrowings)), ...narrowings];
}

const nobody: ReadonlySet<string> = new Set();

function one(
  { frame, names, context }: LimitedTool,
  { layer, limits, unreadable }: LimitSource,
  bound: ReadonlySet<string>,
): ToolLimit | undefined {
  const broken = names.find((name) => unreadable?.has(name) === true);
  if (broken !== undefined) return refusingLimit(layer, broken);
  const own = limits.filter(({ on }) => names.includes(on));
  const expect = unreadable === undefined ? context.expect : new Expect();
  const reading = { ...context, expect, mayBeUnbound: layer === 'ceiling' };
  const limit = limitForTool(reading, { layer, limits: own, bound }, frame);
  const [on = layer] = own.map((each) => each.on);
  return unreadable !== undefined && expect.problems.length > 0 ? refusingLimit(layer, on) : limit;
}
