/** A short storm; the long one is `npm run storm`. */
import { describe, expect, test } from 'vitest';
import { storm } from './storm.js';

describe.each(['recheck', 'bind'] as const)('posture %s', (posture) => {
  test('[P.race.storm] every verdict under cycling generations is the one that its recorded generation gives offline', async () => {
    const seen = await storm({ calls: 8000, concurrency: 64, seed: 1, posture });
    expect(seen.mismatches).toEqual([]);
    expect(seen.calls).toBeGreaterThanOrEqual(8000);
    expect(seen.results).toBeGreaterThan(0);
    expect(seen.generations).toBeGreaterThan(5);
    const happened = new Set([...Object.keys(seen.reloads), ...Object.keys(seen.refusals)]);
    const expected = [
      'activated',
      'refused',
      'activated, bump',
      'activated, bump all',
      'invalid, broken file',
      'failed, broken store',
      'refused, broken prover',
      'not_permitted',
      'no_such_cap',
      'attenuated_away',
      'consent_required',
    ];
    expect(expected.filter((what) => !happened.has(what))).toEqual([]);
  });
});
