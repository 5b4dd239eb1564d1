/** The accesses that calls of one tool can make, as a space in which rules are boxes. */
import type { ArgumentPath } from '../cover.js';
import type { PathContext, ValueSet, ViewName } from '../kind/index.js';
import type { Extent, Verb } from '../region.js';

/** The two sides of a comparison. */
export type SideName = 'next' | 'old';

/** A raw argument that some rule looks at or keeps away, in one view. */
export interface RawPosition {
  /** Key in the accesses: `args.x`, or `args.x|path`. */
  readonly key: string;
  readonly path: ArgumentPath;
  readonly view: ViewName;
  /** Everything that can stand there; `missing` belongs to it where the argument may be left out. */
  readonly universe: ValueSet;
  /** A list counts as its elements: no rule says anything of lists as such. The empty list is nothing then. */
  readonly byElement: boolean;
  /**
   * The argument is left out, and has a default that some list looks at: what each side takes for it. The closed world of a rule
   * sees an absent argument.
   */
  readonly leftOut?: Readonly<Record<SideName, ValueSet>>;
}

/** One kind of access: what a row of the connector, or a call without any row, makes. */
export interface AccessShape {
  readonly verb: Verb;
  /** Connector fields that the accesses carry, with everything that each can hold. */
  readonly carried: ReadonlyMap<string, ValueSet>;
  /** Fields that hold the host of the url in another field: they say something of that one. */
  readonly hosts: ReadonlyMap<string, string>;
  /** Of those carried, the ones that hold a region: a folder's reach, or all that a wildcard stands for. */
  readonly regions: ReadonlyMap<string, Exclude<Extent, 'exact'>>;
  /** Whether a denial that follows the name judges only the path named. */
  readonly namedOnly: boolean;
  /** How the tool's server means paths. */
  readonly paths: PathContext;
  /** Every argument that a rule of either side names or covers, parents before children, and one for all others. */
  readonly raw: readonly RawPosition[];
}
