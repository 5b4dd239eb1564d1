/** Texts that were made to be read otherwise than they run: each is refused, or shows what it does. */
import { describe, expect, test } from 'vitest';
import { readSql } from './index.js';

const refused: readonly (readonly [why: string, text: string])[] = [
  ['a function that reads files', "SELECT pg_read_file('/etc/passwd')"],
  ['the same in a FROM', "SELECT * FROM pg_read_file('/etc/passwd')"],
  ['the same with its schema', "SELECT pg_catalog.pg_read_file('/etc/passwd')"],
  ['the same in quotes', `SELECT "pg_read_file"('/etc/passwd')`],
  ['the same behind a comment', "SELECT pg_read_file/**/('/etc/passwd')"],
  ['large objects from files', "SELECT lo_import('/etc/passwd')"],
  ['another database', "SELECT * FROM dblink('host=x', 'SELECT 1') AS t(a int)"],
  ['a program', "COPY a.t FROM PROGRAM 'id'"],
  ['a file', "COPY a.t TO '/tmp/x'"],
  ['a file of MySQL', "SELECT * FROM a.t INTO OUTFILE '/tmp/x'"],
  ['a variable of MySQL', 'SELECT a INTO @x FROM a.t'],
  ['a file that is loaded', "LOAD DATA INFILE '/etc/passwd' INTO TABLE a.t"],
  ['a function of MySQL that reads files', "SELECT load_file('/etc/passwd')"],
  ['an extension of SQLite', "SELECT load_extension('x')"],
  ['a rowset of SQL Server', "SELECT * FROM OPENROWSET('x', 'y', 'z')"],
  ['a sequence that moves', "SELECT nextval('a.s')"],
  ['a sequence that is set', "SELECT setval('a.s', 1)"],
  ['a sequence by words', 'SELECT NEXT VALUE FOR a.s'],
  ['waiting', 'SELECT pg_sleep(1000)'],
  ['waiting on MySQL', 'SELECT sleep(1000)'],
  ['waiting on SQL Server', "WAITFOR DELAY '01:00'"],
  ['ending other sessions', 'SELECT pg_terminate_backend(1)'],
  ['settings through a function', "SELECT set_config('search_path', 'secret', false)"],
  ['settings', 'SET search_path = secret'],
  ['another role', 'SET ROLE postgres'],
  ['another schema', 'USE secret'],
  ['tables through a function', "SELECT query_to_xml('SELECT * FROM secret.t', true, false, '')"],
  ['a table by its oid', "SELECT 'secret.t'::regclass"],
  ['anonymous code', 'DO $$ BEGIN DELETE FROM a.t; END $$'],
  ['a procedure', 'CALL p()'],
  ['a procedure of SQL Server', "EXEC xp_cmdshell 'id'"],
  ['a procedure after a query without semicolon', "SELECT 1 FROM a.t EXEC xp_cmdshell 'id'"],
  ['a statement after a query without semicolon', 'SELECT 1 DROP TABLE a.t'],
  ['a statement of one word after a query', 'SELECT 1 SHUTDOWN'],
  ['the same after a table', 'SELECT 1 FROM a.t SHUTDOWN'],
  ['a delete after a commit without semicolon', 'COMMIT DELETE FROM a.t'],
  ['a batch separator', 'SELECT 1\nGO\nDROP TABLE a.t'],
  ['a prepared statement', 'PREPARE p AS DELETE FROM a.t'],
  ['its execution', 'EXECUTE p'],
  ['a function that is made', "CREATE FUNCTION a.f() RETURNS int AS 'x' LANGUAGE sql"],
  ['a trigger', 'CREATE TRIGGER t AFTER INSERT ON a.t EXECUTE FUNCTION a.f()'],
  ['a rule', 'CREATE RULE r AS ON SELECT TO a.t DO INSTEAD DELETE FROM b.u'],
  ['an extension', 'CREATE EXTENSION dblink'],
  ['a role', 'CREATE ROLE r SUPERUSER'],
  ['membership in a role', 'GRANT admin TO me'],
  ['all tables of a schema', 'GRANT SELECT ON ALL TABLES IN SCHEMA public TO me'],
  ['another file as database', "ATTACH DATABASE '/tmp/x' AS x"],
  ['a pragma', 'PRAGMA writable_schema = 1'],
  ['the catalogue without its schema', 'SELECT * FROM pg_shadow'],
  ['the same in quotes', 'SELECT * FROM "pg_authid"'],
  ['the catalogue of SQLite', 'SELECT * FROM sqlite_master'],
  ['the catalogue of SQL Server', 'SELECT * FROM syslogins'],
  ['another database by three names', 'SELECT * FROM other.public.users'],
  ['another server by four names', 'SELECT * FROM s.other.dbo.users'],
  ['the default schema of another database', 'SELECT * FROM other..users'],
  ['a comment that MySQL executes', 'SELECT 1 /*! FROM secret.t */'],
  ['the same with a version', 'SELECT 1 /*!50000 FROM secret.t */'],
  ['a comment that MariaDB executes', 'SELECT 1 /*M! FROM secret.t */'],
  ['a hint', 'SELECT /*+ SET_VAR(x = 1) */ 1'],
  ['a comment in a comment', 'SELECT 1 /* /* */ FROM secret.t -- */'],
  ['a comment that begins with its end', 'SELECT 1 /*/ FROM secret.t /**/'],
  ['a comment without end', 'SELECT 1 /* x'],
  ['two hyphens that MySQL subtracts', 'SELECT 1--1\n FROM secret.t'],
  ['a comment that ends at a carriage return for some', 'SELECT 1 -- x\rFROM secret.t'],
  ['a comment that ends at a line separator for some', 'SELECT 1 -- x\u2028FROM secret.t'],
  ['a hash', 'SELECT 1 # x\n FROM secret.t'],
  ['a hash operator', "SELECT a #>> '{b}' FROM a.t"],
  ['a backslash before a quote', "SELECT 'a\\' FROM a.t WHERE x = ' OR 1 = (SELECT 1 FROM secret.t) -- '"],
  ['the same in a quoted name', 'SELECT "a\\" FROM a.t'],
  ['two backslashes before a quote', "SELECT '\\\\' FROM a.t"],
  ['a text with escapes', "SELECT E'a\\' FROM secret.t -- '"],
  ['a text with Unicode escapes', "SELECT U&'d\\0061t'"],
  ['a name with Unicode escapes', 'SELECT * FROM U&"d\\0061t"'],
  ['a national text', "SELECT N'x'"],
  ['a text with its character set', "SELECT _utf8'x'"],
  ['a text of Oracle', "SELECT q'[it's]' FROM secret.t"],
  ['dollar quotes', "SELECT $$ ' $$ FROM a.t"],
  ['dollar quotes with a tag', 'SELECT $a$ $$ $a$'],
  ['a number that is a name for MySQL', 'SELECT 1union SELECT 2 FROM a.t'],
  ['an unfinished number', 'SELECT 1.FROM a.t'],
  ['a hexadecimal number', 'SELECT 0x41'],
  ['brackets as quotes', 'SELECT * FROM [secret].[t]'],
  ['brackets that hide a bracket', "SELECT a[1 + ']'] FROM a.t"],
  ['brackets in brackets', 'SELECT a[b[1]] FROM a.t'],
  ['backticks with more than a name', 'SELECT `a; DROP TABLE a.t; -- `'],
  ['a text that is not closed', "SELECT 'a"],
  ['two texts that MySQL joins', "SELECT 'a' 'b'"],
  ['a no-break space', 'SELECT\u00a01'],
  ['an unquoted capital beyond ASCII', 'SELECT 1 FROM \u0130x'],
  ['an unquoted table beyond ASCII', 'SELECT 1 FROM größe'],
  ['a quoted name with a dot', 'SELECT 1 FROM "public.users"'],
  ['a quoted name with an invisible character', 'SELECT 1 FROM "users\u200b"'],
  ['a quoted name that ends with a blank', 'SELECT 1 FROM "users "'],
  ['a name that is cut at 63 bytes', `SELECT 1 FROM public.${'u'.repeat(64)}`],
  ['text that is not NFC', "SELECT 'e\u0301'"],
  ['U+0000', "SELECT 'a\u0000'"],
  ['a lone surrogate', "SELECT 'a\ud800'"],
  ['a target that is an alias for some', 'UPDATE t SET a = 1 FROM secret.users t'],
  ['the same of a delete', 'DELETE FROM t USING secret.users AS t'],
  ['the same by the name of the table', 'DELETE FROM users USING secret.users WHERE true'],
  ['the same in a join', 'UPDATE t SET a = 1 FROM (b.u JOIN secret.users T ON true)'],
  ['an update of several tables', 'UPDATE a.t, secret.u SET x = 1'],
  ['an update of a join', 'UPDATE a.t JOIN secret.u ON true SET u.x = 1'],
  ['a delete by alias', 'DELETE x FROM secret.t x'],
  ['a replacing insert', 'REPLACE INTO a.t VALUES (1)'],
  ['another replacing insert', 'INSERT OR REPLACE INTO a.t VALUES (1)'],
  ['a merge', 'MERGE INTO a.t USING b.u ON true WHEN MATCHED THEN DELETE'],
  ['the words of nothing', 'SELECT FROM WHERE'],
  ['two phase commit', "COMMIT PREPARED 'x'"],
  ['a hint that SQL Server takes', 'SELECT * FROM a.t WITH (NOLOCK)'],
  ['a named parameter', 'SELECT * FROM a.t WHERE x = @x'],
];

const shown: readonly (readonly [text: string, does: string])[] = [
  ['SELECT 1; DROP TABLE secret.t', 'ddl secret.t'],
  ["SELECT ''''; DROP TABLE secret.t; -- '", 'ddl secret.t'],
  ["SELECT '''; DROP TABLE secret.t; --'", 'select'],
  ['SELECT 1 FROM a.t WHERE x = 1 OR 1 = 1 UNION SELECT * FROM secret.t', 'select secret.t'],
  ['SELECT 1 FROM a.t -- x\n, secret.t', 'select secret.t'],
  ['SELECT 1 FROM a.t /* x */, secret.t /* y */', 'select secret.t'],
  ['SELECT "a""b" FROM secret.t', 'select secret.t'],
  ['SELECT 1 FROM secret /**/ . -- x\n t', 'select secret.t'],
  ['SELECT * FROM pg_catalog.pg_authid', 'select pg_catalog.pg_authid'],
  ['CREATE VIEW public.v AS SELECT * FROM secret.t', 'select secret.t'],
  [
    'CREATE TABLE public.v AS WITH x AS (DELETE FROM secret.t RETURNING *) SELECT * FROM x',
    'delete secret.t',
  ],
  ['ALTER TABLE public.v ADD FOREIGN KEY (a) REFERENCES secret.t (b)', 'ddl secret.t'],
  ['INSERT INTO public.t VALUES ((SELECT x FROM secret.t))', 'select secret.t'],
  ['INSERT INTO public.t DEFAULT VALUES RETURNING (SELECT x FROM secret.t)', 'select secret.t'],
  ['DELETE FROM public.t WHERE x = (SELECT y FROM secret.t LIMIT 1)', 'select secret.t'],
];

describe('[P.kind.sql-refused] SQL that is read differently, or that does more than it says', () => {
  test.each(refused)('refuses %s', (_why, text) => {
    expect(readSql(text)).toMatchObject({ ok: false });
  });

  test.each(shown)('sees through %j', (text, does) => {
    const found = readSql(text);
    expect(found.ok ? found.accesses : []).toContain(does);
  });

  test('hides nothing in what is only text', () => {
    expect(readSql('SELECT \'; DROP TABLE a.t; /* \' || "x--y" FROM b.u')).toEqual({
      ok: true,
      accesses: ['select b.u'],
    });
  });

  test('neither recursion nor repetition costs more than a line', () => {
    const deep = (open: string, close: string): string =>
      `SELECT ${open.repeat(20_000)}1${close.repeat(20_000)}`;
    for (const text of [
      deep('(', ')'),
      deep('(SELECT ', ')'),
      deep('abs(', ')'),
      deep('CASE WHEN 1 THEN ', ' END'),
      deep('ARRAY[', ']'),
      `SELECT 1 FROM ${'('.repeat(20_000)}a`,
      `${'WITH a AS ('.repeat(5_000)}SELECT 1`,
      "'".repeat(131_071),
      '/*'.repeat(60_000),
    ]) {
      expect(readSql(text).ok).toBe(false);
    }
    for (const text of [
      `SELECT ${'NOT '.repeat(30_000)}true`,
      `SELECT 1${' + 1'.repeat(30_000)}`,
      `SELECT 1${' UNION SELECT 1'.repeat(8_000)}`,
      `SELECT 1 FROM a.t${', a.t'.repeat(20_000)}`,
      'SELECT 1;'.repeat(14_000),
      `SELECT 1 FROM a.t${' JOIN (SELECT 1 FROM a.t FOR UPDATE) x ON true'.repeat(2_500)}`,
    ]) {
      expect(readSql(text).ok).toBe(true);
    }
    expect(readSql(`SELECT '${'x'.repeat(140_000)}'`).ok).toBe(false);
  });
});
