/** Arguments in lists, and those that closed worlds keep away deeper down: said of each alone. */
import {
  type ArgumentPath,
  type ValueSet,
  and,
  byElement,
  elementsOf,
  fingerprint,
  isEmpty,
  listsIn,
  minus,
  missingSet,
  or,
  scalars,
} from '../../authority/index.js';
import { type ToolSchema, argumentName, argumentPaths, propertyAt } from '../../connector/index.js';
import type { Argument } from './argument.js';
import { type Demand, allowedIn } from './demand.js';
import { type Change, never } from './edit.js';
import { keywordsFor } from './set-schema.js';

/** What holds of arguments that stand in lists or in one another. */
export function looseChanges(
  schema: ToolSchema,
  demands: readonly Demand[],
  args: readonly Argument[],
): readonly Change[] {
  return args
    .filter(({ kind }) => kind === 'loose')
    .flatMap((argument) => {
      const [only, second] = argument.keys;
      if (only === undefined || second !== undefined) return [];
      const set = allowedIn(demands, only.key);
      return [
        ...valueChanges(argument, set, only.view === 'raw'),
        ...presenceChanges(schema, argument, { set, demands }),
      ];
    });
}

/** A list in it is judged by what it holds: of such no more is told. */
function valueChanges({ path, info, universe }: Argument, set: ValueSet, isRaw: boolean): readonly Change[] {
  const elements = and(elementsOf(set), byElement(universe));
  const allowed = or(elements, listsIn(universe));
  if (!isRaw || info.known !== 'yes') return [];
  const some = !isEmpty(minus(allowed, missingSet));
  const keywords = some ? keywordsFor(allowed, universe, info) : never;
  return keywords === undefined ? [] : [{ path, change: { keywords } }];
}

/** What is asked for and never filled in has to be there: in a list, in each element of it, and the list too. */
function presenceChanges(
  schema: ToolSchema,
  { path, universe, keys: [only] }: Argument,
  { set, demands }: { readonly set: ValueSet; readonly demands: readonly Demand[] },
): readonly Change[] {
  const places = path.map((_, at) => propertyAt(schema, path.slice(0, at + 1)));
  if (set.missing || places.some((info) => info.default !== undefined)) return [];
  const list = places.slice(0, -1).findIndex(({ types }) => types.length === 1 && types[0] === 'array');
  const mayBeFilled =
    list < 0 && (scalars(and(set, universe), 1)?.length === 1 || !agreed(demands, only?.key));
  if (mayBeFilled) return [];
  const all = list < 0 || !elementsOf(set).missing;
  const depths = path.map((_, at) => at).filter((at) => all || at <= list);
  return depths.map((at) => ({ path: path.slice(0, at + 1), change: { presence: 'required' } }));
}

/** Whether the rules of each demand say the same of a key. */
function agreed(demands: readonly Demand[], key: string | undefined): boolean {
  return demands.every(({ allow }) => {
    const sets = allow.map(({ said }) => said.find((one) => one.key === key)?.set);
    return new Set(sets.map((set) => set && fingerprint(set))).size < 2;
  });
}

/** Members below the first level that the rules of one demand all keep away. */
export function uncoveredChanges(schema: ToolSchema, demands: readonly Demand[]): readonly Change[] {
  const deep = demands.filter(
    ({ allow }) => allow.length > 0 && allow.every(({ cover }) => cover !== undefined),
  );
  const steps = deep
    .flatMap(({ allow }) => allow.flatMap(({ cover }) => cover?.paths ?? []))
    .some((path) => path.length > 1);
  if (!steps) return [];
  const paths = argumentPaths(schema).flatMap((path) => path.map((_, at) => path.slice(0, at + 1)));
  const nested = new Map(paths.filter((path) => path.length > 1).map((path) => [argumentName(path), path]));
  return [...nested.values()]
    .filter((path) => deep.some((demand) => keepsAway(demand, path) && !keepsAway(demand, path.slice(0, -1))))
    .map((path) => ({ path, change: { presence: 'absent' } }));
}

function keepsAway({ allow }: Demand, path: ArgumentPath): boolean {
  return allow.every(({ cover }) => cover !== undefined && isEmpty(minus(cover.leaves(path), missingSet)));
}
