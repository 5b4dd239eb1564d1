/** What can be told apart at one argument. */
import {
  type ValueSet,
  type Scalar,
  and,
  arraysOf,
  byElement,
  elementsOf,
  isEmpty,
  listsIn,
  minus,
  nothingSet,
  or,
  presentSet,
  sample,
  scalarSet,
} from '../../authority/index.js';
import type { Json } from '../../ground/index.js';
import type { Argument } from './argument.js';
import { type Demand, type Part, setIn } from './demand.js';

/** One way for an argument to be. */
export type Choice =
  | { readonly kind: 'missing' }
  /** Any value of the set: rules do not tell its members apart. No lists. */
  | { readonly kind: 'value'; readonly set: ValueSet; readonly sample: Json }
  /** A list, whichever. */
  | { readonly kind: 'list' }
  /** A value, whichever: its rules judge what cannot be listed. */
  | { readonly kind: 'any' };

/** Most sets of values that are told apart at one argument. */
const mostCells = 40;

/** Everything that an argument can be, as far as the demands tell it apart. */
export function choicesAt(argument: Argument, demands: readonly Demand[]): readonly Choice[] {
  const { universe, keys, wildcards, values: own } = argument;
  const missing: Choice = { kind: 'missing' };
  if (keys.some(({ view }) => view !== 'raw')) return [missing, { kind: 'any' }];
  const names = new Set(keys.map(({ key }) => key));
  const sets = demands
    .flatMap(({ allow, deny }) => [...allow, ...deny])
    .flatMap(({ said }) => said.filter(({ key }) => names.has(key)).map(({ set }) => set));
  const cells = cellsOf(byElement(universe), [
    ...new Set(sets),
    ...[...wildcards, ...own].map((one) => scalarSet([one])),
  ]);
  if (cells === undefined) return [missing, { kind: 'any' }];
  const values = cells.flatMap((set): readonly Choice[] => {
    const one = sample(set);
    return typeof one === 'symbol' || one === undefined || !isJson(one)
      ? []
      : [{ kind: 'value', set, sample: one }];
  });
  const lists: readonly Choice[] = isEmpty(listsAt(argument, demands)) ? [] : [{ kind: 'list' }];
  return [missing, ...values, ...lists];
}

function isJson(value: object | Scalar): value is Json {
  return typeof value !== 'object' || value === null || Object.getPrototypeOf(value) === Object.prototype;
}

/** The lists that are allowed at an argument, whatever else holds; those of several rules together may hold a list by its elements. */
export function listsAt({ keys, universe }: Argument, demands: readonly Demand[]): ValueSet {
  const [only, second] = keys;
  if (only === undefined || second !== undefined || only.view !== 'raw') return listsIn(universe);
  return demands.map(({ allow }) => listsOf(allow, only.key)).reduce<ValueSet>(and, listsIn(universe));
}

function listsOf(allow: readonly Part[], key: string): ValueSet {
  const sets = new Set(allow.map((part) => setIn(part, key)));
  const lists = [...sets].map(listsIn);
  const whole = lists.reduce<ValueSet>(or, nothingSet);
  if (sets.size < 2) return whole;
  const elements = lists.map((list) => elementsOf(list)).reduce<ValueSet>(or, nothingSet);
  return or(whole, arraysOf(or(elements, listsIn(presentSet))));
}

/** The universe, cut by every set; undefined: into too many pieces. */
function cellsOf(universe: ValueSet, sets: readonly ValueSet[]): readonly ValueSet[] | undefined {
  let cells: readonly ValueSet[] = [universe].filter((each) => !isEmpty(each));
  for (const set of sets) {
    const plain = and(byElement(set), presentSet);
    cells = cells.flatMap((cell) => [and(cell, plain), minus(cell, plain)].filter((each) => !isEmpty(each)));
    if (cells.length > mostCells) return undefined;
  }
  return cells;
}

/** What the set holds beside lists and absence, and what of it the choices leave. */
export function chosenSet(argument: Argument, choices: readonly Choice[], lists: ValueSet): ValueSet {
  return choices.reduce<ValueSet>((sum, choice) => or(sum, setOf(argument, choice, lists)), nothingSet);
}

function setOf({ universe }: Argument, choice: Choice, lists: ValueSet): ValueSet {
  switch (choice.kind) {
    case 'missing':
      return nothingSet;
    case 'value':
      return choice.set;
    case 'list':
      return lists;
    case 'any':
      break;
  }
  return universe;
}
