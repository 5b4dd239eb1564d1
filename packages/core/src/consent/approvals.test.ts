/** What an approval seals, how long it stands, and what ends it. */
import { describe, expect, test } from 'vitest';
import {
  type FakeClock,
  fakeClock,
  fakeEntropy,
  fakeExecutor,
  fakeTool,
} from '../../../../test/fake-policy.js';
import { mintId, sha256 } from '../ground/index.js';
import { type ConsentAnswer, type ConsentRequest, Approvals } from './index.js';
import { mostAsks } from './approvals.js';

const minute = 60_000;
const request: ConsentRequest = {
  session: mintId.session('s'),
  executor: fakeExecutor('a'),
  epoch: 0,
  tool: fakeTool('bank/pay'),
  toolDigest: sha256('definition'),
  argumentsDigest: sha256('arguments'),
  shown: 'bank__pay {"amount":1}',
  level: 'once',
};

class Bench {
  readonly clock: FakeClock = fakeClock();
  readonly dead = new Set<string>();
  readonly approvals = new Approvals({
    clock: this.clock,
    entropy: fakeEntropy(),
    expires: () => 10 * minute,
    isAlive: ({ session }) => !this.dead.has(session),
  });

  ask(more: Partial<ConsentRequest> = {}): ConsentAnswer {
    return this.approvals.ask({ ...request, ...more });
  }

  /** Asks, and answers. */
  approved(more: Partial<ConsentRequest> = {}): string {
    const { id = '' } = this.ask(more);
    expect(this.approvals.answer(id, 'yes')).toMatchObject({ kind: 'answered' });
    return id;
  }

  /** Asks, and makes the call if it may. */
  use(more: Partial<ConsentRequest> = {}): string {
    const answer = this.ask(more);
    if (answer.kind === 'approved') answer.spend();
    return answer.kind;
  }
}

describe('an ask', () => {
  test('is found again by the same call, and shows what it is about', () => {
    const bench = new Bench();
    const [first, second] = [bench.ask(), bench.ask()];
    expect(first).toMatchObject({ kind: 'required', id: expect.stringMatching(/^a_[a-z2-7]{16}$/u) });
    expect(second).toEqual(first);
    bench.clock.pass(minute);
    expect(bench.approvals.waiting()).toEqual([
      expect.objectContaining({
        id: first.id,
        state: 'waiting',
        shown: request.shown,
        level: 'once',
        age: minute,
        left: 9 * minute,
      }),
    ]);
  });

  test('[P.ask.expires] expires after the time of the policy: a refusal, then another ask', () => {
    const bench = new Bench();
    const { id = '' } = bench.ask();
    bench.clock.pass(10 * minute);
    expect(bench.approvals.waiting()).toHaveLength(1);
    expect(bench.approvals.answer(id, 'yes')).toEqual({ kind: 'none' });
    expect(bench.ask()).toMatchObject({ kind: 'expired', id });
    const next = bench.ask();
    expect(next.kind).toBe('required');
    expect(next.id).not.toBe(id);
  });

  test('[P.ask.expires] the wall clock has no say', () => {
    const bench = new Bench();
    bench.ask();
    bench.clock.jump(1000 * minute);
    expect(bench.ask().kind).toBe('required');
  });

  test('is kept for a bounded number of calls; what comes beyond is refused all the same', () => {
    const bench = new Bench();
    for (let at = 0; at < mostAsks; at += 1) bench.ask({ argumentsDigest: sha256(`${at}`) });
    expect(bench.ask()).toMatchObject({ kind: 'required' });
    expect(bench.ask().id).toBeUndefined();
    expect(bench.ask({ session: mintId.session('other') }).id).toBeDefined();
    expect(bench.approvals.waiting()).toHaveLength(mostAsks + 1);
  });
});

describe('an approval', () => {
  test('[P.ask.approval-used] for one call is used up by it', () => {
    const bench = new Bench();
    bench.approved();
    expect([bench.use(), bench.use()]).toEqual(['approved', 'required']);
  });

  test('[P.ask.approval-used] for one call is held by one of two calls at a time, and is there again when nothing was handed over', () => {
    const bench = new Bench();
    bench.approved();
    const held = bench.ask();
    expect(bench.ask().kind).toBe('required');
    if (held.kind === 'approved') held.giveBack();
    expect([bench.use(), bench.use()]).toEqual(['approved', 'required']);
  });

  test('[P.ask.approval-used] for the session holds for this very call until the session ends', () => {
    const bench = new Bench();
    bench.approved({ level: 'session' });
    expect(bench.use({ level: 'session' })).toBe('approved');
    bench.clock.pass(600 * minute);
    expect(bench.use({ level: 'session' })).toBe('approved');
    bench.dead.add('s');
    bench.approvals.waiting();
    expect(bench.use({ level: 'session' })).toBe('required');
  });

  test('[P.ask.expires] that nobody takes up expires', () => {
    const bench = new Bench();
    bench.approved({ level: 'session' });
    bench.clock.pass(10 * minute);
    expect(bench.use({ level: 'session' })).toBe('expired');
  });

  test('[P.ask.approval-seals] is no approval of anything that differs', () => {
    const others: readonly Partial<ConsentRequest>[] = [
      { session: mintId.session('t') },
      { executor: fakeExecutor('b') },
      { epoch: 1 },
      { tool: fakeTool('bank/steal') },
      { toolDigest: sha256('another') },
      { argumentsDigest: sha256('others') },
      { shown: 'bank__pay {"amount":2}' },
    ];
    for (const other of others) {
      const bench = new Bench();
      bench.approved();
      expect(bench.use(other)).toBe('required');
      expect(bench.use()).toBe('approved');
    }
  });

  test('[P.ask.approval-seals] is never wider than what was shown, nor than what the rules let stand now', () => {
    const given = new Bench();
    given.approved({ level: 'once' });
    expect([given.use({ level: 'session' }), given.use({ level: 'session' })]).toEqual([
      'approved',
      'required',
    ]);
    const narrowed = new Bench();
    narrowed.approved({ level: 'session' });
    expect([narrowed.use({ level: 'once' }), narrowed.use({ level: 'session' })]).toEqual([
      'approved',
      'required',
    ]);
  });

  test('is given once: neither a second yes nor a late no changes it', () => {
    const bench = new Bench();
    const id = bench.approved();
    expect(bench.approvals.answer(id, 'no')).toMatchObject({ kind: 'answered-before' });
    expect(bench.use()).toBe('approved');
  });

  test('[P.ask.own] is not given by the session that asks', () => {
    const bench = new Bench();
    const { id = '' } = bench.ask();
    expect(bench.approvals.answer(id, 'yes', { session: request.session })).toMatchObject({
      kind: 'own-ask',
    });
    expect(bench.use()).toBe('required');
    expect(bench.approvals.answer(id, 'yes', { session: mintId.session('another') })).toMatchObject({
      kind: 'answered',
    });
  });

  test('dies with its session and can not be given afterwards', () => {
    const bench = new Bench();
    const { id = '' } = bench.ask();
    bench.dead.add('s');
    expect(bench.approvals.answer(id, 'yes')).toEqual({ kind: 'none' });
    expect(bench.approvals.waiting()).toEqual([]);
  });
});

describe('a refusal by a person', () => {
  test('stands for as long as an approval would, and is then asked anew', () => {
    const bench = new Bench();
    const { id = '' } = bench.ask();
    bench.approvals.answer(id, 'no');
    expect([bench.use(), bench.use()]).toEqual(['refused', 'refused']);
    bench.clock.pass(10 * minute);
    expect(bench.use()).toBe('required');
  });
});

test('the version moves with every answer, and not with asking', () => {
  const bench = new Bench();
  const before = bench.approvals.version();
  const { id = '' } = bench.ask();
  bench.ask();
  expect(bench.approvals.version()).toBe(before);
  bench.approvals.answer(id, 'yes');
  expect(bench.approvals.version()).not.toBe(before);
});
