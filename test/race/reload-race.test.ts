/** Reload, dispatch, revoke, consent, unmount and freeze in every interleaving that the scheduler finds, over the real rooms. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeAfterwards } from './afterwards.js';
import { type Posture, type Shape, documentOf, shapes } from './documents.js';
import { Race } from './race.js';

type Act =
  | { readonly do: 'call'; readonly agent: string; readonly x: string; readonly y?: string | undefined }
  | {
      readonly do: 'reload';
      readonly shape: Shape;
      readonly b: 'red' | 'red, blue';
      readonly act: boolean;
      readonly all: boolean;
    }
  | {
      readonly do: 'revoke';
      readonly kind: 'session' | 'executor' | 'key' | 'capability';
      readonly agent: string;
    }
  | { readonly do: 'freeze'; readonly name: string }
  | { readonly do: 'thaw'; readonly name: string; readonly reissue: boolean }
  | { readonly do: 'answer'; readonly says: 'yes' | 'no' }
  | { readonly do: 'present'; readonly agent: string }
  | { readonly do: 'break'; readonly what: 'store' | 'prover'; readonly broken: boolean }
  | { readonly do: 'unreadable' | 'mount' };

const agent = fc.constantFrom('a', 'a', 'a', 'b');
const calls: fc.Arbitrary<Act> = fc.record({
  do: fc.constant('call' as const),
  agent,
  x: fc.constantFrom('red', 'blue', 'green', 'violet'),
  y: fc.constantFrom(undefined, undefined, 'one', 'two'),
});
const reloads: fc.Arbitrary<Act> = fc.record({
  do: fc.constant('reload' as const),
  shape: fc.constantFrom(...shapes),
  b: fc.constantFrom('red' as const, 'red' as const, 'red, blue' as const),
  act: fc.boolean(),
  all: fc.boolean(),
});
const answers: fc.Arbitrary<Act> = fc.record({
  do: fc.constant('answer' as const),
  says: fc.constantFrom('yes' as const, 'yes' as const, 'no' as const),
});
const stops: fc.Arbitrary<Act> = fc.oneof(
  fc.record({
    do: fc.constant('revoke' as const),
    kind: fc.constantFrom('session' as const, 'executor' as const, 'key' as const, 'capability' as const),
    agent,
  }),
  fc.record({ do: fc.constant('freeze' as const), name: fc.constantFrom('a', '*') }),
  fc.record({ do: fc.constant('thaw' as const), name: fc.constantFrom('a', '*'), reissue: fc.boolean() }),
);
const others: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ do: fc.constant('present' as const), agent }),
  fc.record({
    do: fc.constant('break' as const),
    what: fc.constantFrom('store' as const, 'prover' as const),
    broken: fc.boolean(),
  }),
  fc.record({ do: fc.constantFrom('unreadable' as const, 'mount' as const) }),
);

function perform(race: Race, act: Act): void {
  if (act.do === 'call') race.call(act.agent, { x: act.x, ...(act.y === undefined ? {} : { y: act.y }) });
  else if (act.do === 'reload')
    race.reload(
      documentOf(act.shape, race.posture, act.b),
      act.act ? { act: { all: act.all, reissue: act.all } } : {},
    );
  else if (act.do === 'unreadable') race.reload(undefined);
  else if (act.do === 'revoke') race.revoke(act.kind, act.agent);
  else if (act.do === 'freeze') race.freeze(act.name);
  else if (act.do === 'thaw') race.thaw(act.name, act.reissue);
  else if (act.do === 'answer') race.answer(act.says);
  else if (act.do === 'present') race.present(act.agent);
  else if (act.do === 'mount') race.toggleMount();
  else if (act.do === 'break' && act.what === 'store') race.world.generations.broken = act.broken;
  else if (act.do === 'break') race.proverFails = act.broken;
}

/** What happened in all the races so far, and in how many of them. */
const seen = new Map<string, number>();

/** What happened in a race, as one word each. */
function seenIn(race: Race): ReadonlySet<string> {
  const { audit } = race.world;
  const late = race.handedOver.some(({ intent, inForce }) => intent.policyGeneration?.number !== inForce);
  return new Set([
    ...(late ? ['handed over under a later generation'] : []),
    ...race.handedOver.map(({ intent }) => intent.level),
    ...race.reloads.map(({ reloaded }) => `reload ${reloaded.kind}`),
    ...audit.of('refusal').map(({ code, reason, detail }) => reason ?? (detail === 'frozen' ? detail : code)),
    ...audit.of('settlement').map(({ code, outcome }) => `settled ${code ?? outcome}`),
    ...(race.thaws > 0 ? ['thawed'] : []),
  ]);
}

async function raced(
  scheduler: fc.Scheduler,
  acts: readonly Act[],
  posture: Posture,
  first?: Shape,
): Promise<Race> {
  const race = new Race(scheduler, posture, first);
  await race.run(acts.map((act) => [act.do, () => perform(race, act)]));
  for (const what of seenIn(race)) seen.set(what, (seen.get(what) ?? 0) + 1);
  return race;
}

describe.each(['recheck', 'bind'] as const)('posture %s', (posture) => {
  const everything = fc.oneof(
    { arbitrary: calls, weight: 8 },
    { arbitrary: reloads, weight: 4 },
    { arbitrary: answers, weight: 2 },
    { arbitrary: stops, weight: 2 },
    { arbitrary: others, weight: 2 },
  );

  test('[P.race.hand-over] [P.race.replay] [S000.no-re-resolve] whatever races, no call goes outside what admitted it and what is in force, and the audit can be replayed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(everything, { minLength: 6, maxLength: 40 }),
        async (scheduler, acts) => {
          const race = await raced(scheduler, acts, posture);
          expect(judgeAfterwards(race)).toEqual([]);
        },
      ),
      { numRuns: 80 },
    );
  });

  test('[P.race.hand-over] calls and reloads alone, close together', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.oneof({ arbitrary: calls, weight: 3 }, { arbitrary: reloads, weight: 1 }), {
          minLength: 6,
          maxLength: 30,
        }),
        async (scheduler, acts) => {
          expect(judgeAfterwards(await raced(scheduler, acts, posture))).toEqual([]);
        },
      ),
      { numRuns: 80 },
    );
  });

  test('[P.race.hand-over] what is filled in is filled as the generation says that admitted the call, or the call is not made', async () => {
    const bare = calls.map((act) => ({ ...act, agent: 'a', x: 'red', y: undefined }));
    const other = fc
      .constantFrom<Shape>('fills', 'narrow')
      .map((shape): Act => ({ do: 'reload', shape, b: 'red', act: true, all: false }));
    const again = fc.constant<Act>({ do: 'present', agent: 'a' });
    const acts = fc.oneof(
      { arbitrary: bare, weight: 4 },
      { arbitrary: other, weight: 1 },
      { arbitrary: again, weight: 1 },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(acts, { minLength: 6, maxLength: 20 }),
        async (scheduler, list) => {
          expect(judgeAfterwards(await raced(scheduler, list, posture, 'narrow'))).toEqual([]);
        },
      ),
      { numRuns: 80 },
    );
  });

  test('[P.race.hand-over] asks, answers and budgets: a yes is good for what was shown, and as often as was said', async () => {
    const asking = fc.oneof(
      { arbitrary: calls.map((act) => ({ ...act, agent: 'a', x: 'blue', y: undefined })), weight: 4 },
      { arbitrary: calls.map((act) => ({ ...act, agent: 'a', x: 'red', y: undefined })), weight: 2 },
      { arbitrary: answers, weight: 4 },
      { arbitrary: reloads, weight: 1 },
      { arbitrary: fc.oneof(stops, others), weight: 1 },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(asking, { minLength: 10, maxLength: 40 }),
        fc.constantFrom<Shape>('asks', 'once', 'counts'),
        async (scheduler, acts, first) => {
          expect(judgeAfterwards(await raced(scheduler, acts, posture, first))).toEqual([]);
        },
      ),
      { numRuns: 80 },
    );
  });
});

test('[P.race.hand-over] the races are races: everything that may become of a call and of a reload was seen among them', () => {
  const expected = [
    'handed over under a later generation',
    ...['permit', 'session', 'once', 'frozen', 'thawed', 'revoked', 'generation_widened'],
    ...['not_permitted', 'consent_required', 'consent_refused'],
    ...['settled ok', 'settled no_such_cap', 'settled attenuated_away', 'settled changed_meanwhile'],
    ...['activated', 'same', 'refused', 'failed', 'invalid'].map((kind) => `reload ${kind}`),
  ];
  expect(expected.filter((what) => !seen.has(what))).toEqual([]);
});
