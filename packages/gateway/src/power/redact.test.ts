import type { Json } from '@pawl/core';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Redactor } from './redact.js';

function finding(...values: readonly string[]): Redactor {
  const redactor = new Redactor();
  for (const value of values) redactor.add(value);
  return redactor;
}

const secret = fc
  .string({ minLength: 6, maxLength: 40, unit: 'binary' })
  .filter((text) => !/\p{Surrogate}/u.test(text) && !'[secret]'.includes(text));

/** Every UTF-16 unit as an escape. */
const escaped = (text: string): string =>
  [...Array(text.length).keys()]
    .map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('');

describe('[P.secrets.removed] taking secrets out of JSON text', () => {
  test('finds them in every spelling of the text, and leaves what holds none as it is written', () => {
    fc.assert(
      fc.property(secret, fc.json(), fc.string(), (value, around, before) => {
        const redactor = finding(value);
        const text = `{"a": ${around} ,"b":"${escaped(before + value)}","c":${JSON.stringify([value])},"n":1.50e1}`;
        const clean = redactor.raw(text);
        const read = JSON.parse(clean) as { a: Json; b: string; c: string[] };
        expect(JSON.stringify([read.b, read.c])).not.toContain(JSON.stringify(value).slice(1, -1));
        expect(read.b.endsWith('[secret]') || !before.endsWith(value.slice(0, 1))).toBe(true);
        expect(clean.endsWith('"n":1.50e1}')).toBe(true);
        const other = `{"x" : ${around}}`;
        if (redactor.raw(JSON.stringify(JSON.parse(around))) === JSON.stringify(JSON.parse(around)))
          expect(redactor.raw(other)).toBe(other);
      }),
      { numRuns: 300 },
    );
  });

  test('the members of a result, as the wire has them', () => {
    const redactor = finding('Bearer tok-123456');
    const members =
      '"content":[{"type":"text","text":"I got tok-123456"}],"structuredContent":{"n":12345678901234567890,"s":"\\u00e9"}';
    expect(redactor.raw(members)).toBe(
      '"content":[{"type":"text","text":"I got [secret]"}],"structuredContent":{"n":12345678901234567890,"s":"\\u00e9"}',
    );
    expect(finding('nothing-here').raw(members)).toBe(members);
  });

  test('numbers that are secrets, and no others', () => {
    expect(finding('87654321').raw('{"pin":87654321,"other":8765432,"t":"87654321"}')).toBe(
      '{"pin":"[secret]","other":8765432,"t":"[secret]"}',
    );
  });

  test('what stands behind the scheme of a header', () => {
    const basic = `Basic ${Buffer.from('ann:hunter22').toString('base64')}`;
    const redactor = finding(basic, 'Bearer abcdef123');
    expect(redactor.text(`${basic} / hunter22 / abcdef123 / bearer`)).toBe(
      '[secret] / [secret] / [secret] / bearer',
    );
  });

  test('urls in small and capital letters, base64 and hexadecimal', () => {
    const value = 'p/w+&=ü?!';
    const redactor = finding(value);
    const spelled = [
      encodeURIComponent(value),
      encodeURIComponent(value).toLowerCase(),
      Buffer.from(value).toString('hex'),
      Buffer.from(value).toString('hex').toUpperCase(),
    ];
    for (const text of spelled) expect(redactor.text(`<${text}>`)).toBe('<[secret]>');
    expect(redactor.text(Buffer.from(`user:${value}`).toString('base64'))).toContain('[secret]');
  });

  test('what is too short is not looked for', () => {
    expect(finding('abc', 'Bearer x').text('abc x')).toBe('abc x');
    expect(new Redactor().isIdle).toBe(true);
    expect(finding('abc').isIdle).toBe(true);
  });
});
