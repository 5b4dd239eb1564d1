/** Naming arguments, finding what stands at a path, and putting values in. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { argumentName, leavesAt, parseArgumentName, withEdits } from './argument.js';

describe('names', () => {
  test('[P.rule.closed-world] what a path is called reads back as the path', () => {
    const name = fc.oneof(
      fc.string({ minLength: 1, maxLength: 5, unit: 'binary' }),
      fc.constantFrom('a.b', '"', '\\', 'a"b\\', 'ä', '|', ' '),
    );
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 3 }), (path) => {
        expect(parseArgumentName(argumentName(path))).toEqual(path);
      }),
    );
  });

  test('[P.policy.unknown-key] what is no name is none', () => {
    for (const text of [
      'args',
      'args.',
      'args..a',
      'args.a.',
      'args."a',
      'args.a"b"',
      'args.""',
      'arg.a',
      'path',
      'args.a b"',
    ]) {
      expect([text, parseArgumentName(text)]).toEqual([text, undefined]);
    }
  });
});

describe('leaves', () => {
  test('[P.kind.arrays] a path steps through arrays, one leaf an element', () => {
    const args = { l: [{ k: 1 }, { k: [2] }, {}, 5], o: { k: null } };
    expect(leavesAt(args, ['l', 'k'])).toEqual({
      spread: true,
      leaves: [
        { place: ['l', 0, 'k'], value: 1 },
        { place: ['l', 1, 'k'], value: [2] },
        { place: ['l', 2, 'k'], value: undefined },
        { place: [], value: undefined },
      ],
    });
    expect(leavesAt(args, ['o', 'k'])).toEqual({
      spread: false,
      leaves: [{ place: ['o', 'k'], value: null }],
    });
    expect(leavesAt(args, ['o', 'x', 'y']).leaves).toEqual([{ place: [], value: undefined }]);
    expect(leavesAt({ l: [] }, ['l', 'k'])).toEqual({ spread: true, leaves: [] });
  });

  test('[P.decode.proto] nothing that every object has is ever found', () => {
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
      expect(leavesAt({ o: {} }, [name]).leaves[0]?.value).toBeUndefined();
      expect(leavesAt({ o: {} }, ['o', name]).leaves[0]?.value).toBeUndefined();
    }
  });
});

describe('edits', () => {
  test('[P.decode.judged-is-forwarded] change what they name, share the rest, and never alter what they were given', () => {
    const args = Object.freeze({
      a: Object.freeze({ b: 1 }),
      l: Object.freeze([Object.freeze({ k: 1 }), 2]),
      c: 3,
    });
    const edited = withEdits(args, [
      { place: ['a', 'n', 'm'], value: 4 },
      { place: ['l', 0, 'k'], value: 5 },
    ]);
    expect(edited).toEqual({ a: { b: 1, n: { m: 4 } }, l: [{ k: 5 }, 2], c: 3 });
    expect(args).toEqual({ a: { b: 1 }, l: [{ k: 1 }, 2], c: 3 });
  });

  test('[S002.same-object] that change nothing give back the very object', () => {
    const args = { a: { b: 'x' }, l: ['y'] };
    expect(
      withEdits(args, [
        { place: ['a', 'b'], value: 'x' },
        { place: ['l', 0], value: 'y' },
      ]),
    ).toBe(args);
    expect(withEdits(args, [])).toBe(args);
  });
});
