/** Field kinds: constraints, and the exact sets of values that they mean. */
export {
  and,
  anyElement,
  complement,
  equal,
  everythingSet,
  includes,
  isEmpty,
  meets,
  minus,
  nothingSet,
  or,
  valueSet,
} from './algebra.js';
export { fingerprint } from './fingerprint.js';
export { canonicalText, fillable, spelledText } from './canonical-text.js';
export type { SimpleCommand } from './command-read.js';
export type { Word } from './command-syntax.js';
export { commandsRunning, commandsWithout } from './command-language.js';
export { commandsWith, isCommandText } from './command-text.js';
export { spellingsOf } from './path-spelling.js';
export { pathsFrom } from './command-folders.js';
export { freeLaunchers } from './command-launchers.js';
export { type Alternative, compileConstraint, everyElement, someElement } from './compile.js';
export type {
  Constraint,
  KindName,
  NumberConstraint,
  PresenceConstraint,
  TextConstraint,
} from './constraint.js';
export type {
  PathContext,
  Place,
  Polarity,
  ReadContext,
  ViewName,
  Vocabulary,
} from './context.js';
export { printSet, sample, scalars } from './examples.js';
export { byElement, elementsOf, isByElement } from './leaf-form.js';
export { ReadySet, member } from './member.js';
export { type NumberRange, numberRanges } from './number-ranges.js';
export { interval, noNumber, points } from './number-set.js';
export { escapeGlob, followsName } from './path-glob.js';
export { type Reach, allPaths, below, childrenOf, foldersInside, foldersMeeting } from './path-language.js';
export { canonicalPath } from './path-value.js';
export { globLanguage, splitByName } from './path.js';
export { namesKind, readConstraint } from './read.js';
export { type TextPart, splitText, splits } from './split-text.js';
export { constraintToDocument } from './registry.js';
export type { Leaves, ValueSet } from './set-types.js';
export {
  absentSet,
  anyScalar,
  anyTextOf,
  arraysOf,
  integerSet,
  listsIn,
  missingSet,
  noSpreads,
  objectsOnly,
  presentSet,
  scalarSet,
  spreadOut,
  textSet,
} from './shapes.js';
export { type Missing, type Scalar, Spread, type Value, missing } from './value.js';
export { textsAnywhere, viewUniverse } from './views.js';
export { isUnbound } from './single.js';
export { type HostGrant, hostGrant, hostPatternFault, hostsWithin } from './host-grant.js';
export { hostOfUrl } from './url-text.js';
export { typeSet } from './type-set.js';
export { viewAt } from './context.js';
export { suspectTexts } from './suspects.js';
export { urlsOnHosts } from './url-pattern.js';
export { type FoldedWord, textsOutside } from './text-exceptions.js';
