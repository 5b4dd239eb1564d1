/** Own pairs of policies in the form of the handed ones, each one sentence of the contract, most in both directions. */
import { describe, expect, test } from 'vitest';
import { type Pair, pairsOf, wrongPair } from './diff-pairs.js';

const pairs = pairsOf('own-diff');

function rows(list: readonly Pair[]): readonly (readonly [string, string, Pair])[] {
  return list.map((pair) => [pair.id, pair.about, pair] as const);
}

describe('[P.diff.relation] pairs', () => {
  test.each(rows(pairs))('%s: %s', (_id, _about, pair) => {
    expect(wrongPair(pair)).toEqual([]);
  });
});
