/** What creators and subscribers declared outside the document, entry by entry, as it is stored and becomes limits. */
import {
  type ExecutorId,
  type JsonObject,
  type LoadProblem,
  type Position,
  Expect,
  nodeOf,
} from '../ground/index.js';
import { type Limit, readLimits } from './declare.js';

/** One entry. Plain JSON; it is part of a generation, but for who declared it and when. */
export interface Declaration {
  /** An agent: an entry of its ceiling. `agent/instance`: an entry of the narrowing of that instance. */
  readonly of: ExecutorId;
  /** The connector or server that it is for. */
  readonly on: string;
  /** Field to constraint, as a document would say it. Absent where what is stored cannot be read: then it refuses. */
  readonly fields?: JsonObject;
  /** Who declared it, in the words of whoever asked. */
  readonly by?: string;
  /** Unix milliseconds. */
  readonly at?: number;
}

/** Which of the two an entry is: a subscriber declares for an instance, a creator for an agent. */
export function layerOf({ of }: Pick<Declaration, 'of'>): 'ceiling' | 'narrowing' {
  return of.includes('/') ? 'narrowing' : 'ceiling';
}

/** Where an entry is said to stand, as paths in the document are: `stored.a.ceiling.terminal`. */
export function placeOf(entry: Pick<Declaration, 'of' | 'on'>): string {
  return `stored.${entry.of}.${layerOf(entry) === 'ceiling' ? 'ceiling' : 'narrow'}.${entry.on}`;
}

/** An entry as a limit, or what is wrong with it. Its constraints are read with the tools that they concern. */
export function limitOf(entry: Declaration): Limit | LoadProblem {
  if (entry.fields === undefined) return unreadable(placeOf(entry));
  const expect = new Expect();
  const path = placeOf(entry);
  const node = nodeOf({ [entry.on]: entry.fields }, nowhere);
  const [limit] = readLimits(expect, { node, path: path.slice(0, -(entry.on.length + 1)) });
  return expect.problems[0] ?? limit ?? unreadable(path);
}

/** Position of what stands in no file. */
const nowhere: Position = Object.freeze({ line: 1, column: 1 });

function unreadable(path: string): LoadProblem {
  const [found, allowed] = ['an entry that cannot be read', 'fields with their constraints'];
  return { at: nowhere, path, found, allowed, message: `${path}: found ${found}; allowed here: ${allowed}` };
}
