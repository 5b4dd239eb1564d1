/** What reading and compiling a constraint depends on. */
import type { Json, LoadProblem, Position } from '../../ground/index.js';
import type { Scalar } from './value.js';

/** Where a constraint stands: on a raw argument (`args.x`), or on a connector's field of kind path. */
export type Place = 'raw' | 'path';

/** How a value is seen: as sent (`raw`), or with each of its strings, elements of arrays too, made a canonical path. */
export type ViewName = 'raw' | 'path';

/** Admitting: allow, ceiling, narrowing, grant. Refusing: deny, ask. Each `except` flips. */
export type Polarity = 'admit' | 'refuse';

/** What paths of one server mean. `root` and `home` are absolute canonical paths; win32 is not built yet. */
export interface PathContext {
  readonly root?: string;
  readonly home?: string;
  readonly case: 'sensitive' | 'insensitive';
  readonly platform: 'posix';
}

/** Something worth telling that stops nothing. */
export interface Finding {
  readonly at: Position;
  readonly path: string;
  readonly message: string;
}

/** What compiling needs. */
export interface CompileContext {
  readonly place: Place;
  readonly polarity: Polarity;
  readonly path: PathContext;
}

/** What reading needs; `problems` and `findings` are the caller's and are pushed to. */
export interface ReadContext extends CompileContext {
  readonly sets: ReadonlyMap<string, readonly Scalar[]>;
  /** Captured facts: name to the JSON of its file. */
  readonly facts: ReadonlyMap<string, Json>;
  readonly problems: LoadProblem[];
  readonly findings: Finding[];
  /** Path of the constraint in the document, as `agents.a.allow[0].where.path`. */
  readonly docPath: string;
}
