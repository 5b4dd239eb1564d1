/**
 * Closed vocabularies: the keys that a mapping of the document may have, each with one line of help. The readers take what
 * they allow from these tables, and docs/reference/policy.md is printed from them, so the two cannot differ.
 */

/** One key. */
export interface KeyHelp {
  /** One line for the reference. */
  readonly help: string;
  /** The words that the value may be, where they are a closed list. */
  readonly words?: readonly string[];
  /** A key of the language that this version refuses because it does not enforce it yet. */
  readonly toCome?: true;
  /** What of the key this version refuses, where it is not the whole. */
  readonly partToCome?: string;
}

/** The keys of one mapping, in the order in which messages list them. */
export type KeyTable = Readonly<Record<string, KeyHelp>>;
