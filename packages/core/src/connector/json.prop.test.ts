import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson, parseJsonBytes } from './json.js';
import { joinMembers, sliceMembers } from './json-members.js';
import { exactNumber } from './json-number.js';

const json = fc.jsonValue({ maxDepth: 6, noUnicodeString: false });

function clean(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, member: unknown) => (key === '__proto__' ? undefined : member)),
  );
}

/** A text near JSON: printed JSON with one edit. */
const nearJson = fc
  .tuple(
    json,
    fc.nat(),
    fc.nat(3),
    fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', '0', '-', 'e', '.', ' ', '\n', '\u0000', 'x'),
  )
  .map(([value, position, remove, insert]) => {
    const text = JSON.stringify(value);
    const at = position % (text.length + 1);
    return text.slice(0, at) + insert + text.slice(at + remove);
  });

/** As JSON.parse reads it; a zero with a sign is the number zero. */
function jsonParse(text: string): { value: unknown } | undefined {
  const plain = (_key: string, value: unknown): unknown => (Object.is(value, -0) ? 0 : value);
  try {
    return { value: JSON.parse(text, plain) as unknown };
  } catch {
    return undefined;
  }
}

describe('strict JSON', () => {
  test('parse after print is the identity', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 1, '\t'), (raw, indent) => {
        const value = clean(raw);
        expect(parseJson(JSON.stringify(value, null, indent))).toStrictEqual({ ok: true, value });
      }),
    );
  });

  test('what it reads, JSON.parse reads as the same value; what JSON.parse refuses, it refuses', () => {
    fc.assert(
      fc.property(nearJson, (text) => {
        const strict = parseJson(text);
        const loose = jsonParse(text);
        if (strict.ok) expect({ value: strict.value }).toEqual(loose);
      }),
      { numRuns: 2000 },
    );
  });

  test('what it refuses although JSON.parse reads it is a documented refusal', () => {
    const documented = /twice in one object|"__proto__"|no double holds|levels|more than/u;
    fc.assert(
      fc.property(nearJson, (text) => {
        const strict = parseJson(text);
        if (!strict.ok && jsonParse(text) !== undefined) expect(strict.found).toMatch(documented);
      }),
      { numRuns: 2000 },
    );
  });

  test('[P.decode.no-throw] never throws on any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), nearJson), (text) => {
        const result = parseJson(text);
        expect(result.ok || (result.at >= 0 && result.at <= text.length && result.found !== '')).toBe(true);
        sliceMembers(text);
      }),
      { numRuns: 2000 },
    );
  });

  test('[P.decode.no-throw] never throws on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(typeof parseJsonBytes(bytes).ok).toBe('boolean');
      }),
    );
  });
});

describe('exact numbers', () => {
  const digits = (length: number): fc.Arbitrary<string> =>
    fc.string({
      unit: fc.constantFrom('0', '1', '2', '3', '4', '5', '6', '7', '8', '9'),
      minLength: 1,
      maxLength: length,
    });
  const literal = fc
    .tuple(
      fc.constantFrom('', '-'),
      digits(25),
      fc.option(digits(25)),
      fc.option(fc.integer({ min: -360, max: 360 })),
    )
    .map(([sign, whole, fraction, exponent]) => {
      const start = `${sign}${whole.replace(/^0+(?=.)/u, '')}`;
      return `${start}${fraction === null ? '' : `.${fraction}`}${exponent === null ? '' : `e${exponent}`}`;
    });

  /** Value × 10^800 as an integer: exact for every literal above. */
  function scaled(text: string): bigint {
    const [, sign = '', whole = '0', fraction = '', exponent = '0'] =
      /^(-?)(\d+)(?:\.(\d+))?(?:e([-+]?\d+))?$/u.exec(text) ?? [];
    const power = 800 + Number(exponent) - fraction.length;
    const value = BigInt(whole + fraction) * 10n ** BigInt(power);
    return sign === '-' ? -value : value;
  }

  test('[P.decode.numbers] a literal is exact if and only if it equals the shortest decimal of its double', () => {
    fc.assert(
      fc.property(literal, (text) => {
        const value = Number(text);
        const survives = Number.isFinite(value) && scaled(text) === scaled(String(value));
        expect(exactNumber(text)).toBe(survives ? value + 0 : undefined);
        expect(parseJson(text).ok).toBe(survives);
      }),
      { numRuns: 3000 },
    );
  });

  test('every printed double is exact', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(exactNumber(String(value))).toBe(value + 0);
      }),
    );
  });
});

describe('slices', () => {
  test('joined slices are the same value, and each slice is the text of its member', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'binary' }), json),
        fc.constantFrom(undefined, 2),
        (raw, indent) => {
          const value = clean(raw) as Record<string, unknown>;
          const slices = sliceMembers(JSON.stringify(value, null, indent));
          expect([...(slices?.keys() ?? [])].toSorted()).toStrictEqual(Object.keys(value).toSorted());
          for (const [key, slice] of slices ?? []) expect(JSON.parse(slice)).toStrictEqual(value[key]);
          expect(JSON.parse(joinMembers(slices ?? new Map()))).toStrictEqual(value);
        },
      ),
    );
  });

  test('a text has slices exactly if it is an object that the strict reader accepts, numbers aside', () => {
    fc.assert(
      fc.property(nearJson, (text) => {
        const strict = parseJson(text);
        const object =
          strict.ok &&
          typeof strict.value === 'object' &&
          strict.value !== null &&
          !Array.isArray(strict.value);
        const sliced = sliceMembers(text) !== undefined;
        if (strict.ok || !/no double holds|levels|more than/u.test(strict.found)) expect(sliced).toBe(object);
      }),
      { numRuns: 2000 },
    );
  });
});
