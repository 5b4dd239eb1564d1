/** Whether sets of values meet, against their intersection; and urls on hosts against the host of each url. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readContext } from '../../../../../test/constraints.js';
import { languageOf, pattern, union } from '../automaton/index.js';
import {
  type ValueSet,
  and,
  arraysOf,
  canonicalText,
  everyElement,
  everythingSet,
  hostOfUrl,
  interval,
  isEmpty,
  meets,
  minus,
  missingSet,
  noNumber,
  nothingSet,
  or,
  points,
  someElement,
  urlsOnHosts,
  valueSet,
} from './index.js';

const words = fc
  .uniqueArray(fc.constantFrom('a', 'b', 'ab', ''), { maxLength: 2 })
  .map((list) => languageOf(pattern.words(list)));
const leaves: fc.Arbitrary<ValueSet> = fc
  .record({
    null: fc.boolean(),
    true: fc.boolean(),
    objects: fc.boolean(),
    text: words,
    numbers: fc.constantFrom(noNumber, interval({ min: 1 }), interval({ below: 1 }), points([0, 1.5])),
  })
  .map((each) => valueSet(each));
const set: fc.Arbitrary<ValueSet> = fc.letrec<{ set: ValueSet }>((tie) => ({
  set: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    leaves,
    leaves.map(everyElement),
    leaves.map(someElement),
    fc.constantFrom(everythingSet, nothingSet, missingSet),
    fc
      .tuple(leaves, fc.nat(2), fc.constantFrom(0, 1, 2, Infinity))
      .map(([element, min, max]) => arraysOf(element, min, max)),
    fc.tuple(tie('set'), tie('set')).map(([a, b]) => or(a, b)),
    fc.tuple(tie('set'), tie('set')).map(([a, b]) => minus(a, b)),
  ),
})).set;

describe('sets of values', () => {
  test('[P.authority.boolean-algebra] meet exactly when something is in both', () => {
    let apart = 0;
    fc.assert(
      fc.property(set, set, (a, b) => {
        const common = !isEmpty(and(a, b));
        if (!common) apart += 1;
        expect(meets(a, b)).toBe(common);
        expect(meets(b, a)).toBe(common);
        expect(meets(a, a)).toBe(!isEmpty(a));
        expect(meets(minus(a, b), b)).toBe(false);
      }),
      { numRuns: 600 },
    );
    expect(apart).toBeGreaterThan(30);
  });
});

describe('urls on hosts', () => {
  const hosts = [
    'a.example',
    'b.example',
    'x.a.example',
    '10.0.0.1',
    '[::1]',
    'localhost',
    'A.example',
    '0x7f.1',
  ];
  const url = fc
    .tuple(
      fc.constantFrom('http', 'https', 'ws', 'ftp', 'git', 'file', 'HTTPS'),
      fc.constantFrom(...hosts, ''),
      fc.constantFrom('', ':80', ':443', ':8080'),
      fc.constantFrom('', '/', '/x', '/x/../y', '/a%2Fb', '/x?q#f'),
    )
    .map(([scheme, host, port, path]) => `${scheme}://${host}${port}${path}`);
  const opaque = fc.constantFrom('about:blank', 'data:,x', 'mailto:a@b.example');

  test('[P.kind.url] hold exactly the canonical urls whose host is named', () => {
    let held = 0;
    fc.assert(
      fc.property(
        fc.subarray(hosts, { minLength: 1 }),
        fc.array(fc.oneof(url, opaque), { minLength: 5 }),
        (list, urls) => {
          const named = new Set(
            list.flatMap((each) => {
              const read = canonicalText('host', each, readContext().path);
              return read.ok ? [read.text] : [];
            }),
          );
          const language = urlsOnHosts(
            [...named].map((each) => languageOf(pattern.literal(each))).reduce(union),
          );
          for (const each of urls) {
            const [whole, host] = [canonicalText('url', each, readContext().path), hostOfUrl(each)];
            if (!whole.ok || !host.ok) continue;
            const expected = host.text !== undefined && named.has(host.text);
            expect([each, language.test(whole.text)]).toEqual([each, expected]);
            if (expected) held += 1;
          }
        },
      ),
      { numRuns: 300 },
    );
    expect(held).toBeGreaterThan(100);
  });
});
