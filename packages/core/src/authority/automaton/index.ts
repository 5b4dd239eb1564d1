/** The one automaton core: regular languages of Unicode texts, exact and hash-consed. Serves matcher and prover. */
export { branches } from './branches.js';
export { languageOf } from './build.js';
export {
  type Charset,
  anyChar as anyCharacters,
  charset,
  complementChars,
  intervals,
  single,
  unionChars,
} from './charset.js';
export { foldOrbit } from './fold.js';
export { coveredTexts, meetingTexts } from './closure.js';
export { type Language, anything, nothing } from './language.js';
export { coveredGap, coversBelow, meetsBelow } from './lazy.js';
export { TooManyStates } from './limits.js';
export {
  complement,
  includes,
  intersect,
  isAll,
  isEmpty,
  minus,
  overlaps,
  union,
  unionAll,
} from './operations.js';
export { type Pattern, pattern } from './pattern.js';
export { maxPrinted, print } from './print.js';
export { residue } from './residue.js';
export { finite, sample } from './sample.js';
