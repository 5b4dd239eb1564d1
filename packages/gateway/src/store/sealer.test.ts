import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { sealerOf } from './sealer.js';

const key = new Uint8Array(32).fill(7);
const sealer = sealerOf(key);

test('[P.ask.state] opens what it sealed, and never seals the same text the same way', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const [one, two] = [sealer.seal(text), sealer.seal(text)];
      expect([sealer.open(one), sealer.open(two)]).toEqual([text, text]);
      expect(one).not.toBe(two);
      expect(one).toMatch(/^[\w-]+$/u);
    }),
  );
});

test('[P.ask.state] opens nothing that was changed, cut, lengthened, or sealed under another key', () => {
  const sealed = sealer.seal('{"ask":"a"}');
  for (let at = 0; at < sealed.length; at += 1) {
    const other = sealed[at] === 'A' ? 'B' : 'A';
    expect(sealer.open(`${sealed.slice(0, at)}${other}${sealed.slice(at + 1)}`)).toBeUndefined();
    expect(sealer.open(sealed.slice(0, at))).toBeUndefined();
  }
  for (const more of ['A', '=', ' ', '\n', '.x']) expect(sealer.open(`${sealed}${more}`)).toBeUndefined();
  expect(sealerOf(new Uint8Array(32).fill(8)).open(sealed)).toBeUndefined();
  expect(sealer.open('x'.repeat(100_000))).toBeUndefined();
});
