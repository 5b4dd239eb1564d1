/** Which rules a call is charged to: POLICY section 2, point 5. Pure. */
import { type ChargedLevel, type Footing, type Grantor, levels } from './reserve.js';

/** The level at which a call may go, and the rules that it uses up one of. */
export interface Choice {
  readonly level: ChargedLevel;
  /** Paths in the document, each once. */
  readonly charged: ReadonlySet<string>;
}

/**
 * The freest level, `cap` at most, at which every access is held by rules that have something left. An access that rules
 * without budget hold at that level is charged to none; else the one rule with most left is, or, for a region that no single
 * rule holds, as few as suffice. Undefined: no level is left.
 */
export function choose(
  cap: ChargedLevel,
  footings: readonly Footing[],
  left: (rule: Grantor) => number,
): Choice | undefined {
  for (const level of levels) {
    if (!isWithin(level, cap)) continue;
    const charged = chargedAt(level, footings, left);
    if (charged !== undefined) return { level, charged };
  }
  return undefined;
}

function chargedAt(
  level: ChargedLevel,
  footings: readonly Footing[],
  left: (rule: Grantor) => number,
): ReadonlySet<string> | undefined {
  const charged = new Set<string>();
  for (const footing of footings) {
    const picked = isWithin(level, footing.cap) ? pick(level, footing, left) : undefined;
    if (picked === undefined) return undefined;
    for (const { rule } of picked) charged.add(rule);
  }
  return charged;
}

function pick(
  level: ChargedLevel,
  footing: Footing,
  left: (rule: Grantor) => number,
): readonly Grantor[] | undefined {
  const usable = footing.rules.filter((rule) => isWithin(level, rule.level) && left(rule) > 0);
  const free = usable.filter(({ uses }) => uses === undefined);
  if (footing.heldBy(free)) return [];
  const budgeted = usable.filter(({ uses }) => uses !== undefined).sort((a, b) => left(b) - left(a));
  const alone = budgeted.find((rule) => footing.heldBy([...free, rule]));
  if (alone !== undefined) return [alone];
  return footing.heldBy([...free, ...budgeted]) ? fewest(footing, free, budgeted) : undefined;
}

/** Leaves out what is not needed, that with least left first. */
function fewest(
  footing: Footing,
  free: readonly Grantor[],
  budgeted: readonly Grantor[],
): readonly Grantor[] {
  let kept = budgeted;
  for (const rule of [...budgeted].reverse()) {
    const without = kept.filter((each) => each !== rule);
    if (footing.heldBy([...free, ...without])) kept = without;
  }
  return kept;
}

/** Whether a rule, or a cap, of level `freest` leaves room for `level`. */
function isWithin(level: ChargedLevel, freest: ChargedLevel): boolean {
  return levels.indexOf(freest) <= levels.indexOf(level);
}
