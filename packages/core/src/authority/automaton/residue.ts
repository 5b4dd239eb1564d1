/** A language as a prefix that all its members have, and the language of what follows it. */
import { type Language, languageFrom, stuckState, tableOf } from './language.js';
import { type Table, at } from './table.js';

/** A text is a member iff it begins with `prefix` and what follows is in `rest`. */
export interface Residue {
  readonly prefix: string;
  readonly rest: Language;
}

/**
 * Takes the longest common prefix off. Most texts outside a language differ from it there, and what remains is often the same
 * small language for many (`/a/b/**` and `/c/**`), so that tests of a thousand rules touch little memory.
 */
export function residue(language: Language): Residue {
  const table = tableOf(language);
  const { prefix, state } = commonPrefix(table);
  return { prefix, rest: state === table.start ? language : languageFrom(startingAt(table, state)) };
}

/** The longest prefix that all members have, and the state behind it. Of the empty language: the empty text. */
export function commonPrefix(table: Table): { readonly prefix: string; readonly state: number } {
  const sink = stuckState(table, 0);
  const characters = soleCharacters(table);
  let prefix = '';
  let { start: state } = table;
  for (let steps = 1; steps < table.accept.length && table.accept[state] === 0; steps++) {
    const ways = characters.map((_, cls) => at(table.next, state * table.classes + cls));
    const only = ways.findIndex((to) => to !== sink);
    const character = characters[only];
    if (character === undefined || ways.some((to, cls) => to !== sink && cls !== only)) break;
    prefix += character;
    state = ways[only] ?? sink;
  }
  return { prefix, state };
}

/** Per class its character, if it has only one. */
function soleCharacters({ bounds, cells, classes }: Table): readonly (string | undefined)[] {
  const sizes = new Float64Array(classes);
  const firsts = new Int32Array(classes);
  for (const [cell, cls] of cells.entries()) {
    const from = at(bounds, cell);
    sizes[cls] = at(sizes, cls) + (bounds[cell + 1] ?? Infinity) - from;
    firsts[cls] = from;
  }
  return Array.from(firsts, (point, cls) => (sizes[cls] === 1 ? String.fromCodePoint(point) : undefined));
}

/** The same automaton from another state on, without the states that are out of reach from there. */
function startingAt(table: Table, start: number): Table {
  const { bounds, cells, classes } = table;
  const numbers = new Map([[start, 0]]);
  const next: number[] = [];
  const accept: number[] = [];
  for (const state of numbers.keys()) {
    accept.push(at(table.accept, state));
    for (const to of table.next.subarray(state * classes, (state + 1) * classes)) {
      const number = numbers.get(to) ?? numbers.size;
      numbers.set(to, number);
      next.push(number);
    }
  }
  return { bounds, cells, classes, next: Int32Array.from(next), accept: Uint8Array.from(accept), start: 0 };
}
