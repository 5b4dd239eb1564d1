/** Reload, dispatch, revoke, consent, unmount and freeze in every interleaving that the scheduler finds, over the real rooms. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Act, answers, calls, others, perform, reloads, stops } from './acts.js';
import { judgeAfterwards } from './afterwards.js';
import type { Posture, Shape } from './documents.js';
import { Race } from './race.js';

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
    'permit',
    'session',
    'once',
    'frozen',
    'thawed',
    'revoked',
    'generation_widened',
    'not_permitted',
    'consent_required',
    'consent_refused',
    'settled ok',
    'settled no_such_cap',
    'settled attenuated_away',
    'settled changed_meanwhile',
    'reload activated',
    'reload same',
    'reload refused',
    'reload failed',
    'reload invalid',
  ];
  expect(expected.filter((what) => !seen.has(what))).toEqual([]);
});
