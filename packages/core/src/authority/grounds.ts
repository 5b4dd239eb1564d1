/** What a call rests on where rules have budgets: which rules hold each access, level by level, whatever is left of them. */
import type { Access } from './access.js';
import { type Bucket, type Level, type Rule, lower } from './authority.js';
import { admits, allowedBy, capOf } from './admits.js';
import { pointsOf } from './elements.js';
import type { Meet } from './meet.js';

/** One access in one authority. Says nothing of counts: whoever counts asks {@link Ground.heldBy} about the rules that are left. */
export interface Ground {
  /** The freest level that the `ask` list leaves to the access. */
  readonly cap: Level;
  /** The allow rules that hold the access, or may hold it together; the freest first. */
  readonly rules: readonly Rule[];
  /** Whether these, of those rules, hold the access. */
  heldBy(rules: readonly Rule[]): boolean;
}

/** The grounds of a call. */
export interface Grounds {
  /** The freest level that everything without budgets leaves to the call. */
  readonly cap: Level;
  readonly grounds: readonly Ground[];
}

/** What an admitted call rests on. Pure; the level that it was admitted at is the highest that these grounds hold. */
export function groundsOf(authorities: Meet, accesses: readonly Access[]): Grounds {
  const grounds: Ground[] = [];
  let cap: Level = 'permit';
  for (const authority of authorities.factors) {
    for (const access of accesses) {
      const bucket = authority.bucket(access.tool, access.verb);
      if (bucket?.allow.some(({ uses }) => uses !== undefined) === true)
        grounds.push(groundIn(bucket, access));
      else cap = lower(cap, admits(authority, access).level ?? cap);
    }
  }
  return { cap, grounds };
}

function groundIn(bucket: Bucket, access: Access): Ground {
  const { rules, heldBy } =
    access.regions.length === 0 ? valuesAllowedBy(bucket, access) : allowedBy(bucket, access);
  return Object.freeze({ cap: capOf(bucket, access), rules, heldBy });
}

/** The same for an access without regions: one rule holds its lists whole, or several hold their elements. */
function valuesAllowedBy(bucket: Bucket, access: Access): Pick<Ground, 'rules' | 'heldBy'> {
  const points = pointsOf(bucket, access) ?? [];
  const holds = (rule: Rule): boolean => rule.box.holdsPoint(access);
  const rules = bucket.allow.filter(
    (rule) => holds(rule) || points.some((point) => rule.box.holdsPoint(point)),
  );
  const heldBy = (some: readonly Rule[]): boolean =>
    some.some(holds) ||
    (points.length > 0 && points.every((point) => some.some((rule) => rule.box.holdsPoint(point))));
  return { rules, heldBy };
}
