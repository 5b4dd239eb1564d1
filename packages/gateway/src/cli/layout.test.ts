import { describe, expect, test } from 'vitest';
import { columns, counted, spanText, timeText, visible } from './layout.js';

describe('text on a screen', () => {
  test('stands in columns and ends without blanks', () => {
    expect(
      columns([
        ['a', 'bb', 'c'],
        ['aaa', 'b', ''],
        ['', 'x'],
      ]),
    ).toEqual(['a    bb  c', 'aaa  b', '     x']);
    expect(columns([])).toEqual([]);
  });

  test.each([
    ['an escape sequence', '\u001b[2J', String.raw`\u{1b}[2J`],
    ['a line end', 'a\nb\r', String.raw`a\u{a}b\u{d}`],
    ['a control character of the second block', '\u009b31m', String.raw`\u{9b}31m`],
    ['text that turns round', '\u202egpj.exe', String.raw`\u{202e}gpj.exe`],
    ['a hidden character', 'a\u200bb', String.raw`a\u{200b}b`],
    ['half a character', '\ud800', String.raw`\u{d800}`],
  ])('never holds %s', (_, given, shown) => {
    expect(visible(given)).toBe(shown);
  });

  test('keeps letters of every script, and is cut with a mark', () => {
    expect(visible('Übermaß 日本 🙂')).toBe('Übermaß 日本 🙂');
    expect(visible('abcdef', 4)).toBe('abc…');
  });

  test.each([
    [0, '0 s'],
    [999, '0 s'],
    [61_000, '1 min 1 s'],
    [3_600_000, '1 h'],
    [90_061_000, '1 d 1 h'],
    [-5, '0 s'],
  ])('says %d ms as %s', (milliseconds, text) => {
    expect(spanText(milliseconds)).toBe(text);
  });

  test('counts one apart from many, and knows what is no time', () => {
    expect([counted(1, 'call'), counted(0, 'call'), counted(2, 'process', 'processes')]).toEqual([
      '1 call',
      '0 calls',
      '2 processes',
    ]);
    expect(timeText(0)).toBe('1970-01-01T00:00:00.000Z');
    expect(timeText(Number.NaN)).toBe('-');
  });
});
