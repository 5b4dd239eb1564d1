/** Authority in words, for refusals: which field refused, and what would have been allowed. */
import type { Outside } from './admits.js';
import type { Rule } from './authority.js';
import type { FieldSet } from './box.js';

/** Why nothing allowed an access. */
export interface Shortfall {
  /** The field that failed, if exactly one rule failed in exactly one field. */
  readonly field?: FieldSet;
  /** An argument outside the closed world, if that is what the one rule failed in. */
  readonly argument?: readonly string[];
  readonly rule?: string;
}

/**
 * The near misses of a refusal. A rule that failed in one field only, or only by one argument that it does not name, is a
 * near miss; with exactly one of them it is told, otherwise nothing is.
 */
export function shortfall(refused: Outside): Shortfall {
  const misses = new Map<string, Shortfall>();
  for (const rule of refused.bucket?.allow ?? []) {
    const miss = nearMiss(refused, rule);
    if (miss !== undefined) misses.set(...miss);
  }
  const [only] = misses.values();
  return misses.size === 1 && only !== undefined ? only : {};
}

/** How a rule just missed an access, under a name that is the same for the same miss. */
function nearMiss(
  { access }: Outside,
  { box, rule }: Rule,
): readonly [name: string, miss: Shortfall] | undefined {
  const [field, second] = box.failing(access, 2);
  if (second !== undefined) return undefined;
  const argument = box.cover?.firstOutside(access.args);
  if (field !== undefined)
    return argument === undefined ? [`${rule} ${field.name}`, { field, rule }] : undefined;
  return argument && [`${rule} args.${argument.join('.')}`, { argument, rule }];
}
