/** What every kind provides; a kind is one file and one line in the registry. */
import type { DocList, DocMap, DocNode, DocScalar, Json, KeyTable } from '../../ground/index.js';
import type { Constraint, KindName } from './constraint.js';
import type { CompileContext, Place, ReadContext } from './context.js';
import type { Meanings } from './meaning.js';

/** Reads a constraint inside another one; undefined: problems were pushed. */
export type ReadInner = (node: DocNode, ctx: ReadContext) => Constraint | undefined;
/** Prints a constraint inside another one. */
export type PrintInner = (constraint: Constraint, place: Place) => Json;
/** The meaning of a constraint inside another one. */
export type MeanInner = (constraint: Constraint, ctx: CompileContext) => Meanings;

/** One kind of constraint. */
export interface Kind<C extends Pick<Constraint, 'kind'>> {
  readonly name: C['kind'] & KindName;
  /** One line for the reference: what meets it, and its short form. */
  readonly help: string;
  /** Keys of its long form; no two kinds share one. */
  readonly keys: KeyTable;
  /** Whether the long form may stand on a connector's field. */
  readonly onFields: boolean;
  /** Reads a mapping that has at least one of the keys and no other; undefined: problems were pushed. */
  read(node: DocMap, ctx: ReadContext, inner: ReadInner): C | undefined;
  /**
   * Reads the short form: a scalar (`node` itself) or the scalars of a list, at the place that has the kind's name, and for
   * oneOf on raw arguments. Not given: the kind has none.
   */
  short?(ctx: ReadContext, node: DocList | DocScalar, list: readonly DocScalar[]): C | undefined;
  /** The form that {@link Kind.read}, or the place's short form, reads back. */
  toDocument(constraint: C, place: Place, inner: PrintInner): Json;
  /** The set of single values that meets it under the context's polarity. */
  meaning(constraint: C, ctx: CompileContext, inner: MeanInner): Meanings;
}
