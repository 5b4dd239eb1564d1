/** The counter against a reference that keeps a list of what was charged and counts it anew each time. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fakeExecutor } from '../../../../test/fake-policy.js';
import { mintId } from '../ground/index.js';
import { Counter } from './counter.js';
import type { Chargeable, Footing, Grantor, NamedLimit, Reservation, UsedUp } from './reserve.js';

const order = ['permit', 'session', 'once'] as const;
const points = ['p', 'q', 'r'] as const;
type Point = (typeof points)[number];

interface PointRule extends Grantor {
  readonly holds: readonly Point[];
}
interface World {
  readonly rules: readonly PointRule[];
  readonly limits: readonly (NamedLimit & { readonly meets: readonly Point[] })[];
  readonly caps: Readonly<Record<Point, (typeof order)[number]>>;
}
interface Step {
  readonly session: 's' | 't';
  readonly points: readonly Point[];
  readonly days: number;
  readonly back: boolean;
}

const some = fc.subarray([...points], { minLength: 1 });
const level = fc.constantFrom(...order);
const world: fc.Arbitrary<World> = fc.record({
  rules: fc
    .array(
      fc.record({ level, uses: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }), holds: some }),
      {
        minLength: 1,
        maxLength: 5,
      },
    )
    .map((list) =>
      list.map(({ uses, ...rule }, at) => ({
        rule: `allow[${at}]`,
        ...rule,
        ...(uses === undefined ? {} : { uses }),
      })),
    ),
  limits: fc
    .array(
      fc.record({
        uses: fc.integer({ min: 1, max: 4 }),
        per: fc.constantFrom('session', 'executor', 'day'),
        meets: some,
      }),
      {
        maxLength: 3,
      },
    )
    .map((list) => list.map((limit, at) => ({ name: `l${at}`, ...limit }))) as fc.Arbitrary<World['limits']>,
  caps: fc.record({ p: level, q: level, r: level }),
});
const steps = fc.array(
  fc.record({
    session: fc.constantFrom('s' as const, 't' as const),
    points: some,
    days: fc.constantFrom(0, 0, 0, 1),
    back: fc.boolean(),
  }),
  { maxLength: 25 },
);

function callOn({ rules, limits, caps }: World, asked: readonly Point[]): Chargeable {
  return {
    cap: 'permit',
    footings: asked.map((point): Footing => {
      const own = rules.filter(({ holds }) => holds.includes(point));
      return { cap: caps[point], rules: own, heldBy: (kept) => kept.length > 0 };
    }),
    limits: limits.filter(({ meets }) => meets.some((point) => asked.includes(point))),
  };
}

/** POLICY section 2, point 5 and 6, as plainly as can be: a log of charges, and everything counted from it. */
class Reference {
  readonly #world: World;
  #charges: { readonly what: string; readonly session: string; readonly day: number }[] = [];

  constructor(given: World) {
    this.#world = given;
  }

  call({ session, points: asked, back }: Step, day: number): { level: string } | 'used-up' {
    const left = ({ rule, uses = Infinity }: Grantor): number =>
      uses - this.#charges.filter((each) => each.what === rule && each.session === session).length;
    for (const at of order) {
      const charged = this.#atLevel(at, asked, left);
      if (charged === undefined) continue;
      const met = this.#world.limits.filter(({ meets }) => meets.some((point) => asked.includes(point)));
      if (met.some((limit) => this.#count(limit, session, day) >= limit.uses)) return 'used-up';
      const names = met.map(({ name }) => name);
      if (!back)
        for (const what of new Set([...charged, ...names])) this.#charges.push({ what, session, day });
      return { level: at };
    }
    return 'used-up';
  }

  #atLevel(
    at: string,
    asked: readonly Point[],
    left: (rule: Grantor) => number,
  ): readonly string[] | undefined {
    const rank = (name: string): number => order.findIndex((each) => each === name);
    const charged: string[] = [];
    for (const point of asked) {
      const can = this.#world.rules.filter(
        (rule) => rule.holds.includes(point) && rank(rule.level) <= rank(at) && left(rule) > 0,
      );
      if (can.length === 0 || rank(this.#world.caps[point]) > rank(at)) return undefined;
      if (can.some(({ uses }) => uses === undefined)) continue;
      const most = Math.max(...can.map(left));
      charged.push(can.find((rule) => left(rule) === most)?.rule ?? '');
    }
    return charged;
  }

  #count({ name, per }: NamedLimit, session: string, day: number): number {
    const own = this.#charges.filter(({ what }) => what === name);
    if (per === 'session') return own.filter((each) => each.session === session).length;
    return per === 'executor' ? own.length : own.filter((each) => each.day === day).length;
  }
}

function ask(counter: Counter, given: World, step: Step): Reservation | UsedUp {
  return counter.reserve({
    session: mintId.session(step.session),
    executor: fakeExecutor('a'),
    budgets: { generation: '1', keys: new Map() },
    calls: [callOn(given, step.points)],
  });
}

describe('the counter', () => {
  test('[P.limit.next-level] [P.limit.named] says what the reference says, call by call', () => {
    fc.assert(
      fc.property(world, steps, (given, list) => {
        let day = 0;
        const counter = new Counter({ clock: { wall: () => day * 86_400_000 + 7 } });
        const reference = new Reference(given);
        for (const step of list) {
          day += step.days;
          const expected = reference.call(step, day);
          const got = ask(counter, given, step);
          expect(got.kind === 'used-up' ? 'used-up' : { level: got.level }).toEqual(expected);
          if (got.kind !== 'reserved') continue;
          if (step.back) got.giveBack();
          else got.spend();
        }
      }),
      { numRuns: 400 },
    );
  });

  test('[P.limit.kept] goes on where it was after a restart, for executors and days; sessions begin anew', () => {
    fc.assert(
      fc.property(world, steps, steps, (given, before, after) => {
        const wide = {
          ...given,
          rules: given.rules.map(({ rule, level, holds }) => ({ rule, level, holds })),
          limits: given.limits.filter(({ per }) => per !== 'session'),
        };
        let day = 0;
        const clock = { wall: (): number => day * 86_400_000 };
        let counter = new Counter({ clock });
        const reference = new Reference(wide);
        const kept = new Map<string, Reservation['kept'][number]>();
        const run = (list: readonly Step[]): void => {
          for (const step of list) {
            day += step.days;
            const expected = reference.call(step, day);
            const got = ask(counter, wide, step);
            expect(got.kind === 'used-up' ? 'used-up' : { level: got.level }).toEqual(expected);
            if (got.kind !== 'reserved') continue;
            for (const one of got.kept) kept.set(one.limit, one);
            if (step.back) for (const one of got.giveBack()) kept.set(one.limit, one);
          }
        };
        run(before);
        counter = new Counter({ clock, kept: [...kept.values()] });
        run(after);
      }),
      { numRuns: 200 },
    );
  });
});
