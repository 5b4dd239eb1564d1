/** Authority in words, for refusals: which field refused, and what would have been allowed. */
import type { Outside } from './admits.js';
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
  for (const { box, rule } of refused.bucket?.allow ?? []) {
    const failing = box.failing(refused.access);
    const argument = box.cover?.firstOutside(refused.access.args);
    const [field] = failing;
    if (failing.length === 1 && argument === undefined && field !== undefined)
      misses.set(`${rule} ${field.name}`, { field, rule });
    if (failing.length === 0 && argument !== undefined)
      misses.set(`${rule} args.${argument.join('.')}`, { argument, rule });
  }
  const [only] = misses.values();
  return misses.size === 1 && only !== undefined ? only : {};
}
