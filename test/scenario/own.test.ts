/** Own cases of the contract in the form of the worked ones, each one sentence of it in both directions. */
import { describe, expect, test } from 'vitest';
import { casesOf, wrong } from './score.js';

describe('[P.decide.cases] own cases of the contract', () => {
  test.each(casesOf('own').map((one) => [one.id, one.about, one] as const))(
    '%s: %s',
    async (_id, _about, one) => {
      expect(await wrong(one)).toEqual([]);
    },
  );
});
