/** Every promise has a test, and every test that cites one cites a promise that exists. */
import { describe, expect, test } from 'vitest';
import { citationsIn, citationsOf } from '../gate/citations.mjs';
import { compare } from '../gate/requirements.mjs';
import { root } from '../gate/root.mjs';
import { requirements } from './requirements.js';

const built = { id: 'P.fixture.built', source: 'fixture', text: 'Built.', status: 'built' } as const;
const planned = { id: 'P.fixture.planned', source: 'fixture', text: 'Planned.', status: 'planned' } as const;

function cite(id: string): { id: string; file: string; line: number } {
  return { id, file: 'a.test.ts', line: 3 };
}

describe('[P.house.requirements] requirements and tests agree', () => {
  test('every built promise of this repository is cited, and every cited one is built', () => {
    expect(compare(requirements, citationsOf(root))).toEqual([]);
  });

  test('a built promise without a test is an error', () => {
    expect(compare([built, planned], [])).toEqual(['P.fixture.built: built, but no test cites it']);
  });

  test('a citation of an unknown or a planned promise is an error that names its place', () => {
    const wrong = compare([built, planned], [cite(built.id), cite(planned.id), cite('P.fixture.gone')]);
    expect(wrong).toEqual([
      'a.test.ts:3: cites P.fixture.planned, which is only planned',
      'a.test.ts:3: cites P.fixture.gone, which is no requirement',
    ]);
  });

  test('an id that is stated twice or malformed is an error', () => {
    const odd = { ...built, id: 'P.Fixture' };
    const wrong = compare([built, built, odd], [cite(built.id), cite(odd.id)]);
    expect(wrong).toEqual([
      'P.fixture.built: stated twice',
      'P.Fixture: not an id of the form P.section.promise or S000.promise',
    ]);
  });

  test('only titles of tests that can run count: no comments, strings or skipped tests', () => {
    const text = [
      "describe('[P.a.one] group', () => {",
      "  // test('[P.a.comment] no', f);",
      "  test.skip('[P.a.skipped] no', f);",
      "  test.each(rows)('[P.a.two] %s', f);",
      '  it(`[S000.three] ${name} [P.a.four]`, f);',
      "  log('[P.a.logged] no');",
      '});',
    ].join('\n');
    const ids = citationsIn('a.test.ts', text).map(({ id }) => id);
    expect(ids).toEqual(['P.a.one', 'P.a.two', 'S000.three', 'P.a.four']);
  });
});
