/** Field kinds: constraints, and the exact sets of values that they mean. Types first; the functions follow. */
export type {
  AllConstraint, Constraint, EitherConstraint, ExceptConstraint, ItemsConstraint, KindName, NumberConstraint,
  OneOfConstraint, OptionalConstraint, PathConstraint, PresenceConstraint, TextConstraint,
} from './constraint.js';
export type { CompileContext, Finding, PathContext, Place, Polarity, ReadContext, ViewName } from './context.js';
export type { ArraySet, Clause, Leaves, ValueSet } from './set-types.js';
export { type Missing, type Scalar, Spread, type Value, missing } from './value.js';

// Signatures to come, under these names:
//   readConstraint(node: DocNode, ctx: ReadContext): Constraint | undefined      undefined: problems were pushed
//   constraintToDocument(c: Constraint, place: Place): Json
//   type Alternative = ReadonlyMap<ViewName, ValueSet>                           conjunction over views; a list is a disjunction
//   compileConstraint(c: Constraint, ctx: CompileContext): readonly Alternative[]  already lifted over arrays and spreads
//   viewUniverse(view: ViewName): ValueSet                                       every value that can be seen in the view
//   member(set, value): boolean; and(a, b), or(a, b), minus(a, b): ValueSet; complement(set): ValueSet
//   isEmpty(set), includes(big, small), equal(a, b): boolean; sample(set): Value | undefined
//   scalars(set, limit): readonly Scalar[] | undefined; printSet(set): string; compileSet(set): (value: Value) => boolean
//   everyElement(leaves: ValueSet): ValueSet; someElement(leaves: ValueSet): ValueSet
//   nothingSet, everythingSet, presentSet, missingSet: ValueSet; textSet(l: Language), numberSet(n: NumberSet), arraysOf(e: ValueSet, min?, max?)
//   canonicalPath(value: string, ctx: PathContext, base?: string): { ok: true, path } | { ok: false, why }
//   below(path), childrenOf(path): { prefix: string, tail: Language }; allPaths: Language
//   followsName(glob: string): boolean; splitByName(c: PathConstraint): { named?: PathConstraint, below?: PathConstraint }
//   from automaton: Language { id, test(s) }, union, intersect, minus, complement, isEmpty, isAll, includes, sample, finite, print,
//   coversBelow(langs, prefix, tail), meetsBelow(lang, prefix, tail), coveredGap(langs, prefix, tail): string | undefined, TooManyStates
