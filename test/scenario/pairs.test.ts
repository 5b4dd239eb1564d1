/** The worked pairs of the contract. */
import { describe, expect, test } from 'vitest';
import { laterPairs } from './cases.js';
import { pairsOf, wrongPair } from './pairs.js';
import { unbuilt } from './score.js';

const pairs = pairsOf('pairs');

describe('[P.diff.relation] worked pairs of the contract', () => {
  test.each(pairs.filter(({ id }) => !Object.hasOwn(laterPairs, id)).map((one) => [one.id, one] as const))(
    '%s',
    async (_id, one) => {
      expect(await wrongPair(one)).toEqual([]);
    },
  );

  test.each(
    pairs
      .filter(({ id }) => Object.hasOwn(laterPairs, id))
      .map((one) => [one.id, laterPairs[one.id], one] as const),
  )('%s waits for %s', async (_id, _reason, one) => {
    const faults = await wrongPair(one);
    expect(faults, 'it no longer waits: take it off the list of later pairs').not.toEqual([]);
    expect(faults.join('\n')).toMatch(unbuilt);
  });

  test('every listed pair exists', () => {
    const ids = new Set(pairs.map(({ id }) => id));
    expect(Object.keys(laterPairs).filter((id) => !ids.has(id))).toEqual([]);
  });
});
