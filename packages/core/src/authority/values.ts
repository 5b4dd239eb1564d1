/** Which values of a field an authority would admit: for filling, for refusals, for the schema that a model sees. */
import type { Access } from './access.js';
import type { Authority } from './authority.js';
import { TooManyStates } from './automaton/index.js';
import type { ArgumentPath, Cover } from './cover.js';
import {
  type Scalar,
  type ValueSet,
  and,
  everythingSet,
  member,
  nothingSet,
  or,
  scalars,
} from './kind/index.js';
import type { Meet } from './meet.js';

/** Asks for one field, while the fields in `open` are still to be found. */
export interface ValuesQuestion {
  readonly key: string;
  /** Of a raw argument: where it stands, since a rule that does not name it may want it absent. */
  readonly path?: ArgumentPath;
  readonly open: ReadonlySet<string>;
  /** Everything that the field can hold, where that is known. */
  readonly among?: readonly Scalar[];
}

/**
 * The values of `key` in the access for which every authority of the meet has an allow rule whose other fields (those in
 * `open` aside) hold. Denials and asks are not taken off: a value is never found from the complement of a denial. Throws
 * TooManyStates where the set cannot be made.
 */
export function values(authorities: Meet, access: Access, question: ValuesQuestion): ValueSet {
  const factors = authorities.factors.map((authority) => setsIn(authority, access, question));
  return factors.map(unionOf).reduce<ValueSet>(and, everythingSet);
}

/** Most scalars that are listed. */
const mostListed = 64;
/** Most sets of which a union is built to find what a meet leaves of them. */
const mostJoined = 32;

/**
 * The values that all accesses of a call take, as a list, where they are at most 64 scalars and no list of others; undefined where they are not, or where
 * that would take long to see. Builds no automaton if some authority of the meet lists its own. An absence is not listed.
 */
export function scalarValues(
  authorities: Meet,
  accesses: readonly Access[],
  question: ValuesQuestion,
): { readonly scalars: readonly Scalar[]; readonly missing: boolean } | undefined {
  const factors = accesses.flatMap((access) =>
    authorities.factors.map((authority) => setsIn(authority, access, question)),
  );
  const missing = factors.every((sets) => sets.some((set) => set.missing));
  const holdsIn = (value: Scalar): boolean => factors.every((sets) => sets.some((set) => member(set, value)));
  if (question.among !== undefined) return { scalars: question.among.filter(holdsIn), missing };
  const most = factors.length === 1 ? mostListed : Infinity;
  const [shortest] = factors.flatMap((sets) => listOf(sets, most) ?? []).sort((a, b) => a.size - b.size);
  const found = shortest === undefined ? joined(factors) : [...shortest].filter(holdsIn);
  return found === undefined || found.length > mostListed ? undefined : { scalars: found, missing };
}

/** What each allow rule of which the other fields hold leaves of the field. */
function setsIn(
  authority: Authority,
  access: Access,
  { key, path, open }: ValuesQuestion,
): readonly ValueSet[] {
  const rules = authority.bucket(access.tool, access.verb)?.allow ?? [];
  const fitting = rules.filter((rule) => rule.box.holdsBut(access, open));
  return [...new Set(fitting.map(({ box }) => box.setOf(key) ?? unnamed(box.cover, path)))];
}

/** What a box leaves of an argument that it does not constrain. */
function unnamed(cover: Cover | undefined, path: ArgumentPath | undefined): ValueSet {
  return cover === undefined || path === undefined ? everythingSet : cover.leaves(path);
}

function unionOf(sets: readonly ValueSet[]): ValueSet {
  return sets.reduce(or, nothingSet);
}

const listed = new WeakMap<ValueSet, { readonly scalars: readonly Scalar[] | undefined }>();

/** The scalars of a union; undefined where they are more than `most`, or not all that is in it. */
function listOf(sets: readonly ValueSet[], most: number): ReadonlySet<Scalar> | undefined {
  const list = new Set<Scalar>();
  for (const set of sets) {
    const known = listed.get(set) ?? { scalars: scalars(set, mostListed) };
    listed.set(set, known);
    if (known.scalars === undefined || list.size > most) return undefined;
    for (const value of known.scalars) list.add(value);
  }
  return list;
}

/** The scalars of a meet of which no authority lists its own. */
function joined(factors: readonly (readonly ValueSet[])[]): readonly Scalar[] | undefined {
  if (factors.length < 2 || factors.flat().length > mostJoined) return undefined;
  try {
    return scalars(factors.map(unionOf).reduce(and, everythingSet), mostListed);
  } catch (error) {
    if (error instanceof TooManyStates) return undefined;
    throw error;
  }
}
