import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { heard } from './hear.js';
import { Lines, dataOf, textOf } from './wire.js';

describe('[P.compartment.protocol] what a process says', () => {
  test.each([
    '',
    'null',
    '[]',
    '{}',
    '{"say":"open","say":"open"}',
    '{"say":"__proto__"}',
    '{"say":"used","use":1,"ok":true,"value":"1"}',
    '{"say":"use","use":0,"power":"fs","method":"read","args":"[]"}',
    '{"say":"use","use":1.5,"power":"fs","method":"read","args":"[]"}',
    '{"say":"use","use":"1","power":"fs","method":"read","args":"[]"}',
    '{"say":"use","use":1,"power":["fs"],"method":"read","args":"[]"}',
    '{"say":"use","use":1,"power":"fs","method":"read"}',
    '{"say":"result","call":1,"value":{"x":1}}',
    '{"say":"result","call":-1,"value":"1"}',
    '{"say":"failed","call":1,"code":"out_of_scope","message":"x"}',
    '{"say":"failed","call":1,"code":"threw"}',
    '{"say":"open","__proto__":{"say":"result"}}',
    '{"say":"result","call":9007199254740993,"value":"1"}',
  ])('is not understood where it is %s', (line) => {
    expect(heard(line)).toBeUndefined();
  });

  test('is understood where it is one of its messages, and only what belongs to it is kept', () => {
    expect(heard('{"say":"use","use":3,"power":"fs","method":"read","args":"[]","more":1}')).toEqual({
      say: 'use',
      use: 3,
      power: 'fs',
      method: 'read',
      args: '[]',
    });
    expect(heard('{"say":"failed","call":1,"code":"threw","message":"a\\u001b[31m\\nb\\u202ec"}')).toEqual({
      say: 'failed',
      call: 1,
      code: 'threw',
      message: 'a [31m b c',
    });
  });

  test('never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (line) => {
        heard(line);
      }),
    );
  });

  test('lines come whole however they are cut, and one that is too long ends it', () => {
    const text = fc.array(
      fc.string({ unit: 'grapheme', maxLength: 30 }).map((line) => line.replaceAll('\n', '')),
    );
    fc.assert(
      fc.property(text, fc.array(fc.nat({ max: 9 })), (sent, cuts) => {
        const bytes = Buffer.from(sent.map((line) => `${line}\n`).join(''));
        const lines = new Lines(1000);
        const got: string[] = [];
        let at = 0;
        for (const cut of [...cuts, bytes.length]) {
          got.push(...(lines.take(bytes.subarray(at, at + cut)) ?? []));
          at += cut;
        }
        expect(got).toEqual(sent);
      }),
    );
    const short = new Lines(4);
    expect(short.take(Buffer.from('1234\n12'))).toEqual(['1234']);
    expect(short.take(Buffer.from('345'))).toBeUndefined();
  });

  test('data with bytes in it travels as text and comes back the same', () => {
    const data = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.string(),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (Object.is(n, -0) ? 0 : n)),
        fc.boolean(),
        fc.constant(null),
        fc.uint8Array(),
        fc.array(tie('any')),
        fc.dictionary(
          fc.string().filter((key) => key !== '__proto__'),
          tie('any'),
          { noNullPrototype: true },
        ),
      ),
    })).any;
    fc.assert(
      fc.property(data, (value) => {
        expect(dataOf(textOf(value, 'arguments'))).toEqual(value);
      }),
    );
    expect(dataOf(textOf(undefined, 'result'))).toBeUndefined();
  });

  test('a member named __proto__ travels in neither direction', () => {
    expect(() => textOf(JSON.parse('{"a":{"__proto__":1}}'), 'answer')).toThrow(TypeError);
    expect(() => dataOf('{"a":{"__proto__":1}}')).toThrow(TypeError);
  });
});
