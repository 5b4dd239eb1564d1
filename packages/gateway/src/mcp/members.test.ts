import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { outermostMembers } from './members.js';

test('finds the members of any JSON object, however it is spaced', () => {
  const key = fc.string({ unit: fc.constantFrom('a', 'b', 'é', ' ', '_') });
  const space = fc.constantFrom(undefined, 1, '\t');
  fc.assert(
    fc.property(fc.dictionary(key, fc.jsonValue()), space, (object, indent) => {
      const text = JSON.stringify(object, undefined, indent);
      const members = outermostMembers(text);
      expect([...(members ?? [])].map(([name, value]) => [name, JSON.parse(value) as unknown])).toEqual(
        Object.keys(object).map((name) => [name, JSON.parse(JSON.stringify(object[name])) as unknown]),
      );
    }),
    { numRuns: 1000 },
  );
});

test('never throws and never returns on what is no object', () => {
  const soup = fc
    .array(fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '\\', 'a', ' ', '1'))
    .map((x) => x.join(''));
  fc.assert(
    fc.property(soup, (text) => {
      const members = outermostMembers(text);
      if (members === undefined) return;
      expect(text.trim().startsWith('{') && text.trim().endsWith('}')).toBe(true);
    }),
    { numRuns: 5000 },
  );
  for (const text of [
    '',
    '[]',
    '"{}"',
    '{"a":1}}',
    '{"a":1',
    '{"a" 1}',
    '{"a":}',
    '{"a":1,}',
    '{"a":1,"a":2}',
    '{"\\u0061":1}',
  ]) {
    expect(outermostMembers(text), text).toBeUndefined();
  }
});
