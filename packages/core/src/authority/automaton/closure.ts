/** The texts beneath which everything, or something, of a tail belongs to a language: folders as denials and grants see them. */
import { type Language, languageFrom, tableOf } from './language.js';
import { allBelow, someBelow } from './lazy.js';

/** Every p such that `p + w` is in the language for each w in `tail`. Throws TooManyStates. */
export function coveredTexts(language: Language, tail: Language): Language {
  return whereState(language, (state) => allBelow(language, state, tail));
}

/** Every p such that `p + w` is in the language for some w in `tail`. Throws TooManyStates. */
export function meetingTexts(language: Language, tail: Language): Language {
  return whereState(language, (state) => someBelow(language, state, tail));
}

function whereState(language: Language, accepted: (state: number) => boolean): Language {
  const table = tableOf(language);
  const accept = Uint8Array.from(table.accept, (_, state) => Number(accepted(state)));
  return languageFrom({ ...table, accept });
}
