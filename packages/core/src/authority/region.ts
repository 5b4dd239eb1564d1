/** A value of an access that stands for more than itself: a folder with all beneath it, or everything a wildcard means. */
import { type Language, TooManyStates, coversBelow, meetsBelow } from './automaton/index.js';
import { type Value, type ValueSet, allPaths, below, childrenOf, isEmpty } from './kind/index.js';

/** How far an access reaches beyond the value it names. */
export type Extent = 'exact' | 'children' | 'subtree' | 'all';

/** What a call does to what it names. */
export type Verb = keyof typeof verbHelp;

/** What each verb means, in one line for the reference; in the order in which documents list them. */
export const verbHelp = {
  read: { help: 'Contents come back.' },
  list: { help: 'Names or properties come back, no contents.' },
  write: { help: 'Something is made or changed.' },
  delete: { help: 'Something goes away.' },
  execute: { help: 'A program runs.' },
  connect: { help: 'The network is used.' },
  send: { help: 'Something goes to somebody.' },
  call: { help: 'The one access of a tool without connector.' },
} as const;

/** Every verb. */
export const verbs: readonly Verb[] = Object.freeze(Object.keys(verbHelp).filter(isVerb));

function isVerb(word: string): word is Verb {
  return Object.hasOwn(verbHelp, word);
}

/** All strings `prefix + w` with `w` in `tail`; with extent `all`, every value there is. */
export class Region {
  readonly extent: Exclude<Extent, 'exact'>;
  /** The value as named by the call; what a denial with `reach: named` judges. */
  readonly named: string;
  readonly #prefix: string;
  readonly #tail: Language;

  private constructor(extent: Exclude<Extent, 'exact'>, named: string, prefix: string, tail: Language) {
    this.extent = extent;
    this.named = named;
    this.#prefix = prefix;
    this.#tail = tail;
  }

  /** The canonical path and everything beneath it. */
  static subtree(path: string): Region {
    const { prefix, tail } = below(path);
    return new Region('subtree', path, prefix, tail);
  }

  /** The direct entries of a folder, without the folder. */
  static children(path: string): Region {
    const { prefix, tail } = childrenOf(path);
    return new Region('children', path, prefix, tail);
  }

  /** Whatever a wildcard stands for; only an unconstrained field holds it. */
  static everything(wildcard: string): Region {
    return new Region('all', wildcard, '', allPaths);
  }

  /** Whether the union of the sets holds the whole region. Exact; false where that takes too many steps to see. */
  inside(sets: readonly ValueSet[]): boolean {
    if (this.extent === 'all') return false;
    const texts = sets.map((set) => set.text);
    return within(() => coversBelow(texts, this.#prefix, this.#tail), false);
  }

  /**
   * Whether any value of the region is in the set. Exact, but that a wildcard meets whatever is not empty, and that the
   * answer is true where it takes too many steps to see.
   */
  meets(set: ValueSet): boolean {
    if (this.extent === 'all') return !isEmpty(set);
    return within(() => meetsBelow(set.text, this.#prefix, this.#tail), true);
  }

  /** Whether some value is in both, cases folded; true for a wildcard, and where it takes too many steps to see. */
  overlaps(other: Region): boolean {
    if (this.extent === 'all' || other.extent === 'all') return true;
    const [short, long] = this.#prefix.length <= other.#prefix.length ? [this, other] : [other, this];
    if (!foldedStart(long.#prefix, short.#prefix)) return false;
    const rest = long.#prefix.slice(short.#prefix.length);
    return within(() => meetsBelow(short.#tail, rest, long.#tail), true);
  }

  /** Whether the value is in the region, cases folded; a wildcard reaches every value. */
  reaches(value: string): boolean {
    if (this.extent === 'all') return true;
    return foldedStart(value, this.#prefix) && this.#tail.test(value, this.#prefix.length);
  }
}

/** Lower case may be longer than the text: then the two are compared as they are. */
function foldedStart(text: string, start: string): boolean {
  const head = text.slice(0, start.length);
  return head === start || head.toLowerCase() === start.toLowerCase();
}

function within(ask: () => boolean, otherwise: boolean): boolean {
  try {
    return ask();
  } catch (error) {
    if (error instanceof TooManyStates) return otherwise;
    throw error;
  }
}

/** What an access holds in a field: one value, or a region. */
export type Held = Value | Region;
