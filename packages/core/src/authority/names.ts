/** Names that patterns tell apart: one for each way in which patterns can match. */
import {
  type Language,
  anyCharacters,
  intersect,
  isEmpty,
  languageOf,
  minus,
  pattern,
  sample,
} from './automaton/index.js';

/** Most kinds of names that are told apart, beside those that are named exactly. */
const mostCells = 512;

/**
 * One name for each non-empty combination of patterns that match it and patterns that do not, and every name that a pattern
 * without `*` is; `*` stands for any characters. Names are made of the characters of `alphabet`. Undefined: there are too many
 * combinations.
 */
export function nameCells(patterns: readonly string[], alphabet: string): readonly string[] | undefined {
  const letter = pattern.words(Array.from(alphabet));
  const exact = [...new Set(patterns.filter((text) => !text.includes('*')))];
  const names = languageOf(pattern.plus(letter));
  let cells: readonly Language[] = [minus(names, languageOf(pattern.words(exact)))];
  for (const text of new Set(patterns.filter((each) => each.includes('*')))) {
    const language = matching(text);
    cells = cells.flatMap((cell) =>
      [intersect(cell, language), minus(cell, language)].filter((part) => !isEmpty(part)),
    );
    if (cells.length > mostCells) return undefined;
  }
  return [...exact, ...cells.flatMap((cell) => sample(cell) ?? [])];
}

function matching(text: string): Language {
  const anything = pattern.star(pattern.chars(anyCharacters));
  const parts = text.split('*').map((part) => pattern.literal(part));
  const [first, ...rest] = parts;
  return languageOf(
    pattern.sequence(...(first === undefined ? [] : [first]), ...rest.flatMap((part) => [anything, part])),
  );
}
