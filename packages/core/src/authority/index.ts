/** Authority: accesses, boxes, and the operations on sets of accesses. */
export { TooManyStates } from './automaton/index.js';
export {
  type Alternative,
  type Constraint,
  type PathContext,
  type Place,
  type Polarity,
  type ReadContext,
  type Scalar,
  type Value,
  type ValueSet,
  type ViewName,
  type Vocabulary,
  Spread,
  absentSet,
  anyScalar,
  and,
  arraysOf,
  byElement,
  canonicalPath,
  canonicalText,
  compileConstraint,
  constraintToDocument,
  elementsOf,
  escapeGlob,
  everythingSet,
  hostOfUrl,
  includes,
  integerSet,
  isByElement,
  isEmpty,
  isUnbound,
  member,
  meets,
  minus,
  missing,
  missingSet,
  nothingSet,
  or,
  readConstraint,
  sample,
  scalarSet,
  scalars,
  spelledText,
  splitByName,
  spreadOut,
  textSet,
  typeSet,
  viewAt,
  viewUniverse,
} from './kind/index.js';
export { type Access } from './access.js';
export { type Answer, type Outside, admits, admitsAll } from './admits.js';
export {
  type Authority,
  type Bucket,
  type Level,
  type Rule,
  authorityOf,
  bucketOf,
  lower,
} from './authority.js';
export { type FieldSet, Box, isMissing } from './box.js';
export { type ArgumentPath, Cover } from './cover.js';
export { shortfall } from './describe.js';
export { groundsOf } from './grounds.js';
export { type Meet, meet } from './meet.js';
export { nameCells } from './names.js';
export { type Extent, type Held, type Verb, Region, verbs } from './region.js';
export { scalarValues } from './values.js';
export {
  type AccessShape,
  type CoverTree,
  type Gain,
  type LevelProof,
  type Product,
  type RawPosition,
  type Verdict,
  OutOfSteps,
  Space,
  Steps,
  andProduct,
  boxPrint,
  bucketsOf,
  piecesOf,
  prove,
  reachingMeets,
  sideAt,
  subtract,
  usualSteps,
} from './inclusion/index.js';
