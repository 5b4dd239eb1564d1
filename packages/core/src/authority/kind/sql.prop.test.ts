/** SQL at random: nothing throws, canonical texts survive, constraints do as a plain matcher says. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judged, readContext } from '../../../../../test/constraints.js';
import { sample } from '../automaton/index.js';
import { effects, readSql } from '../sql/index.js';
import { canonicalText, spelledText } from './index.js';
import { allSql, sqlLanguage } from './sql-language.js';

const paths = readContext().path;

const pieces = fc.constantFrom(
  ...'SELECT FROM WHERE a.t b "c" `d` x.* ( ) , ; = \' " ` -- /* */ /*! $$ $1 ? [ ] :: int 1 1.5 count now() UNION ALL WITH AS INSERT INTO VALUES DEFAULT UPDATE SET DELETE USING ON CONFLICT DO NOTHING JOIN LEFT CASE WHEN THEN END ORDER BY LIMIT FOR RETURNING CREATE TABLE DROP EXPLAIN ANALYZE GRANT TO BEGIN COMMIT \\ # @ E\'a\' \n \r \u2028 \u00e9 e\u0301 \ud800'.split(
    ' ',
  ),
);
const noise = fc
  .array(fc.oneof(pieces, fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 40 })
  .chain((words) => fc.constantFrom(words.join(' '), words.join('')));

const part = fc.oneof(
  fc.constantFrom('a', 'ab', 'b', 'public', 'users', 'select', 'A', 'Users', 'or der', 'é', '$x', '-'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 5 }),
);
const table = fc
  .oneof(
    part,
    fc.tuple(part, part).map((both) => both.join('.')),
  )
  .map((text) => text.normalize('NFC'));
const effect = fc.constantFrom(...effects);
const canonical = fc
  .oneof(
    effect,
    fc.tuple(effect, table).map((both) => both.join(' ')),
  )
  .filter((text) => allSql.test(text) && !/ (?:pg_|sqlite_|dba_|sys)/iu.test(text));

describe('[P.kind.sql-accesses] SQL at random', () => {
  test('is read or refused, never thrown at, and alike each time', () => {
    fc.assert(
      fc.property(noise, (text) => {
        const found = readSql(text);
        expect(readSql(text)).toEqual(found);
        if (!found.ok) return;
        expect(found.accesses.length).toBeGreaterThan(0);
        for (const access of found.accesses) expect(allSql.test(access)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  test('a canonical text is spelled as a statement that has this one access', () => {
    fc.assert(
      fc.property(canonical, (text) => {
        expect(canonicalText('sql', spelledText('sql', text), paths)).toMatchObject({ ok: true, text });
      }),
      { numRuns: 1000 },
    );
  });

  test('[P.kind.sql-every-statement] statements one after another have the accesses of each', () => {
    fc.assert(
      fc.property(fc.array(canonical, { minLength: 1, maxLength: 6 }), (texts) => {
        const found = readSql(texts.map((text) => spelledText('sql', text)).join(' ;\n'));
        expect(found.ok ? new Set(found.accesses) : found).toEqual(new Set(texts));
      }),
      { numRuns: 500 },
    );
  });
});

type Terms = Parameters<typeof sqlLanguage>[0];
const glob = fc.constantFrom('*', 'a', 'a*', '?', '*b', 'users', 'A', 'public');
const terms: fc.Arbitrary<Terms> = fc.record(
  {
    statements: fc.uniqueArray(effect, { minLength: 1, maxLength: 3 }),
    tables: fc.array(
      fc.tuple(glob, glob).map((both) => both.join('.')),
      { minLength: 1, maxLength: 3 },
    ),
    schema: fc.constantFrom('a', 'public', 'A'),
  },
  { requiredKeys: [] },
);

function matches(pattern: string, name: string, fold: boolean): boolean {
  const source = pattern.replaceAll('*', '.*').replaceAll('?', '.');
  return new RegExp(`^${source}$`, fold ? 'isu' : 'su').test(name);
}

/** The rule of the contract in plain words. */
function meant(some: Terms, text: string, refusing: boolean): boolean {
  const [word = '', ...rest] = text.split(' ');
  if (some.statements !== undefined && !some.statements.some((each) => each === word)) return false;
  const [first = '', second] = rest.join(' ').split('.');
  if (first === '') return meantWithout(some, word, refusing);
  const space = second === undefined ? some.schema : first;
  return tableMeant(some.tables ?? ['*.*'], space, second ?? first, refusing);
}

function meantWithout({ tables }: Terms, word: string, refusing: boolean): boolean {
  if (tables === undefined) return true;
  return word === 'select' || word === 'transaction' ? !refusing : refusing;
}

function tableMeant(
  tables: readonly string[],
  space: string | undefined,
  name: string,
  refusing: boolean,
): boolean {
  if (space === undefined && !refusing) return false;
  return tables.some((each) => {
    const [spaces = '', names = ''] = each.split('.');
    const fits = space === undefined || matches(spaces, space, refusing);
    return fits && matches(names, name, refusing);
  });
}

describe('[P.kind.sql] constraints at random', () => {
  test('mean what the rule says', () => {
    const named = fc.constantFrom('a', 'A', 'ab', 'b', 'public', 'users', 'Users');
    const text = fc.oneof(
      fc.constantFrom('select', 'transaction', 'ddl', 'admin'),
      fc
        .tuple(
          fc.constantFrom('select', 'insert', 'update', 'delete', 'ddl', 'admin'),
          fc.oneof(
            named,
            fc.tuple(named, named).map((both) => both.join('.')),
          ),
        )
        .map((both) => both.join(' ')),
    );
    fc.assert(
      fc.property(terms, text, fc.boolean(), (some, access, refusing) => {
        expect(sqlLanguage(some, refusing).test(access)).toBe(meant(some, access, refusing));
      }),
      { numRuns: 2000 },
    );
  });

  test('have samples that can be sent', () => {
    fc.assert(
      fc.property(
        terms.filter((some) => Object.keys(some).length > 0),
        (some) => {
          const text = sample(sqlLanguage(some, false));
          if (text === undefined) return;
          expect(judged({ ...some }, spelledText('sql', text))).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });
});
