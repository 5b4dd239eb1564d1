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

/** Most kinds of names that are told apart. */
const mostCells = 4096;

/**
 * One name for each non-empty combination of patterns that match it and patterns that do not; `*` in a pattern stands for any
 * characters. Names are made of the characters of `alphabet`. Undefined: there are too many combinations.
 */
export function nameCells(patterns: readonly string[], alphabet: string): readonly string[] | undefined {
  const letter = pattern.words(Array.from(alphabet));
  let cells: readonly Language[] = [languageOf(pattern.plus(letter))];
  for (const text of new Set(patterns)) {
    const language = matching(text);
    cells = cells.flatMap((cell) =>
      [intersect(cell, language), minus(cell, language)].filter((part) => !isEmpty(part)),
    );
    if (cells.length > mostCells) return undefined;
  }
  return cells.flatMap((cell) => sample(cell) ?? []);
}

function matching(text: string): Language {
  const anything = pattern.star(pattern.chars(anyCharacters));
  const parts = text.split('*').map((part) => pattern.literal(part));
  const [first, ...rest] = parts;
  return languageOf(
    pattern.sequence(...(first === undefined ? [] : [first]), ...rest.flatMap((part) => [anything, part])),
  );
}
