/**
 * What a constraint means before it is lifted over arrays. A constraint on an array holds for every element (admitting)
 * or for some element (refusing), so unions and differences are taken on single values first and lifted once, at the end.
 */
import { TooManyStates, type Language, intersect } from '../automaton/index.js';
import { andArrays, anyArrays, clause, minusArrays, noArrays, orArrays, valueSet } from './algebra.js';
import type { Polarity, ViewName } from './context.js';
import { andLeaves, leavesEmpty, noLeaves, notLeaves, orLeaves, sameLeaves } from './leaves.js';
import type { ArraySet, Clause, Leaves, ValueSet } from './set-types.js';

/** A set of single values in one view. */
export interface Meaning {
  readonly missing: boolean;
  readonly leaves: Leaves;
  /** Lists all (refusing: some) of whose leaves are in it belong too; undefined: no such lists. A subset of `leaves`. */
  readonly lifted: Leaves | undefined;
  /** Further lists, taken as they are. */
  readonly arrays: ArraySet;
}

/** A conjunction over views. */
export type Views = ReadonlyMap<ViewName, Meaning>;
/** A disjunction of conjunctions. */
export type Meanings = readonly Views[];

/** Most alternatives that one constraint may have. */
export const maxAlternatives = 64;

/** Texts that a view can show. */
export type TextUniverse = (view: ViewName) => Language;

const nothing: Meaning = { missing: false, leaves: noLeaves, lifted: undefined, arrays: noArrays };

/** One alternative in one view. */
export function inView(view: ViewName, parts: Partial<Meaning>): Meanings {
  return [new Map([[view, { ...nothing, ...parts }]])];
}

/** A set of scalars, lifted over lists. */
export function scalarsIn(view: ViewName, leaves: Leaves): Meanings {
  return inView(view, { leaves, lifted: leaves });
}

/** Some part holds. Alternatives in one and the same single view become one, so that lists may mix them. */
export function anyOf(parts: readonly Meanings[]): Meanings {
  const merged = new Map<ViewName, Meaning>();
  const rest: Views[] = [];
  for (const views of parts.flat()) {
    const [only, ...more] = views;
    if (only === undefined || more.length > 0) {
      rest.push(views);
      continue;
    }
    const [view, meaning] = only;
    const known = merged.get(view);
    merged.set(view, known === undefined ? meaning : either(known, meaning));
  }
  const single = [...merged].map(([view, meaning]): Views => new Map([[view, meaning]]));
  return capped([...single, ...rest]);
}

/** Every part holds. */
export function allOf(parts: readonly Meanings[], polarity: Polarity): Meanings {
  return parts.reduce((sum, part) =>
    capped(sum.flatMap((one) => part.map((two) => conjoin(one, two, polarity)))),
  );
}

/** Missing, or what the constraint means. */
export function orMissing(of: Meanings): Meanings {
  return of.map(
    (views) => new Map([...views].map(([view, meaning]) => [view, { ...meaning, missing: true }])),
  );
}

/**
 * Outside the constraint, whose meaning was made under the opposite of `polarity`; `whenMissing`: whether a missing value
 * counts as outside where the constraint does not hold for it.
 */
export function outside(
  of: Meanings,
  polarity: Polarity,
  universe: TextUniverse,
  whenMissing: boolean,
): Meanings {
  const parts = of.map((views) =>
    anyOf(
      [...views].map(([view, meaning]) => [
        new Map([[view, negate(meaning, polarity, universe(view), whenMissing)]]),
      ]),
    ),
  );
  return allOf(parts, polarity);
}

function either(a: Meaning, b: Meaning): Meaning {
  return {
    missing: a.missing || b.missing,
    leaves: orLeaves(a.leaves, b.leaves),
    lifted:
      a.lifted === undefined || b.lifted === undefined
        ? (a.lifted ?? b.lifted)
        : orLeaves(a.lifted, b.lifted),
    arrays: orArrays(a.arrays, b.arrays),
  };
}

function conjoin(a: Views, b: Views, polarity: Polarity): Views {
  const both = new Map(a);
  for (const [view, meaning] of b) {
    const known = both.get(view);
    both.set(view, known === undefined ? meaning : meet(known, meaning, polarity));
  }
  return both;
}

function meet(a: Meaning, b: Meaning, polarity: Polarity): Meaning {
  const crossed = [
    andArrays(a.arrays, b.arrays, 'arrays'),
    andArrays(a.arrays, liftedArrays(b.lifted, polarity), 'arrays'),
    andArrays(liftedArrays(a.lifted, polarity), b.arrays, 'arrays'),
  ];
  return {
    missing: a.missing && b.missing,
    leaves: andLeaves(a.leaves, b.leaves),
    lifted: a.lifted === undefined || b.lifted === undefined ? undefined : andLeaves(a.lifted, b.lifted),
    arrays: crossed.reduce(orArrays),
  };
}

function negate(a: Meaning, polarity: Polarity, texts: Language, whenMissing: boolean): Meaning {
  const missing = whenMissing && !a.missing;
  const leaves = within(notLeaves(a.leaves), texts);
  if (a.lifted !== undefined && a.arrays.length === 0 && sameLeaves(a.lifted, a.leaves)) {
    return { missing, leaves, lifted: leaves, arrays: noArrays };
  }
  const others = minusArrays(anyArrays, a.arrays, 'arrays');
  const dual =
    a.lifted === undefined ? anyArrays : liftedArrays(within(notLeaves(a.lifted), texts), polarity);
  return { missing, leaves, lifted: undefined, arrays: andArrays(others, dual, 'arrays') };
}

function within(leaves: Leaves, texts: Language): Leaves {
  return Object.freeze({ ...leaves, text: intersect(leaves.text, texts) });
}

function capped(list: Meanings): Meanings {
  if (list.length > maxAlternatives) throw new TooManyStates(maxAlternatives, 'alternatives');
  return list;
}

function liftedArrays(leaves: Leaves | undefined, polarity: Polarity): ArraySet {
  if (leaves === undefined) return noArrays;
  return [polarity === 'admit' ? clause({ leaves }) : clause({ someLeaf: [leaves] })];
}

/** The lifted set: lists and spreads all (refusing: some) of whose elements hold. */
export function lift(a: Meaning, polarity: Polarity): ValueSet {
  const element = liftElement(a, polarity);
  const spread: Partial<Clause> = polarity === 'admit' ? { all: element } : { some: [element] };
  return valueSet({ ...element, spreads: [clause(spread)] });
}

/** The lifted set without spreads: what an element of an array is judged by. */
export function liftElement(a: Meaning, polarity: Polarity): ValueSet {
  const arrays = orArrays(a.arrays, liftedArrays(a.lifted, polarity));
  return valueSet({ ...a.leaves, missing: a.missing, arrays });
}

/** Whether nothing meets it but lists without any value in them. */
export function unsatisfiable(of: Meanings): boolean {
  return of.every((views) => [...views.values()].some(barren));
}

function barren(a: Meaning): boolean {
  return !a.missing && leavesEmpty(a.leaves) && a.arrays.length === 0;
}
