/** The few texts that a set of texts leaves out, as words. */
import {
  type Language,
  foldOrbit,
  includes,
  isEmpty,
  languageOf,
  minus,
  pattern,
  sample,
} from '../automaton/index.js';
import type { ValueSet } from './set-types.js';

/** A word, character by character: all that may stand there. More than one: every text that folds to the same word. */
export type FoldedWord = readonly (readonly string[])[];

/** Most words that are looked for. */
const mostWords = 32;

const known = new WeakMap<Language, WeakMap<Language, readonly FoldedWord[] | 'many'>>();

/** The texts of `all` that are not in `some`; undefined where they are more than 32 words. */
export function textsOutside(some: ValueSet, all: ValueSet): readonly FoldedWord[] | undefined {
  const of = known.get(all.text) ?? new WeakMap<Language, readonly FoldedWord[] | 'many'>();
  known.set(all.text, of);
  const found = of.get(some.text) ?? wordsOf(minus(all.text, some.text)) ?? 'many';
  of.set(some.text, found);
  return found === 'many' ? undefined : found;
}

function wordsOf(language: Language): readonly FoldedWord[] | undefined {
  const words: FoldedWord[] = [];
  for (let rest = language; !isEmpty(rest); ) {
    const word = sample(rest);
    if (word === undefined || words.length === mostWords) return undefined;
    const folded = languageOf(pattern.words([word]), { fold: true });
    const isFolded = includes(rest, folded);
    words.push(Array.from(word, (char) => (isFolded ? orbitOf(char) : [char])));
    rest = minus(rest, isFolded ? folded : languageOf(pattern.words([word])));
  }
  return words;
}

function orbitOf(char: string): readonly string[] {
  return foldOrbit(char.codePointAt(0) ?? 0).map((point) => String.fromCodePoint(point));
}
