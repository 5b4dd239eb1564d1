/** Generations: what their hash depends on, and whose policy a call is judged by. */
import { describe, expect, test } from 'vitest';
import { generationHash } from './snapshot.js';

describe('the hash of a generation', () => {
  const parts = { document: { agents: { a: {} } }, facts: { f: [1] }, tools: {} };

  test('[P.policy.hash] depends on every part and on no order of members', () => {
    const same = { tools: {}, facts: { f: [1] }, document: { agents: { a: {} } } };
    expect(generationHash(same)).toBe(generationHash(parts));
    for (const part of Object.keys(parts)) {
      expect(generationHash({ ...parts, [part]: { other: true } })).not.toBe(generationHash(parts));
    }
    expect(generationHash({ ...parts, connectors: {} })).not.toBe(generationHash(parts));
  });
});
