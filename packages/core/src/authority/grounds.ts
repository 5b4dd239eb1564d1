/** What a call rests on where rules have budgets: which rules hold each access, level by level, whatever is left of them. */
import type { Access } from './access.js';
import { type Bucket, type Level, type Rule, bucketOf, lower } from './authority.js';
import { admits, allowedBy, allows, capOf } from './admits.js';
import { type HeldBy, allowsApart, takeApart } from './elements.js';
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
  const apart = takeApart(bucket, access);
  const told = new Set(apart?.empty.size === 0 ? [] : apart?.bucket.allow);
  const holds = (rule: Rule): boolean => !told.has(rule) && rule.box.holdsPoint(access);
  const heldApart = (some: readonly Rule[]): HeldBy | undefined => {
    const asked = new Set(some);
    const own = apart?.bucket.allow.filter((rule) => asked.has(rule)) ?? [];
    return apart && allowsApart({ ...apart, bucket: bucketOf(own, [], bucket.deny) }, allows);
  };
  const pointwise = apart?.bucket.allow.filter((rule) =>
    apart.points.some((point) => rule.box.holdsBut(point, apart.empty)),
  );
  const rules = bucket.allow.filter((rule) => holds(rule) || pointwise?.includes(rule) === true);
  return { rules, heldBy: (some) => some.some(holds) || heldApart(some) !== undefined };
}
