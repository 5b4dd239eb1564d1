import { describe, expect, test } from 'vitest';
import { joinMembers, sliceMembers } from './json-members.js';

describe('sliceMembers', () => {
  test('gives the source of each member unchanged, blanks and number spelling included', () => {
    const text = ' { "result" : { "n": 1.50, "big": 9007199254740993 } , "id":\t7, "\\u0061":[ 1 ] } ';
    expect([...(sliceMembers(text) ?? [])]).toStrictEqual([
      ['result', '{ "n": 1.50, "big": 9007199254740993 }'],
      ['id', '7'],
      ['a', '[ 1 ]'],
    ]);
  });

  test('takes slices of slices, so that a nested member can be left out', () => {
    const outer = new Map(sliceMembers('{"jsonrpc":"2.0","id":1,"result":{"_meta":{"x":1},"content":[ ]}}'));
    const result = new Map(sliceMembers(outer.get('result') ?? ''));
    result.delete('_meta');
    outer.set('result', joinMembers(result));
    expect(joinMembers(outer)).toBe('{"jsonrpc":"2.0","id":1,"result":{"content":[ ]}}');
  });

  test('has no limit on the number of elements: the caller bounds the text', () => {
    expect(sliceMembers(`{"a":[${'0,'.repeat(10_000)}0]}`)?.size).toBe(1);
  });

  test.each([
    '',
    '[]',
    '1',
    'null',
    '{',
    '{"a":1',
    '{"a":1}}',
    '{"a":1} 2',
    '{"a":1,}',
    '{"a"}',
    '{"a":[1,]}',
    '{"a":{"b"}}',
    '{a:1}',
    '{"a":1 "b":2}',
    '{"a":[1 2]}',
    '{"a":tru}',
    '{"a":01}',
    '{"a":"\n"}',
    '{,}',
    '{"a":1,"a":2}',
    '{"a":{"b":1,"b":2}}',
    '{"a":[{"b":1,"\\u0062":2}]}',
    '{"__proto__":1}',
    '{"a":{"__proto__":1}}',
    `{"a":${'['.repeat(600)}${']'.repeat(600)}}`,
    `{"a":${'{"b":'.repeat(600)}1${'}'.repeat(600)}}`,
  ])('has none for %s', (text) => {
    expect(sliceMembers(text)).toBeUndefined();
  });
});
