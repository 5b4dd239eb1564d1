/**
 * What compiling made of a policy, so that a later compile takes over what it would make again. Everything here is frozen and
 * made by a pure function of what is given; it is taken over only where everything given is the very same.
 */
import type { References, ToolFrame } from '../connector/index.js';
import type { AgentName } from '../ground/index.js';
import type { ToolLimit } from '../ceiling/index.js';
import type { ToolRule } from './boxes.js';
import { sameData } from './same.js';
import type { ToolPolicy, ToolRules } from './tool-policy.js';
import type { Work } from './work.js';

/** Something made, and all that it was made of beside its frame. */
interface Entry<V> {
  readonly given: readonly unknown[];
  readonly made: V;
}

/** Things of one sort by frame and name. */
export class Shelf<V> {
  #now = new Map<ToolFrame, ReadonlyMap<string, Entry<V>>>();
  #growing = new Map<ToolFrame, Map<string, Entry<V>>>();
  #before: Shelf<V> | undefined;

  constructor(before: Shelf<V> | undefined) {
    this.#before = before;
  }

  /** What was made under this name of the very same; undefined: nothing was. */
  find(frame: ToolFrame, name: string, given: readonly unknown[]): Entry<V> | undefined {
    const own = this.#growing.get(frame)?.get(name);
    if (own !== undefined && same(own.given, given)) return own;
    const known = this.#before?.of(frame).get(name);
    if (known === undefined || !same(known.given, given)) return undefined;
    this.#put(frame, name, known);
    return known;
  }

  /** Keeps what was made. */
  keep(frame: ToolFrame, name: string, given: readonly unknown[], made: V): V {
    this.#put(frame, name, { given, made });
    return made;
  }

  /** As {@link find}, and makes it where it is not there. */
  take(frame: ToolFrame, name: string, given: readonly unknown[], make: () => V): V {
    const known = this.find(frame, name, given);
    return known === undefined ? this.keep(frame, name, given, make()) : known.made;
  }

  /** Everything of a frame. */
  of(frame: ToolFrame): ReadonlyMap<string, Entry<V>> {
    return this.#now.get(frame) ?? none;
  }

  /** Everything that an earlier compile kept of a frame. */
  before(frame: ToolFrame): ReadonlyMap<string, Entry<V>> {
    return this.#before?.of(frame) ?? none;
  }

  /** Ends the compile: where a frame has what it had before, it has the very same, and nothing else of before is held. */
  *close(): Work<void> {
    for (const [frame, entries] of this.#growing) {
      const known = this.before(frame);
      this.#now.set(frame, sameEntries(known, entries) ? known : entries);
      yield;
    }
    this.#growing = new Map();
    this.#before = undefined;
  }

  #put(frame: ToolFrame, name: string, entry: Entry<V>): void {
    const entries = this.#growing.get(frame) ?? new Map<string, Entry<V>>();
    this.#growing.set(frame, entries.set(name, entry));
  }
}

const none: ReadonlyMap<string, never> = new Map<string, never>();

function sameEntries(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): boolean {
  if (a.size !== b.size) return false;
  for (const [name, entry] of b) if (a.get(name) !== entry) return false;
  return true;
}

function same(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, at) => Object.is(item, b[at]));
}

/** What was made of one agent. */
export class AgentParts {
  /** Frames as the commands of the agent's rules make them, by the frame that every agent has. */
  readonly framed: Shelf<ToolFrame>;
  /** By path in the document. */
  readonly rules: Shelf<ToolRule>;
  /** Those of one tool together. */
  readonly lists: Shelf<ToolRules>;
  /** Ceiling and narrowings. */
  readonly limits: Shelf<readonly ToolLimit[]>;
  /** By instance. */
  readonly policies: Shelf<ToolPolicy>;

  constructor(before: AgentParts | undefined) {
    this.framed = new Shelf(before?.framed);
    this.rules = new Shelf(before?.rules);
    this.lists = new Shelf(before?.lists);
    this.limits = new Shelf(before?.limits);
    this.policies = new Shelf(before?.policies);
  }

  /** Ends the compile. */
  *close(): Work<void> {
    for (const shelf of [this.framed, this.rules, this.lists, this.limits, this.policies])
      yield* shelf.close();
  }
}

/** Everything that was made of a policy. */
export interface Made {
  readonly references: References;
  readonly agents: ReadonlyMap<AgentName, AgentParts>;
}

/** Kept beside the policy: nobody but a later compile looks at it. */
const madeOf = new WeakMap<object, Made>();

/** Keeps it, for as long as the policy lives. */
export function keepMade(policy: object, made: Made): void {
  madeOf.set(policy, made);
}

/** What was made of an earlier policy. */
export function madeBefore(policy: object | undefined): Made | undefined {
  return policy === undefined ? undefined : madeOf.get(policy);
}

/** The references of before where these say the same. */
export function sameReferences(before: References | undefined, now: References): References {
  const equal = before !== undefined && sameData(plain(before), plain(now));
  return equal ? before : now;
}

function plain({ sets, facts }: References): readonly unknown[] {
  return [[...sets], [...facts]];
}
