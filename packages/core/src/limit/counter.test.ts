/** What is charged, when it is given back, and what a reload changes of it. */
import { describe, expect, test } from 'vitest';
import { fakeExecutor } from '../../../../test/fake-policy.js';
import { mintId } from '../ground/index.js';
import { Counter } from './counter.js';
import type { BudgetBook, Chargeable, Footing, Grantor, NamedLimit, Reservation, UsedUp } from './reserve.js';

const day = 86_400_000;

function footing(...rules: readonly Grantor[]): Footing {
  return { cap: 'permit', rules, heldBy: (some) => some.length > 0 };
}
function rule(name: string, uses?: number, level: Grantor['level'] = 'permit'): Grantor {
  return { rule: name, level, ...(uses === undefined ? {} : { uses }) };
}
function on(...rules: readonly Grantor[]): Chargeable {
  return { cap: 'permit', footings: [footing(...rules)], limits: [] };
}
function limited(per: NamedLimit['per'], uses: number, name = 'pay'): Chargeable {
  return { cap: 'permit', footings: [], limits: [{ name, uses, per }] };
}

class Bench {
  wall = 0;
  counter = new Counter({ clock: { wall: () => this.wall } });
  budgets: BudgetBook = { generation: '1', keys: new Map() };

  reserve(calls: readonly Chargeable[], session = 's', executor = 'a'): Reservation | UsedUp {
    const who = { session: mintId.session(session), executor: fakeExecutor(executor) };
    return this.counter.reserve({ ...who, budgets: this.budgets, calls });
  }

  /** The level, or what has nothing left. */
  spend(call: Chargeable, session?: string, executor?: string): string {
    const got = this.reserve([call], session, executor);
    if (got.kind === 'used-up') return `used up: ${got.by ?? '?'}`;
    got.spend();
    return got.level;
  }
}

describe('budgets of rules', () => {
  test('[P.limit.next-level] the next level decides when none is left, and no level is a refusal', () => {
    const bench = new Bench();
    const call = on(rule('x', 1), rule('y', 2, 'session'), rule('z', 1, 'once'));
    expect([1, 2, 3, 4, 5].map(() => bench.spend(call))).toEqual([
      'permit',
      'session',
      'session',
      'once',
      'used up: x',
    ]);
  });

  test('[P.limit.next-level] a rule without budget is used before any with one, and charges nothing', () => {
    const bench = new Bench();
    const both = on(rule('x', 1), rule('free'));
    expect([1, 2, 3].map(() => bench.spend(both))).toEqual(['permit', 'permit', 'permit']);
    expect(bench.spend(on(rule('x', 1)))).toBe('permit');
  });

  test('[P.limit.next-level] the one with most left is charged', () => {
    const bench = new Bench();
    bench.spend(on(rule('x', 3), rule('y', 5)));
    bench.spend(on(rule('x', 3), rule('y', 5)));
    expect([1, 2, 3, 4].map(() => bench.spend(on(rule('y', 5))))).toEqual([
      'permit',
      'permit',
      'permit',
      'used up: y',
    ]);
    expect(bench.spend(on(rule('x', 3)))).toBe('permit');
  });

  test('[P.limit.reserved] a call with many accesses charges a rule once, and a call inside a dispatcher is a call of its own', () => {
    const bench = new Bench();
    const three = {
      ...on(),
      footings: [footing(rule('x', 2)), footing(rule('x', 2)), footing(rule('x', 2))],
    };
    expect([1, 2, 3].map(() => bench.spend(three))).toEqual(['permit', 'permit', 'used up: x']);
    const inner = on(rule('y', 2));
    expect(bench.reserve([inner, inner, inner])).toMatchObject({ kind: 'used-up', by: 'y' });
    expect(bench.reserve([inner, inner])).toMatchObject({ kind: 'reserved' });
    expect(bench.spend(inner)).toBe('used up: y');
  });

  test('[P.limit.reserved] a region that no single rule holds charges those that hold it together, and no others', () => {
    const bench = new Bench();
    const halves: Footing = {
      cap: 'permit',
      rules: [rule('left', 9), rule('right', 1), rule('other', 5)],
      heldBy: (some) =>
        some.some((each) => each.rule === 'left') && some.some((each) => each.rule === 'right'),
    };
    expect(bench.spend({ cap: 'permit', footings: [halves], limits: [] })).toBe('permit');
    expect(bench.spend(on(rule('right', 1)))).toBe('used up: right');
    expect([1, 2, 3, 4, 5].map(() => bench.spend(on(rule('other', 5))))).not.toContain('used up: other');
  });

  test('[P.limit.reserved] what is in flight counts, and is given back once, and only if it was not spent', () => {
    const bench = new Bench();
    const call = on(rule('x', 1));
    const first = bench.reserve([call]);
    expect(bench.spend(call)).toBe('used up: x');
    if (first.kind === 'reserved') {
      first.giveBack();
      first.giveBack();
    }
    const second = bench.reserve([call]);
    if (second.kind === 'reserved') {
      second.spend();
      second.giveBack();
    }
    expect(bench.spend(call)).toBe('used up: x');
  });

  test('a session has its own budget, and so has an executor', () => {
    const bench = new Bench();
    const call = on(rule('x', 1));
    expect([bench.spend(call, 's'), bench.spend(call, 't'), bench.spend(call, 's', 'b')]).toEqual([
      'permit',
      'permit',
      'permit',
    ]);
    expect(bench.spend(call, 's')).toBe('used up: x');
  });

  test('[P.limit.kept] a reload refills nothing: a rule that moved goes on, one that changed begins where the used one stood', () => {
    const bench = new Bench();
    bench.budgets = {
      generation: '1',
      keys: new Map([
        ['allow[0]', 'A'],
        ['allow[1]', 'B'],
      ]),
    };
    bench.spend(on(rule('allow[0]', 2)));
    bench.spend(on(rule('allow[1]', 1)));
    bench.budgets = {
      generation: '2',
      keys: new Map([
        ['allow[0]', 'B'],
        ['allow[1]', 'narrower A'],
      ]),
    };
    expect(bench.spend(on(rule('allow[0]', 1)))).toBe('used up: allow[0]');
    expect([1, 2].map(() => bench.spend(on(rule('allow[1]', 2))))).toEqual(['permit', 'used up: allow[1]']);
    bench.budgets = { generation: '3', keys: new Map([['allow[0]', 'A']]) };
    expect(bench.spend(on(rule('allow[0]', 2)))).toBe('used up: allow[0]');
  });
});

describe('named limits', () => {
  test('[P.limit.named] each is counted where it says, and all that a call meets are charged or none', () => {
    const bench = new Bench();
    const both = {
      ...limited('session', 1, 'one'),
      limits: [...limited('session', 1, 'one').limits, ...limited('executor', 2, 'two').limits],
    };
    expect(bench.spend(both, 's')).toBe('permit');
    expect(bench.spend(both, 's')).toBe('used up: one');
    expect(bench.spend(both, 't')).toBe('permit');
    expect(bench.spend(both, 'u')).toBe('used up: two');
    expect(bench.spend(limited('session', 1, 'one'), 'u')).toBe('permit');
  });

  test('[P.limit.named] a day is a day of UTC, and a clock that goes back refills nothing', () => {
    const bench = new Bench();
    bench.wall = day - 1;
    expect([bench.spend(limited('day', 1)), bench.spend(limited('day', 1))]).toEqual([
      'permit',
      'used up: pay',
    ]);
    bench.wall = day;
    expect([bench.spend(limited('day', 1)), bench.spend(limited('day', 1))]).toEqual([
      'permit',
      'used up: pay',
    ]);
    bench.wall = 0;
    expect(bench.spend(limited('day', 1))).toBe('used up: pay');
  });

  test('[P.limit.reserved] what was taken yesterday is not given back today', () => {
    const bench = new Bench();
    const taken = bench.reserve([limited('day', 1)]);
    bench.wall = day;
    expect(bench.spend(limited('day', 1))).toBe('permit');
    if (taken.kind === 'reserved') taken.giveBack();
    expect(bench.spend(limited('day', 1))).toBe('used up: pay');
  });

  test('what is used up says at which level the call would go, for the sake of an ask before it', () => {
    const bench = new Bench();
    const call = { ...on(rule('x', 1, 'once')), limits: limited('day', 1).limits };
    bench.spend(limited('day', 1));
    expect(bench.reserve([call])).toEqual({ kind: 'used-up', level: 'once', by: 'pay' });
  });
});
