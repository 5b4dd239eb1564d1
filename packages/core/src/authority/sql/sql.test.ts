/** What is understood of SQL, and that everything else is refused. */
import { describe, expect, test } from 'vitest';
import { readSql } from './index.js';

/** The effects of a text, or `refused`. */
function read(text: string): string {
  const found = readSql(text);
  return found.ok ? [...found.accesses].sort().join(', ') : 'refused';
}

function expectAll(cases: Readonly<Record<string, string>>): void {
  const found = Object.keys(cases).map((text) => [text, read(text)]);
  expect(Object.fromEntries(found)).toEqual(cases);
}

describe('[P.kind.sql-accesses] each statement and table is one access', () => {
  test('a query reads every table it names, wherever it names it', () => {
    expectAll({
      'SELECT 1': 'select',
      'select a, b from public.users': 'select public.users',
      'SELECT * FROM a.t x JOIN b.u AS y ON x.id = y.id': 'select a.t, select b.u',
      'SELECT * FROM a.t LEFT OUTER JOIN b.u USING (id) CROSS JOIN c.v, d.w':
        'select a.t, select b.u, select c.v, select d.w',
      'SELECT * FROM a.t NATURAL JOIN b.u': 'select a.t, select b.u',
      'SELECT * FROM (a.t JOIN b.u ON true) JOIN c.v ON true': 'select a.t, select b.u, select c.v',
      'SELECT (SELECT max(x) FROM a.t) FROM b.u': 'select a.t, select b.u',
      'SELECT * FROM a.t WHERE x IN (SELECT y FROM b.u WHERE EXISTS (SELECT 1 FROM c.v))':
        'select a.t, select b.u, select c.v',
      'SELECT * FROM (SELECT * FROM a.t) s, LATERAL (SELECT * FROM b.u WHERE b.u.id = s.id) l':
        'select a.t, select b.u',
      'SELECT 1 FROM a.t UNION ALL SELECT 2 FROM b.u INTERSECT SELECT 3 FROM c.v EXCEPT (SELECT 4 FROM d.w)':
        'select a.t, select b.u, select c.v, select d.w',
      'SELECT ((SELECT 1 FROM a.t) UNION SELECT 2 FROM b.u)': 'select a.t, select b.u',
      '((SELECT 1 FROM a.t))': 'select a.t',
      'TABLE a.t': 'select a.t',
      'VALUES (1, 2), (3, (SELECT 4 FROM a.t))': 'select a.t',
      'SELECT CASE WHEN EXISTS (SELECT 1 FROM a.t) THEN 1 ELSE (SELECT 2 FROM b.u) END':
        'select a.t, select b.u',
      'SELECT count(*) FILTER (WHERE x IN (SELECT y FROM b.u)) FROM a.t ORDER BY (SELECT 1 FROM c.v) LIMIT (SELECT 1 FROM d.w)':
        'select a.t, select b.u, select c.v, select d.w',
      'SELECT sum(x) OVER (PARTITION BY (SELECT 1 FROM b.u) ORDER BY y ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM a.t':
        'select a.t, select b.u',
      'SELECT ARRAY(SELECT x FROM a.t), ARRAY[1, (SELECT 2 FROM b.u)], coalesce((SELECT 1 FROM c.v), 2)':
        'select a.t, select b.u, select c.v',
      'SELECT * FROM unnest(ARRAY(SELECT x FROM a.t)) AS z(n)': 'select a.t',
    });
  });

  test('the usual expressions of a query are understood', () => {
    expectAll({
      "SELECT u.id, count(DISTINCT o.id) AS n, sum(o.total)::numeric(10, 2) FROM s.u u JOIN s.o o ON o.uid = u.id WHERE u.at > now() - INTERVAL '30 days' AND o.state IN ('paid', 'sent') GROUP BY u.id, ROLLUP(u.a) HAVING count(*) > 3 ORDER BY n DESC NULLS LAST, 1 LIMIT 10 OFFSET 5":
        'select s.o, select s.u',
      "SELECT EXTRACT(YEAR FROM at), substring(n FROM 1 FOR 3), trim(both ' ' from n), cast(a AS timestamp with time zone), position('a' in n) FROM s.t":
        'select s.t',
      "SELECT date_trunc('month', at AT TIME ZONE 'UTC') m FROM s.t WHERE d = DATE '2026-01-01' AND x IS NOT NULL AND n NOT ILIKE '%it''s%' ESCAPE '!' AND y BETWEEN 1 AND -2.5e3 AND z IS DISTINCT FROM $1":
        'select s.t',
      "SELECT DISTINCT ON (a) a, t.* FROM s.t AS t WHERE (a, b) = (1, ?) AND data->>'k' = 'v' AND tags @> ARRAY['x'] AND id = ANY($1) AND a[1] <> 2":
        'select s.t',
      "SELECT string_agg(n, ', ' ORDER BY n) FROM s.t WINDOW w AS (PARTITION BY a) FETCH FIRST 5 ROWS ONLY":
        'select s.t',
      'SELECT `id` FROM `db`.`users` LIMIT 5, 10;': 'select db.users',
      'SELECT TOP 10 * FROM s.t': 'select s.t',
      '-- the users\nSELECT a /* all of\n them */ FROM s.t -- done': 'select s.t',
      'SELECT größe FROM s.t': 'select s.t',
    });
  });

  test('the strongest effect wins: what changes a table counts wherever it stands', () => {
    expectAll({
      'INSERT INTO a.t (x) VALUES (1) RETURNING id': 'insert a.t',
      'INSERT INTO a.t DEFAULT VALUES': 'insert a.t',
      'INSERT INTO a.t SELECT * FROM b.u': 'insert a.t, select b.u',
      'INSERT INTO a.t (x) (SELECT y FROM b.u)': 'insert a.t, select b.u',
      'INSERT INTO a.t (x) VALUES (1) ON CONFLICT (x) DO NOTHING': 'insert a.t',
      'INSERT INTO a.t (x) VALUES (1) ON CONFLICT (x) DO UPDATE SET x = excluded.x': 'insert a.t, update a.t',
      'INSERT INTO a.t (x) VALUES (1) ON DUPLICATE KEY UPDATE x = VALUES(x)': 'insert a.t, update a.t',
      'UPDATE a.t SET x = (SELECT 1 FROM b.u), (y, z) = (1, 2) FROM c.v WHERE c.v.id = a.t.id':
        'select b.u, select c.v, update a.t',
      'DELETE FROM a.t USING b.u WHERE a.t.id = b.u.id RETURNING *': 'delete a.t, select b.u',
      'WITH x AS (DELETE FROM a.t RETURNING *) SELECT * FROM x JOIN b.u ON true': 'delete a.t, select b.u',
      'WITH x AS (UPDATE app.log SET t = 1 RETURNING t) SELECT t FROM x': 'update app.log',
      'SELECT * FROM (WITH x AS (INSERT INTO a.t DEFAULT VALUES RETURNING 1) SELECT * FROM x) s':
        'insert a.t',
      'WITH x AS (SELECT * FROM a.t) INSERT INTO b.u SELECT * FROM x': 'insert b.u, select a.t',
      'SELECT * INTO a.new FROM b.u': 'ddl a.new, select b.u',
      'SELECT * FROM a.t, b.u FOR UPDATE SKIP LOCKED': 'select a.t, select b.u, update a.t, update b.u',
      'SELECT 1 FROM a.t; SELECT 1 FROM a.t FOR NO KEY UPDATE OF t NOWAIT': 'select a.t, update a.t',
      'TRUNCATE TABLE a.t, b.u CASCADE': 'ddl a.t, ddl b.u, delete a.t, delete b.u',
      'EXPLAIN SELECT * FROM a.t': 'select a.t',
      'EXPLAIN ANALYZE DELETE FROM a.t': 'delete a.t',
      'EXPLAIN (ANALYZE, FORMAT JSON) UPDATE a.t SET x = 1': 'update a.t',
    });
  });

  test('DDL, privileges, maintenance and transactions', () => {
    expectAll({
      "CREATE TABLE IF NOT EXISTS a.t (id serial PRIMARY KEY, x int NOT NULL DEFAULT -1 CHECK (x > 0), y text DEFAULT 'a' REFERENCES b.u (id) ON DELETE SET NULL, UNIQUE (x, y))":
        'ddl a.t, ddl b.u',
      'CREATE TABLE a.t AS SELECT * FROM b.u': 'ddl a.t, select b.u',
      'CREATE OR REPLACE VIEW a.v AS SELECT * FROM b.u': 'ddl a.v, select b.u',
      'CREATE UNIQUE INDEX i ON a.t USING btree (lower(x) DESC) WHERE y > 0': 'ddl a.t',
      'ALTER TABLE a.t ADD COLUMN x varchar(20), DROP COLUMN y, ALTER COLUMN z TYPE int USING z::int':
        'ddl a.t',
      'ALTER TABLE a.t RENAME TO u': 'ddl a.t, ddl a.u',
      'DROP TABLE IF EXISTS a.t, b.u CASCADE': 'ddl a.t, ddl b.u',
      'DROP SCHEMA a CASCADE': 'ddl',
      'DROP DATABASE IF EXISTS a': 'ddl',
      'CREATE TABLE a.t (id uuid DEFAULT gen_random_uuid() NOT NULL, at timestamptz DEFAULT CURRENT_TIMESTAMP, n int GENERATED ALWAYS AS IDENTITY)':
        'ddl a.t',
      'GRANT SELECT, UPDATE (x) ON TABLE a.t TO someone': 'admin a.t',
      'REVOKE ALL PRIVILEGES ON a.t FROM PUBLIC': 'admin a.t',
      'VACUUM FULL a.t': 'admin a.t',
      VACUUM: 'admin',
      'ANALYZE a.t (x, y)': 'admin a.t',
      'LOCK TABLE a.t IN ACCESS EXCLUSIVE MODE NOWAIT': 'admin a.t',
      'BEGIN; COMMIT; ROLLBACK TO SAVEPOINT s; SAVEPOINT s; RELEASE s; END': 'transaction',
      'START TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY': 'transaction',
    });
  });

  test('[P.kind.sql-every-statement] several statements are judged each, empty ones are none', () => {
    expectAll({
      'SELECT 1;; SELECT 2 FROM a.t;': 'select, select a.t',
      'SELECT 1 FROM a.t; DROP TABLE a.t': 'ddl a.t, select a.t',
      'BEGIN; DELETE FROM a.t; COMMIT': 'delete a.t, transaction',
      'COMMIT; DROP SCHEMA public CASCADE': 'ddl, transaction',
      '': 'refused',
      ' ; -- nothing\n;': 'refused',
    });
  });
});

describe('names', () => {
  test('fold where they are not quoted, and say whether the text gives a schema', () => {
    expectAll({
      'SELECT 1 FROM Public . USERS': 'select public.users',
      'SELECT 1 FROM "Public"."Users"': 'select Public.Users',
      'SELECT 1 FROM users': 'select users',
      'SELECT 1 FROM "order details"': 'select order details',
      'SELECT 1 FROM public.select': 'select public.select',
      'SELECT 1 FROM "größe"': 'select größe',
    });
  });

  test('of a WITH hide tables only where every database agrees', () => {
    expectAll({
      'WITH x AS (SELECT 1) SELECT * FROM x': 'select',
      'WITH x AS (SELECT 1) SELECT * FROM public.x': 'select public.x',
      'WITH x AS (SELECT * FROM x) SELECT * FROM x': 'select x',
      'WITH a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a': 'select b',
      'WITH RECURSIVE x AS (SELECT 1 UNION ALL SELECT n FROM x) SELECT * FROM x': 'select',
      'WITH RECURSIVE a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a': 'select b',
      'WITH x AS (SELECT 1) SELECT * FROM (SELECT * FROM x) s': 'select',
      'SELECT * FROM (WITH x AS (SELECT 1) SELECT * FROM x) s, x': 'select x',
      'WITH "X" AS (SELECT 1) SELECT * FROM x': 'select x',
      'WITH x AS (SELECT 1) SELECT 1 FROM x; SELECT 2 FROM x': 'select, select x',
      'WITH x AS (SELECT * FROM public.users) DELETE FROM x': 'refused',
      'WITH x AS (SELECT * FROM public.users) UPDATE x SET a = 1': 'refused',
      'WITH x AS (SELECT * FROM public.users) INSERT INTO x VALUES (1)': 'refused',
    });
  });
});
