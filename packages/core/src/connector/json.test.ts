import { describe, expect, test } from 'vitest';
import { deepest, parseJson, parseJsonBytes } from './json.js';

function foundIn(text: string, limits?: Parameters<typeof parseJson>[1]): string {
  const result = parseJson(text, limits);
  return result.ok ? `read ${JSON.stringify(result.value)}` : `${result.at}: ${result.found}`;
}

function valueOf(text: string): unknown {
  const result = parseJson(text);
  return result.ok ? result.value : `${result.at}: ${result.found}`;
}

describe('what is read', () => {
  test.each([
    '{}',
    '[]',
    'null',
    'true',
    'false',
    '""',
    ' \t\r\n{ "a" : [ 1 , 2 ] , "b" : { "c" : null } } \n',
    String.raw`"\"\\\/\b\f\n\r\té😀 plain"`,
    '"é😀\u2028\u007f"',
    '-12.5e-3',
    '[[[[1]]],{"":{"":0}}]',
  ])('reads %s as JSON.parse does', (text) => {
    expect(valueOf(text)).toStrictEqual(JSON.parse(text));
  });

  test('keeps the order of members', () => {
    expect(Object.keys(valueOf('{"z":1,"a":2,"m":3}') as object)).toStrictEqual(['z', 'a', 'm']);
  });

  test('keeps a lone surrogate that is written as an escape', () => {
    expect(valueOf(String.raw`"x\ud800y"`)).toBe('x\ud800y');
  });

  test.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'])(
    'reads a member named %s as an ordinary own member',
    (name) => {
      const value = valueOf(`{"${name}":1}`) as object;
      expect(Object.getOwnPropertyDescriptor(value, name)).toStrictEqual({
        value: 1,
        writable: true,
        enumerable: true,
        configurable: true,
      });
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    },
  );

  test('adds a member past a setter that every object inherits', () => {
    let calls = 0;
    const set = (): void => {
      calls += 1;
    };
    Reflect.defineProperty(Object.prototype, 'trap', { set, configurable: true });
    try {
      expect(Object.hasOwn(valueOf('{"trap":1}') as object, 'trap')).toBe(true);
    } finally {
      Reflect.deleteProperty(Object.prototype, 'trap');
    }
    expect(calls).toBe(0);
  });
});

describe('what is refused', () => {
  test.each([
    ['{"a":1,"a":1}', '7: the key "a" twice in one object'],
    ['{"x":[{"b":{"a":1,"c":2,"a":3}}]}', '24: the key "a" twice in one object'],
    [String.raw`{"a":1,"\u0061":2}`, '7: the key "a" twice in one object'],
    ['{"toString":1,"toString":2}', '14: the key "toString" twice in one object'],
  ])('[P.decode.duplicate-keys] refuses a key that occurs twice: %s', (text, found) => {
    expect(foundIn(text)).toBe(found);
  });

  test.each(['{"__proto__":{"y":1}}', '{"a":[{"__proto__":null}]}', String.raw`{"\u005f_proto__":1}`])(
    '[P.decode.proto] refuses the key __proto__ and pollutes nothing: %s',
    (text) => {
      expect(foundIn(text)).toMatch(/the key "__proto__"$/u);
      expect(Object.hasOwn(Object.prototype, 'y')).toBe(false);
    },
  );

  test.each([
    ['', '0: the end of the text'],
    ['   ', '3: the end of the text'],
    ['{} {}', '3: an unexpected {'],
    ['{"a":1}x', '7: an unexpected x'],
    ['[1,]', '3: an unexpected ]'],
    ['[,1]', '1: an unexpected ,'],
    ['[1 2]', '3: an unexpected 2'],
    ['{"a":1,}', '7: an unexpected }'],
    ['{a:1}', '1: an unexpected a'],
    ['{"a" 1}', '5: an unexpected 1'],
    ['{"a":}', '5: an unexpected }'],
    ['{"a":1', '6: the end of the text'],
    ["'a'", "0: an unexpected '"],
    ['// c\n1', '0: an unexpected /'],
    ['1 /* c */', '2: an unexpected /'],
    ['NaN', '0: an unexpected N'],
    ['Infinity', '0: an unexpected I'],
    ['-Infinity', '1: an unexpected I'],
    ['nul', '0: an unexpected n'],
    ['truex', '4: an unexpected x'],
    ['+1', '0: an unexpected +'],
    ['.5', '0: an unexpected .'],
    ['1.', '2: the end of the text'],
    ['1.e3', '2: an unexpected e'],
    ['1e', '2: the end of the text'],
    ['1e+', '3: the end of the text'],
    ['-', '1: the end of the text'],
    ['01', '0: a number with a leading zero'],
    ['-00', '1: a number with a leading zero'],
    ['0x10', '1: an unexpected x'],
    ['1_000', '1: an unexpected _'],
    ['"a', '2: a string without its closing quote'],
    ['"a\nb"', '2: a raw control character U+000A in a string'],
    ['"\u0000"', '1: a raw control character U+0000 in a string'],
    [String.raw`"\x41"`, '1: an unknown escape in a string'],
    [String.raw`"\u12g4"`, '1: an unknown escape in a string'],
    [String.raw`"\u12`, '1: an unknown escape in a string'],
    ['"\\', '1: an unknown escape in a string'],
    ['\u00a0 1', '0: an unexpected U+00A0'],
    ['\ufeff1', '0: a byte order mark'],
    ['[😀]', '1: an unexpected U+1F600'],
  ])('refuses %j', (text, found) => {
    expect(foundIn(text)).toBe(found);
  });
});

describe('numbers', () => {
  test.each([
    '0.1',
    '25e-2',
    '1.0',
    '1E2',
    '9007199254740992',
    '9007199254740994',
    '100',
    '1e22',
    '1e23',
    '5e-324',
    '1.7976931348623157e308',
    '0.000000000000000000000001',
    '10000000000000000000000',
    '0e400',
    '0.0000e-9999999999',
    '-0.30000000000000004',
    '1e-7',
    '4.35',
    '2.2250738585072014e-308',
    '123456789012345.5e3',
  ])('[P.decode.numbers] reads %s exactly', (text) => {
    expect(valueOf(text)).toBe(Number(text));
  });

  test.each([
    '100.0000000000000000001',
    '9007199254740993',
    '-9007199254740993',
    '1e400',
    '-1e400',
    '1e-400',
    '2.2250738585072011e-308',
    '0.1000000000000000055511151231257827',
    '12345678901234567890',
    '123456789012345678',
    '4e-324',
    '1e99999999999999999999',
    '1e-99999999999999999999',
  ])('[P.decode.numbers] refuses %s, which no double holds', (text) => {
    expect(foundIn(text)).toBe(`0: a number that no double holds: ${text}`);
  });

  test('reads the negative zero as 0', () => {
    for (const text of ['-0', '-0.0', '-0e5']) expect(valueOf(text)).toBe(0);
  });

  test('judges a number of a million digits in linear time', () => {
    expect(foundIn(`1${'0'.repeat(300)}.${'0'.repeat(900_000)}`)).toBe('read 1e+300');
    expect(foundIn(`0.${'3'.repeat(900_000)}`)).toMatch(/a number that no double holds: 0\.3+…$/u);
  });
});

describe('[P.decode.limits] limits', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

  test('reads 64 levels and refuses 65', () => {
    expect(parseJson(nested(64)).ok).toBe(true);
    expect(foundIn(nested(65))).toBe('64: more than 64 levels');
    expect(foundIn(`${'{"a":'.repeat(64)}{}${'}'.repeat(64)}`)).toBe('320: more than 64 levels');
  });

  test('never recurses deeper than its own bound, whatever limit is asked for', () => {
    expect(foundIn('['.repeat(1_000_000), { depth: Number.POSITIVE_INFINITY })).toBe(
      `${deepest}: more than ${deepest} levels`,
    );
  });

  test('reads 4,096 elements and refuses 4,097', () => {
    const list = (length: number): string => JSON.stringify(Array.from({ length }, () => 0));
    expect(parseJson(list(4096)).ok).toBe(true);
    expect(foundIn(list(4097))).toMatch(/an array of more than 4096 elements$/u);
  });

  test('reads 4,096 members and refuses 4,097', () => {
    const object = (length: number): string =>
      JSON.stringify(Object.fromEntries(Array.from({ length }, (_, i) => [`k${i}`, 0])));
    expect(parseJson(object(4096)).ok).toBe(true);
    expect(foundIn(object(4097))).toMatch(/an object of more than 4096 members$/u);
  });

  test.each([
    ['a', 1],
    ['é', 2],
    ['€', 3],
    ['😀', 4],
    ['\ud800', 3],
  ])('counts the bytes of %s in UTF-8', (character, size) => {
    const text = `"${character.repeat(10)}"`;
    expect(parseJson(text, { bytes: 10 * size + 2 }).ok).toBe(true);
    expect(foundIn(text, { bytes: 10 * size + 1 })).toBe(`0: a text longer than ${10 * size + 1} bytes`);
  });

  test('refuses more than 1 MiB', () => {
    expect(parseJson(`"${'a'.repeat(1_048_574)}"`).ok).toBe(true);
    expect(foundIn(`"${'a'.repeat(1_048_575)}"`)).toBe('0: a text longer than 1048576 bytes');
  });
});

describe('bytes', () => {
  const bytes = (...units: number[]): Uint8Array => Uint8Array.from(units);

  test('reads UTF-8', () => {
    const result = parseJsonBytes(new TextEncoder().encode('{"é":"😀"}'));
    expect(result).toStrictEqual({ ok: true, value: { é: '😀' } });
  });

  test.each([
    ['a lone continuation byte', bytes(34, 0x80, 34)],
    ['an overlong form', bytes(34, 0xc0, 0xaf, 34)],
    ['an encoded surrogate', bytes(34, 0xed, 0xa0, 0x80, 34)],
    ['a cut sequence', bytes(34, 0xe2, 0x82)],
    ['a byte that UTF-8 never uses', bytes(34, 0xff, 34)],
  ])('refuses %s instead of repairing it', (_, input) => {
    expect(parseJsonBytes(input)).toStrictEqual({ ok: false, found: 'bytes that are no UTF-8', at: 0 });
  });

  test('refuses a byte order mark', () => {
    expect(parseJsonBytes(bytes(0xef, 0xbb, 0xbf, 49))).toStrictEqual({
      ok: false,
      found: 'a byte order mark',
      at: 0,
    });
  });

  test('refuses too many bytes before it decodes them', () => {
    expect(parseJsonBytes(new Uint8Array(5), { bytes: 4 })).toMatchObject({
      ok: false,
      found: 'a text longer than 4 bytes',
    });
  });
});
