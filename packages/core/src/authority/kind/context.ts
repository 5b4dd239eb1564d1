/** What reading and compiling a constraint depends on. */
import type { Json, LoadProblem, Position } from '../../ground/index.js';
import type { Scalar } from './value.js';

/** Where a constraint stands: on a raw argument (`args.x`), or on a connector's field of this kind. */
export type Place = 'raw' | 'path' | 'host' | 'url' | 'email' | 'command' | 'sql' | 'oneOf';

/**
 * How a value is seen: as sent (`raw`), or with each of its strings, elements of arrays too, made canonical for a kind. In a
 * view that splits (`command`, `sql`) a string may hold several texts, each seen in an access of its own.
 */
export type ViewName = 'raw' | 'path' | 'host' | 'url' | 'email' | 'command' | 'sql';

/** The view in which a place's short form judges: fields of kind oneOf are seen as sent. */
export function viewAt(place: Place): ViewName {
  return place === 'oneOf' ? 'raw' : place;
}

/** Admitting: allow, ceiling, narrowing, grant. Refusing: deny, ask. Each `except` flips. */
export type Polarity = 'admit' | 'refuse';

/**
 * What paths of one server mean. `root` and `home` are absolute canonical paths of the platform (`/srv`; win32: `c:/srv`);
 * whoever builds a context decides `case`, insensitive by default on win32.
 */
export interface PathContext {
  readonly root?: string;
  readonly home?: string;
  readonly case: 'sensitive' | 'insensitive';
  readonly platform: 'posix' | 'win32';
}

/** Something worth telling that stops nothing. */
export interface Finding {
  readonly at: Position;
  readonly path: string;
  readonly message: string;
}

/** What a declared field of kind oneOf can hold. */
export interface Vocabulary {
  /** At least one. */
  readonly values: readonly Scalar[];
  /** The value that stands for all of them. */
  readonly wildcard?: Scalar;
}

/** What compiling needs. */
export interface CompileContext {
  readonly place: Place;
  readonly polarity: Polarity;
  readonly path: PathContext;
  /** Whether the rule constrains the field `path` too: then that judges where redirections of commands go. */
  readonly pathNamed?: boolean;
}

/** What reading needs; `problems` and `findings` are the caller's and are pushed to. */
export interface ReadContext extends CompileContext {
  readonly sets: ReadonlyMap<string, readonly Scalar[]>;
  /** Captured facts: name to the JSON of its file. */
  readonly facts: ReadonlyMap<string, Json>;
  /** At the place oneOf: what the field can hold. */
  readonly vocabulary?: Vocabulary;
  /** Whether `single` alone may stand here: in a ceiling. */
  readonly mayBeUnbound?: boolean;
  readonly problems: LoadProblem[];
  readonly findings: Finding[];
  /** Path of the constraint in the document, as `agents.a.allow[0].where.path`. */
  readonly docPath: string;
}
