/** The worked cases of the contract. */
import { describe, expect, test } from 'vitest';
import { laterCases } from './cases.js';
import { casesOf, unbuilt, wrong } from './score.js';

const cases = casesOf('cases');

describe('[P.decide.cases] worked cases of the contract', () => {
  test.each(cases.filter(({ id }) => !Object.hasOwn(laterCases, id)).map((one) => [one.id, one] as const))(
    '%s',
    async (_id, one) => {
      expect(await wrong(one)).toEqual([]);
    },
  );

  test.each(
    cases
      .filter(({ id }) => Object.hasOwn(laterCases, id))
      .map((one) => [one.id, laterCases[one.id], one] as const),
  )('%s waits for %s', async (_id, _reason, one) => {
    const faults = await wrong(one);
    expect(faults, 'it no longer waits: take it off the list of later cases').not.toEqual([]);
    expect(faults.join('\n')).toMatch(unbuilt);
  });

  test('every listed case exists', () => {
    const ids = new Set(cases.map(({ id }) => id));
    expect(Object.keys(laterCases).filter((id) => !ids.has(id))).toEqual([]);
  });
});
