/** Constraints as the policy document states them: one closed union, immutable, free of context. */
import type { Effect } from '../sql/index.js';
import type { Scalar } from './value.js';

/** Exactly one of these; at least one, strings in NFC. */
export interface OneOfConstraint {
  readonly kind: 'oneOf';
  readonly values: readonly Scalar[];
}
/** A finite number within all bounds given; at least one member is given. `integer: true` only. */
export interface NumberConstraint {
  readonly kind: 'number';
  readonly min?: number;
  readonly max?: number;
  readonly above?: number;
  readonly below?: number;
  readonly integer?: boolean;
}
/** A text that meets all members given (at least one); lengths in code points. */
export interface TextConstraint {
  readonly kind: 'text';
  readonly is?: readonly string[];
  readonly prefix?: string;
  readonly suffix?: string;
  readonly glob?: string;
  readonly maxLength?: number;
}
/** A path that matches one of the globs, as written (NFC). */
export interface PathConstraint {
  readonly kind: 'path';
  readonly globs: readonly string[];
}
/** A text that matches one of the patterns of its kind, as written (NFC); at least one. */
export interface PatternsConstraint<K extends 'host' | 'url' | 'email'> {
  readonly kind: K;
  readonly patterns: readonly string[];
}
/** A host: names, label globs, addresses, blocks of addresses, named sets. */
export type HostConstraint = PatternsConstraint<'host'>;
/** A url: `scheme://host[:port]/pathglob`, or an exact one without `//`. */
export type UrlConstraint = PatternsConstraint<'url'>;
/** One plain email address. */
export type EmailConstraint = PatternsConstraint<'email'>;
/** A simple command; at least one member is given. Patterns as written (NFC); lists are not empty. */
export interface CommandConstraint {
  readonly kind: 'command';
  /** Programs: names with `*` and `?`, or paths. */
  readonly program?: readonly string[];
  /** Subcommands after known global options; several words apart by one blank. */
  readonly sub?: readonly string[];
  /** Words by position: `*` one, `**` any number. */
  readonly args?: readonly string[];
  /** Some word is one of these. */
  readonly has?: readonly string[];
  /** Names that may be assigned before the command; `any`: any. */
  readonly env?: readonly string[] | 'any';
  /** Globs of what redirections may read and write. */
  readonly redirect?: { readonly read?: readonly string[]; readonly write?: readonly string[] };
}
/** SQL of which every statement does one of these to one of these tables; at least one member is given. */
export interface SqlConstraint {
  readonly kind: 'sql';
  readonly statements?: readonly Effect[];
  /** `public.*`, as written (NFC). */
  readonly tables?: readonly string[];
  /** What names without a schema mean. */
  readonly schema?: string;
}
/** Bound to the one value that `of`, the short form of the place with one value, admits; without `of`: not bound yet. */
export interface SingleConstraint {
  readonly kind: 'single';
  readonly of?: Constraint;
}
/** `any`: absent or any value; `present`: any value; `absent`. */
export interface PresenceConstraint {
  readonly kind: 'presence';
  readonly word: 'any' | 'present' | 'absent';
}
/** Absent, or what `of` admits. */
export interface OptionalConstraint {
  readonly kind: 'optional';
  readonly of: Constraint;
}
/** Meets every part; at least one. */
export interface AllConstraint {
  readonly kind: 'all';
  readonly of: readonly Constraint[];
}
/** Meets some part; at least one. A list of constraints of one kind is read as this. */
export interface EitherConstraint {
  readonly kind: 'either';
  readonly of: readonly Constraint[];
}
/** In `in` (if not given: any present value) and outside `except`. */
export interface ExceptConstraint {
  readonly kind: 'except';
  readonly in?: Constraint;
  readonly except: Constraint;
}
/** An array; at least one member is given. */
export interface ItemsConstraint {
  readonly kind: 'items';
  readonly items?: Constraint;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** Any constraint. */
export type Constraint =
  | OneOfConstraint
  | NumberConstraint
  | TextConstraint
  | PathConstraint
  | HostConstraint
  | UrlConstraint
  | EmailConstraint
  | CommandConstraint
  | SqlConstraint
  | SingleConstraint
  | PresenceConstraint
  | OptionalConstraint
  | AllConstraint
  | EitherConstraint
  | ExceptConstraint
  | ItemsConstraint;

/** Name of a kind. */
export type KindName = Constraint['kind'];
