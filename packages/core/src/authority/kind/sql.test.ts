/** sql: which statements on which tables a constraint admits and refuses, and what is wrong with it at load. */
import { describe, expect, test } from 'vitest';
import { doc, judged, problemsOf, readContext } from '../../../../../test/constraints.js';
import type { Json } from '../../ground/index.js';
import {
  canonicalText,
  compileConstraint,
  constraintToDocument,
  readConstraint,
  spelledText,
} from './index.js';
import { allSql } from './sql-language.js';

const refusing = { polarity: 'refuse' } as const;
const paths = readContext().path;

/** Which of the texts, each of one access, meet the constraint. */
function meeting(constraint: Json, texts: readonly string[], changes: object = {}): readonly string[] {
  return texts.filter((text) => judged(constraint, text, changes) === true);
}

const onTables = [
  'SELECT 1 FROM public.users',
  'SELECT 1 FROM public.orders',
  'SELECT 1 FROM secret.users',
  'DELETE FROM public.users',
];

describe('[P.kind.sql] a constraint on SQL', () => {
  test('lists sorts of statements, tables, or both', () => {
    expect(meeting({ statements: ['select'] }, onTables)).toEqual(onTables.slice(0, 3));
    expect(meeting({ statements: 'delete' }, onTables)).toEqual(onTables.slice(3));
    expect(meeting({ tables: 'public.*' }, onTables)).toEqual([onTables[0], onTables[1], onTables[3]]);
    expect(meeting({ statements: ['select'], tables: ['public.user?', 'x.y'] }, onTables)).toEqual([
      onTables[0],
    ]);
    expect(meeting({ tables: ['*.users'] }, onTables)).toEqual([onTables[0], onTables[2], onTables[3]]);
    expect(meeting({ either: [{ tables: 'secret.*' }, { statements: ['delete'] }] }, onTables)).toEqual(
      onTables.slice(2),
    );
  });

  test('a wildcard stays within its part of the name', () => {
    expect(judged({ tables: ['*.*'] }, 'SELECT 1 FROM a.b')).toBe(true);
    expect(judged({ tables: ['p*.t'] }, 'SELECT 1 FROM "p q".t')).toBe(true);
    expect(judged({ tables: ['p*'], schema: 'a' }, 'SELECT 1 FROM p.x')).toBe(false);
  });

  test('statements without a table are inside any list of tables only where they are harmless', () => {
    const bare = ['SELECT 1', 'COMMIT', 'DROP SCHEMA s', 'VACUUM'];
    expect(meeting({ statements: ['select', 'transaction', 'ddl', 'admin'] }, bare)).toEqual(bare);
    expect(meeting({ tables: ['*.*'] }, bare)).toEqual(['SELECT 1', 'COMMIT']);
    expect(meeting({ tables: ['secret.*'] }, bare, refusing)).toEqual(['DROP SCHEMA s', 'VACUUM']);
    expect(meeting({ statements: ['select'] }, bare, refusing)).toEqual(['SELECT 1']);
  });

  test('a value that is not understood is refused, not outside', () => {
    for (const text of ['SELECT FROM WHERE', 'SELECT pg_sleep(1)', '', "SELECT 'a"]) {
      expect(judged({ statements: ['select'] }, text)).toBe('refused');
      expect(judged({ statements: ['select'] }, text, refusing)).toBe('refused');
    }
  });
});

describe('[P.kind.sql-schema] names without a schema', () => {
  test('are admitted only where the constraint says which one is meant', () => {
    const text = 'SELECT 1 FROM users';
    expect(judged({ statements: ['select'] }, text)).toBe(false);
    expect(judged({ tables: ['*.*'] }, text)).toBe(false);
    expect(judged({ statements: ['select'], schema: 'public' }, text)).toBe(true);
    expect(judged({ tables: ['public.*'], schema: 'public' }, text)).toBe(true);
    expect(judged({ tables: ['secret.*'], schema: 'public' }, text)).toBe(false);
    expect(judged({ tables: ['users'], schema: 'public' }, text)).toBe(true);
    expect(judged({ tables: ['users'], schema: 'public' }, 'SELECT 1 FROM public.users')).toBe(true);
    expect(judged({ tables: ['users'], schema: 'public' }, 'SELECT 1 FROM secret.users')).toBe(false);
  });

  test('meet a denial that could mean them, unless it says which schema is meant', () => {
    expect(judged({ tables: ['secret.users'] }, 'SELECT 1 FROM users', refusing)).toBe(true);
    expect(judged({ tables: ['secret.users'] }, 'SELECT 1 FROM orders', refusing)).toBe(false);
    expect(judged({ tables: ['secret.*'], schema: 'public' }, 'SELECT 1 FROM users', refusing)).toBe(false);
    expect(judged({ statements: ['select'] }, 'SELECT 1 FROM users', refusing)).toBe(true);
  });
});

describe('[P.kind.polarity] names of tables', () => {
  test('admit by code points, refuse in any case', () => {
    const quoted = 'SELECT 1 FROM public."Users"';
    expect(judged({ tables: ['public.users'] }, 'SELECT 1 FROM PUBLIC.USERS')).toBe(true);
    expect(judged({ tables: ['public.users'] }, quoted)).toBe(false);
    expect(judged({ tables: ['public.Users'] }, quoted)).toBe(true);
    expect(judged({ tables: ['PUBLIC.users'] }, quoted, refusing)).toBe(true);
    expect(judged({ tables: ['a.b'], schema: 'PUBLIC' }, 'SELECT 1 FROM b', refusing)).toBe(false);
    expect(judged({ tables: ['public.b'], schema: 'PUBLIC' }, 'SELECT 1 FROM b', refusing)).toBe(true);
    expect(judged({ in: { statements: ['select'] }, except: { tables: ['public.users'] } }, quoted)).toBe(
      false,
    );
  });

  test('tell of capitals that only quotes give', () => {
    const ctx = readContext();
    readConstraint(doc({ tables: ['public.Users'] }), ctx);
    expect(ctx.findings.map(({ message }) => message)).toEqual([
      'names without quotes are lower case in SQL: this one is admitted only in quotes',
    ]);
  });
});

describe('a constraint on SQL at load', () => {
  test('[P.kind.sql] says what is wrong and what is allowed', () => {
    const wrong: Readonly<Record<string, Json>> = {
      'no statements of that sort': { statements: ['drop'] },
      'an empty list admits nothing': { tables: [] },
      'statements are texts': { statements: [1] },
      'no schema in the table "users"': { tables: ['users'] },
      'no schema in the table "*"': { tables: ['*'] },
      'more than one dot': { tables: ['a.b.c'] },
      'a name that no table has': { tables: ['public."users"'] },
      'schema says which one': { schema: 'a.b', statements: ['select'] },
      'one constraint mixes sql and text': { statements: ['select'], prefix: 'a' },
    };
    for (const [message, constraint] of Object.entries(wrong)) {
      expect([message, problemsOf(constraint)]).toEqual([message, [expect.stringContaining(message)]]);
    }
  });

  test('[P.kind.sql] stands on a field of its own in its long form only', () => {
    const onField = { place: 'sql' } as const;
    expect(judged({ statements: ['select'] }, 'SELECT 1', onField)).toBe(true);
    expect(problemsOf('select', onField)).toEqual([expect.stringContaining('has no short form')]);
    expect(problemsOf({ statements: ['select'] }, { place: 'path' })).toHaveLength(1);
    expect(problemsOf({ prefix: 'SELECT' }, onField)).toHaveLength(1);
  });

  test('prints as it reads', () => {
    for (const constraint of [
      { statements: ['select', 'insert'], tables: ['public.*', 'users'], schema: 'app' },
      { schema: 'app' },
    ]) {
      const ctx = readContext();
      const read = readConstraint(doc(constraint), ctx);
      expect(read === undefined ? undefined : constraintToDocument(read, 'raw')).toEqual(constraint);
    }
  });
});

test('[P.kind.sql-accesses] every canonical text is spelled as a statement that reads as it again', () => {
  const texts = [
    'select',
    'transaction',
    'ddl',
    'admin',
    ...['select', 'insert', 'update', 'delete', 'ddl', 'admin'].flatMap((effect) =>
      ['public.users', 'users', 'public.Users', 'order details', 'select.from', 'größe', "o'neil"].map(
        (table) => `${effect} ${table}`,
      ),
    ),
  ];
  for (const text of texts) {
    expect(canonicalText('sql', spelledText('sql', text), paths)).toMatchObject({ ok: true, text });
    expect(allSql.test(text)).toBe(true);
  }
  expect(allSql.test('transaction a.b') || allSql.test('insert') || allSql.test('select a.b.c')).toBe(false);
});

test('[P.kind.sql] compiles to one alternative in one view', () => {
  const ctx = readContext();
  const read = readConstraint(doc({ statements: ['select'], tables: ['public.*'] }), ctx);
  const alternatives = read === undefined ? [] : compileConstraint(read, ctx);
  expect(alternatives.map((views) => [...views.keys()])).toEqual([['sql']]);
});
