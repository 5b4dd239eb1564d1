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
  type SimpleCommand,
  type TextPart,
  type Value,
  type ValueSet,
  type ViewName,
  type Vocabulary,
  type Word,
  Spread,
  and,
  canonicalPath,
  canonicalText,
  compileConstraint,
  constraintToDocument,
  escapeGlob,
  everythingSet,
  fillable,
  hostOfUrl,
  includes,
  isCommandText,
  isEmpty,
  isUnbound,
  member,
  missing,
  missingSet,
  namesKind,
  nothingSet,
  or,
  pathsFrom,
  readConstraint,
  scalars,
  spelledText,
  splitByName,
  splitText,
  splits,
  typeSet,
  viewAt,
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
export { type Meet, meet } from './meet.js';
export { type Extent, type Held, type Verb, Region, verbs } from './region.js';
export { scalarValues } from './values.js';
