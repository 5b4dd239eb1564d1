/** Questions about what lies beneath a prefix, answered without building an automaton: used for regions such as a folder. */
import { type Language, classOf, nothing, stuckState, tableOf } from './language.js';
import { TooManyStates, maxWalk } from './limits.js';
import { classSets } from './nfa.js';
import { nicestFirst, notPrintable, shown } from './sample.js';
import { type Table, commonPartition } from './table.js';

/**
 * Whether every `prefix + w` with w in `tail` is in the union of the languages. What one language says about one tail is
 * remembered per state, so that asking again costs little more than reading the prefix. Throws TooManyStates.
 */
export function coversBelow(languages: readonly Language[], prefix: string, tail: Language): boolean {
  const parts: Part[] = [];
  for (const language of languages) {
    const part = partAfter(language, prefix);
    if (part === undefined || !answer(met, part, tail)) continue;
    if (answer(covered, part, tail)) return true;
    parts.push(part);
  }
  if (parts.length < 2) return parts.length === 0 && tail === nothing;
  return !new Walk(tableOf(tail), parts, 'outside').reaches();
}

/**
 * A w in `tail` such that `prefix + w` is in none of the languages: a shortest, of printable ASCII if there is one.
 * Undefined: there is none. The prefix is well formed. Throws TooManyStates past `maxWalk` steps.
 */
export function coveredGap(
  languages: readonly Language[],
  prefix: string,
  tail: Language,
): string | undefined {
  const parts = [...new Set(languages)].flatMap((language) => partAfter(language, prefix) ?? []);
  const useful = parts.filter((part) => answer(met, part, tail));
  return new Walk(tableOf(tail), useful, 'outside').witness();
}

/** Whether some `prefix + w` with w in `tail` is in the language. Remembered as in {@link coversBelow}. */
export function meetsBelow(language: Language, prefix: string, tail: Language): boolean {
  const part = partAfter(language, prefix);
  return part !== undefined && answer(met, part, tail);
}

/** Whether what follows a state of the language holds the whole tail. Remembered as in {@link coversBelow}. */
export function allBelow(language: Language, state: number, tail: Language): boolean {
  return answer(covered, { language, table: tableOf(language), state }, tail);
}

/** Whether what follows a state of the language holds some of the tail. Remembered as in {@link coversBelow}. */
export function someBelow(language: Language, state: number, tail: Language): boolean {
  return answer(met, { language, table: tableOf(language), state }, tail);
}

/** A question about one state of a language and a tail, and the answers so far. */
interface Question {
  readonly goal: 'in' | 'outside';
  /** The answer when such a text is reached. */
  readonly whenReached: boolean;
  readonly known: WeakMap<Language, WeakMap<Language, Map<number, boolean>>>;
}
const met: Question = { goal: 'in', whenReached: true, known: new WeakMap() };
const covered: Question = { goal: 'outside', whenReached: false, known: new WeakMap() };

function answer(question: Question, part: Part, tail: Language): boolean {
  const byTail = question.known.get(part.language) ?? new WeakMap<Language, Map<number, boolean>>();
  question.known.set(part.language, byTail);
  const byState = byTail.get(tail) ?? new Map<number, boolean>();
  byTail.set(tail, byState);
  const known = byState.get(part.state);
  if (known !== undefined) return known;
  const reached = new Walk(tableOf(tail), [part], question.goal).reaches();
  byState.set(part.state, reached === question.whenReached);
  return reached === question.whenReached;
}

/** The language after the prefix; undefined: no member begins with it. */
function partAfter(language: Language, prefix: string): Part | undefined {
  const table = tableOf(language);
  const state = stateAfter(table, prefix);
  return state === undefined ? undefined : { language, table, state };
}

function stateAfter(table: Table, prefix: string): number | undefined {
  let state = table.start;
  for (const char of prefix) {
    const point = char.codePointAt(0) ?? 0;
    if (point >= 0xd800 && point <= 0xdfff) return undefined;
    state = table.next[state * table.classes + classOf(table, point)] ?? 0;
  }
  return state;
}

interface Part {
  readonly language: Language;
  readonly table: Table;
  readonly state: number;
}

/** Breadth-first walk over tuples (state of the tail, states of the parts) to a text of the tail in, or outside, every part. */
class Walk {
  readonly #tables: readonly Table[];
  readonly #start: readonly number[];
  readonly #views: readonly Int32Array[];
  readonly #letters: readonly string[];
  readonly #printable: number;
  /** Per table a state from which nothing that is looked for can be reached. */
  readonly #hopeless: readonly number[];
  /** Per table the acceptance that is looked for. */
  readonly #wanted: readonly number[];

  constructor(tail: Table, parts: readonly Part[], goal: 'in' | 'outside') {
    const wanted = goal === 'in' ? 1 : 0;
    this.#tables = [tail, ...parts.map((part) => part.table)];
    this.#start = [tail.start, ...parts.map((part) => part.state)];
    this.#wanted = this.#tables.map((_, i) => (i === 0 ? 1 : wanted));
    this.#hopeless = this.#tables.map((table, i) => stuckState(table, i === 0 || wanted === 1 ? 0 : 1));
    const { bounds, cells, classes, views } = commonPartition(this.#tables);
    const letters = classSets({ bounds, cells, classes }).map(shown);
    const order = nicestFirst(letters);
    this.#views = views.map((view) => Int32Array.from(order, (cls) => view[cls] ?? 0));
    this.#letters = order.map((cls) => String.fromCodePoint(letters[cls]?.point ?? 0));
    this.#printable = letters.filter((letter) => letter.rank < notPrintable).length;
  }
  /** Whether there is such a text. */
  reaches(): boolean {
    return this.#search(this.#letters.length) !== undefined;
  }
  /** A shortest such text, of printable ASCII if there is one. */
  witness(): string | undefined {
    return this.#search(this.#printable) ?? this.#search(this.#letters.length);
  }
  #search(letters: number): string | undefined {
    const queue: (readonly [states: readonly number[], text: string])[] = [[this.#start, '']];
    const seen = new Set<string>([this.#start.join()]);
    for (const [states, text] of queue) {
      if (states.every((state, i) => this.#tables[i]?.accept[state] === this.#wanted[i])) return text;
      for (let letter = 0; letter < letters; letter++) {
        const next = this.#step(states, letter);
        if (next === undefined) continue;
        const key = next.join();
        if (seen.has(key)) continue;
        if (seen.size >= maxWalk) throw new TooManyStates(maxWalk);
        seen.add(key);
        queue.push([next, text + (this.#letters[letter] ?? '')]);
      }
    }
    return undefined;
  }
  /** The next tuple; undefined: it leads nowhere. */
  #step(states: readonly number[], letter: number): readonly number[] | undefined {
    const next: number[] = [];
    for (const [i, table] of this.#tables.entries()) {
      const to = table.next[(states[i] ?? 0) * table.classes + (this.#views[i]?.[letter] ?? 0)] ?? 0;
      if (to === this.#hopeless[i]) return undefined;
      next.push(to);
    }
    return next;
  }
}
