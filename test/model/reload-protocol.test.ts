/** The Promela model of the reload protocol keeps its promises, and with each fault it breaks the one that it should. */
import { beforeEach, describe, expect, test } from 'vitest';
import { faults, obstacle, postureOf, postures, promises, search, wrongIn } from '../../scripts/model.mjs';

const reason = obstacle();
const timeout = 180_000;

describe.concurrent('[P.reload.model] docs/model/reload.pml', () => {
  // In CI a search that cannot be made is a failure; elsewhere it is skipped and says why.
  beforeEach(({ skip }) => {
    if (reason === undefined) return;
    if (process.env['CI']) throw new Error(`CI is set, and the model was not searched: ${reason}`);
    skip(`the model was not searched: ${reason}`);
  });

  test.each(postures)(
    'with posture %s no interleaving breaks a promise, and every line of the model is executed',
    { timeout },
    async (posture) => {
      const found = await search(posture);
      expect(wrongIn(found)).toBeUndefined();
      expect(found.states).toBeGreaterThan(1_000_000);
    },
  );

  test.each(faults)('$name breaks $breaks', { timeout }, async (fault) => {
    expect(await search(postureOf(fault), fault)).toMatchObject({ broken: fault.breaks });
  });
});

test('[P.reload.model] every promise of the model is broken by some fault', () => {
  expect(new Set(faults.map(({ breaks }) => breaks))).toEqual(new Set(promises()));
});
