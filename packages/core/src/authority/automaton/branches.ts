/** A language by its first character. */
import type { Charset } from './charset.js';
import { type Language, languageFrom, nothing, tableOf } from './language.js';
import { classSets } from './nfa.js';
import { type Table, at } from './table.js';

/** Characters that members begin with, and what may follow them (never nothing). */
export interface Branch {
  readonly chars: Charset;
  readonly rest: Language;
}

/** The ways to begin a member, apart by what follows; the empty text is no way. */
export function branches(language: Language): readonly Branch[] {
  const table = tableOf(language);
  return classSets(table)
    .map((chars, cls) => ({ chars, rest: startingAt(table, at(table.next, cls)) }))
    .filter(({ rest }) => rest !== nothing);
}

function startingAt(table: Table, start: number): Language {
  const states = [start];
  const number = new Map([[start, 0]]);
  const next: number[] = [];
  for (const state of states) {
    for (let cls = 0; cls < table.classes; cls++) {
      const to = at(table.next, state * table.classes + cls);
      const known = number.get(to) ?? states.push(to) - 1;
      number.set(to, known);
      next.push(known);
    }
  }
  const accept = Uint8Array.from(states, (state) => at(table.accept, state));
  return languageFrom({ ...table, next: Int32Array.from(next), accept, start: 0 });
}
