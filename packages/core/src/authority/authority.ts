/** Authority: a set of accesses, as rules over boxes, found by (tool, verb). */
import type { Layer, ToolName } from '../ground/index.js';
import type { Box } from './box.js';
import type { Verb } from './region.js';

/** How freely a call may go: without asking, once approved for the session, or approved each time. */
export type Level = 'permit' | 'session' | 'once';

/** Levels from the freest to the least free; the three nested sets are "at least as free as". */
export const levels: readonly Level[] = Object.freeze(['permit', 'session', 'once']);

/** The less free of two levels. */
export function lower(a: Level, b: Level): Level {
  return levels.indexOf(a) >= levels.indexOf(b) ? a : b;
}

/** One rule for one (tool, verb). Several rules may share the document path of one line of the document. */
export interface Rule {
  /** Path in the document: `agents.a.allow[2]`. */
  readonly rule: string;
  readonly level: Level;
  readonly box: Box;
  /** How many calls it may admit in a session, all rules of one document path together; absent: any number. */
  readonly uses?: number;
}

/** What is said of one (tool, verb). `ask` caps the level of what it meets; `deny` takes away what it meets. */
export interface Bucket {
  /** The freest first; among equals in the order of the document, which decides only which rule is named. */
  readonly allow: readonly Rule[];
  readonly ask: readonly Rule[];
  readonly deny: readonly Rule[];
}

/**
 * A set of accesses in three nested levels: (the union of `allow` of at least that level, less `ask` of a lower level), less
 * `deny`. `layer` says who refuses what is outside.
 */
export interface Authority {
  readonly layer: Layer;
  /** What it is about, where what is stored of that cannot be read: then it admits nothing, and refusals say so. */
  readonly unreadable?: string;
  /** The bucket of (tool, verb); undefined where nothing is allowed. The same answer each time. */
  bucket(tool: ToolName, verb: Verb): Bucket | undefined;
}

/** An authority from its buckets. */
export function authorityOf(
  layer: Layer,
  buckets: ReadonlyMap<ToolName, ReadonlyMap<Verb, Bucket>>,
  unreadable?: string,
): Authority {
  return Object.freeze({
    layer,
    ...(unreadable === undefined ? {} : { unreadable }),
    bucket: (tool: ToolName, verb: Verb): Bucket | undefined => buckets.get(tool)?.get(verb),
  });
}

/** Puts the freest rules first and freezes. */
export function bucketOf(
  allow: readonly Rule[],
  ask: readonly Rule[] = [],
  deny: readonly Rule[] = [],
): Bucket {
  const byLevel = [...allow].sort((a, b) => levels.indexOf(a.level) - levels.indexOf(b.level));
  return Object.freeze({
    allow: Object.freeze(byLevel),
    ask: Object.freeze([...ask]),
    deny: Object.freeze([...deny]),
  });
}
