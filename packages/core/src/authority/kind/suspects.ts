/** Texts of a set that some kind is likely to refuse: to find values that one side cannot read. */
import {
  type Language,
  anyCharacters,
  complement,
  finite,
  intersect,
  languageOf,
  pattern,
  sample,
} from '../automaton/index.js';
import type { ValueSet } from './set-types.js';

/** Most texts that are listed whole. */
const mostListed = 64;

const any = pattern.star(pattern.chars(anyCharacters));
const holding = (text: string): Language => languageOf(pattern.sequence(any, pattern.literal(text), any));
const beginning = (text: string): Language => languageOf(pattern.sequence(pattern.literal(text), any));

/** Between them, ways in which every kind refuses a text: empty, relative, a home, characters and escapes that it does not take. */
const suspicious: readonly Language[] = [
  languageOf(pattern.literal('')),
  complement(beginning('/')),
  beginning('~'),
  beginning('-'),
  ...['%2e', '%00', ' ', '\\', '\u0001', '\u0000', '@', ':', 'e\u0301', '$(', '"', ';;'].map(holding),
  languageOf(any),
];

/** Texts to try; `all`: these are all there are. */
export function suspectTexts({ text }: ValueSet): {
  readonly texts: readonly string[];
  readonly all: boolean;
} {
  const listed = finite(text, mostListed);
  if (listed !== undefined) return { texts: listed, all: true };
  const found = suspicious.flatMap((language) => sample(intersect(text, language)) ?? []);
  return { texts: [...new Set(found)], all: false };
}
