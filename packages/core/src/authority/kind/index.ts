/** Field kinds: constraints, and the exact sets of values that they mean. */
export {
  and,
  complement,
  equal,
  everythingSet,
  includes,
  isEmpty,
  maxClauses,
  minus,
  nothingSet,
  or,
  valueSet,
} from './algebra.js';
export { type Alternative, compileConstraint, everyElement, someElement } from './compile.js';
export type {
  AllConstraint,
  Constraint,
  EitherConstraint,
  ExceptConstraint,
  ItemsConstraint,
  KindName,
  NumberConstraint,
  OneOfConstraint,
  OptionalConstraint,
  PathConstraint,
  PresenceConstraint,
  TextConstraint,
} from './constraint.js';
export type {
  CompileContext,
  Finding,
  PathContext,
  Place,
  Polarity,
  ReadContext,
  ViewName,
} from './context.js';
export { printSet, sample, scalars } from './examples.js';
export { compileSet, compileText, member } from './member.js';
export { type Bounds, type NumberSet, anyNumber, interval, noNumber, points } from './number-set.js';
export { escapeGlob, followsName } from './path-glob.js';
export { type PathRegion, allPaths, below, childrenOf } from './path-language.js';
export { type CanonicalPath, canonicalPath } from './path-value.js';
export { globLanguage, splitByName } from './path.js';
export { readConstraint } from './read.js';
export { constraintToDocument } from './registry.js';
export type { ArraySet, Clause, Leaves, ValueSet } from './set-types.js';
export {
  arraySet,
  arraysOf,
  booleanSet,
  missingSet,
  nullSet,
  numberSet,
  objectSet,
  presentSet,
  spreadsOf,
  textSet,
} from './shapes.js';
export { type Missing, type Scalar, Spread, type Value, missing, spread } from './value.js';
export { viewUniverse } from './views.js';
export { typeSet } from './type-set.js';
