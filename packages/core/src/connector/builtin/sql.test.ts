/** The sql table: against the tools that real servers list, and what their calls are answered. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Tools, closed, gate } from '../../../../../test/policies.js';
import { describeWithShared } from '../../../../../test/shared.js';
import { type JsonObject, isJsonArray, isJsonObject, own, readJson } from '../../ground/index.js';
import { classedPaths } from '../table.js';
import { sql } from './sql.js';

/** Which tools of the table are whose, and what no field stands for there: which database is reached. */
const servers: Readonly<
  Record<string, { readonly tools: readonly string[]; readonly unclassed: readonly string[] }>
> = {
  '@modelcontextprotocol__server-postgres': { tools: ['query'], unclassed: [] },
  '@henkey__postgres-mcp-server': {
    tools: ['pg_execute_query', 'pg_execute_sql'],
    unclassed: ['connectionString'],
  },
  '@neondatabase__mcp-server-neon': {
    tools: ['run_sql', 'run_sql_transaction', 'prepare_database_migration'],
    unclassed: ['params.projectId', 'params.branchId', 'params.databaseName'],
  },
};

/** Properties of a schema; below an object of properties their own, as `params.sql`. */
function properties(schema: JsonObject): readonly string[] {
  const found = own(schema, 'properties');
  return Object.entries(isJsonObject(found) ? found : {}).flatMap(([name, inner]) =>
    isJsonObject(inner) && own(inner, 'type') === 'object'
      ? properties(inner).map((deeper) => `${name}.${deeper}`)
      : [name],
  );
}

describeWithShared('the table of sql', 'data/mcp-tools', (folder) => {
  const toolsOf = (file: string): ReadonlyMap<string, JsonObject> => {
    const listed = readJson(readFileSync(join(folder, `${file}.json`), 'utf8'));
    const tools = isJsonObject(listed) ? own(listed, 'tools') : undefined;
    return new Map(
      (isJsonArray(tools) ? tools : []).filter(isJsonObject).flatMap((tool) => {
        const [name, schema] = [own(tool, 'name'), own(tool, 'inputSchema')];
        return typeof name === 'string' && isJsonObject(schema) ? [[name, schema] as const] : [];
      }),
    );
  };

  test('[S002.table-drift] has tools of real servers only, and classes all their arguments but which database is meant', () => {
    for (const [file, { tools, unclassed }] of Object.entries(servers)) {
      const real = toolsOf(file);
      for (const name of tools) {
        const schema = real.get(name);
        const table = sql.tools[name];
        const classed = table === undefined ? [] : classedPaths(table).map((path) => path.join('.'));
        const inServer = schema === undefined ? [] : properties(schema);
        expect([name, [...inServer].sort()]).toEqual([
          name,
          [...classed, ...unclassed.filter((each) => inServer.includes(each))].sort(),
        ]);
      }
    }
    expect(
      Object.values(servers)
        .flatMap(({ tools }) => tools)
        .sort(),
    ).toEqual(Object.keys(sql.tools).sort());
  });

  test('[S002.table-drift] knows every tool of the server whose package it is inferred for', () => {
    expect(sql.packages).toEqual(['@modelcontextprotocol/server-postgres']);
    expect([...toolsOf('@modelcontextprotocol__server-postgres').keys()]).toEqual(['query']);
  });
});

const text = { type: 'string' };
const tools: Tools = {
  db: {
    query: { type: 'object', properties: { sql: text } },
    pg_execute_sql: closed(
      { connectionString: text, sql: text, parameters: { type: 'array', items: {}, default: [] } },
      'sql',
    ),
    run_sql: closed({ params: closed({ sql: text, projectId: text }, 'sql', 'projectId') }, 'params'),
    run_sql_transaction: closed(
      {
        params: closed(
          { sqlStatements: { type: 'array', items: text }, projectId: text },
          'sqlStatements',
          'projectId',
        ),
      },
      'params',
    ),
  },
};

function under(agent: string): ReturnType<typeof gate> {
  return gate(
    `pawl: 1\nservers: { db: { command: x, connector: sql } }\nagents:\n  a: { ${agent} }\n`,
    tools,
  );
}

function query(policy: ReturnType<typeof gate>, ...texts: readonly string[]): readonly boolean[] {
  return texts.map((each) => policy.permits('db/query', { sql: each }));
}

describe('[P.connector.sql] calls of servers that take SQL', () => {
  test('make one access a statement and table', () => {
    const { accesses } = under('allow: [ { tools: ["db/*"], where: { sql: { schema: app } } } ]').call(
      'db/query',
      {
        sql: 'INSERT INTO app.log SELECT * FROM users; COMMIT',
      },
    );
    expect(accesses).toEqual(
      ['insert app.log', 'select users', 'transaction'].map((each) => ({
        tool: 'db/query',
        verb: 'execute',
        sql: each,
      })),
    );
  });

  test('[P.kind.sql-every-statement] are admitted where every statement on every table is', () => {
    const policy = under(
      'allow: [ { tools: [db/query], where: { sql: { statements: [select], tables: [app.*] } } } ]',
    );
    expect(
      query(
        policy,
        'SELECT * FROM app.users JOIN app.orders USING (id)',
        'SELECT * FROM app.users; SELECT 1;',
        'SELECT * FROM app.users JOIN other.orders USING (id)',
        'SELECT * FROM app.users; DELETE FROM app.users',
        'WITH x AS (DELETE FROM app.users RETURNING *) SELECT * FROM x',
        'SELECT * FROM users',
        'SELECT pg_sleep(1)',
      ),
    ).toEqual([true, true, false, false, false, false, false]);
  });

  test('[P.kind.sql-every-statement] may be admitted by several rules together', () => {
    const policy = under(
      'allow: [ { tools: [db/query], where: { sql: { statements: [insert], tables: [app.log] } } }, { tools: [db/query], where: { sql: { statements: [select], tables: [app.users] } } } ]',
    );
    expect(
      query(
        policy,
        'INSERT INTO app.log SELECT id FROM app.users',
        'INSERT INTO app.users SELECT id FROM app.users',
        'INSERT INTO app.log SELECT id FROM app.log',
      ),
    ).toEqual([true, false, false]);
  });

  test('[P.kind.sql-every-statement] are denied where any statement on any table is', () => {
    const policy = under(
      'allow: [ { tools: [db/query], where: { sql: { schema: app } } } ], deny: [ { where: { sql: { tables: [secret.*], schema: app } } }, { where: { sql: { statements: [ddl] } } } ]',
    );
    expect(
      query(
        policy,
        'SELECT * FROM users',
        'SELECT * FROM users WHERE id IN (SELECT id FROM secret.ids)',
        'SELECT * FROM "SECRET"."Ids"',
        'SELECT 1; DROP TABLE users',
        'INSERT INTO secret.ids VALUES (1)',
        'DROP SCHEMA app',
      ),
    ).toEqual([true, false, false, false, false, false]);
    expect(policy.call('db/query', { sql: 'SELECT * FROM secret.ids' })).toMatchObject({
      code: 'denied',
      constraint: 'sql',
    });
  });

  test('[P.kind.sql-refused] are refused as malformed where a list looks at the text and it is not understood', () => {
    const bounded = under('allow: [ { tools: [db/query], where: { sql: { statements: [select] } } } ]');
    expect(bounded.call('db/query', { sql: "SELECT 'a\\' FROM app.t" })).toMatchObject({
      code: 'malformed_arguments',
      layer: 'decode',
    });
    const free = under('allow: [ { tools: [db/query] } ]');
    expect(query(free, "SELECT 'a\\' FROM app.t", 'DROP DATABASE x')).toEqual([true, true]);
  });

  test('are never filled: no statement follows from what is allowed', () => {
    const policy = under('allow: [ { tools: [db/query], where: { sql: { statements: [transaction] } } } ]');
    const answer = policy.call('db/query', {});
    expect(answer).toMatchObject({ decision: 'deny' });
    expect(answer).not.toHaveProperty('filled');
  });

  test('keep the text as it was sent', () => {
    const sent = { sql: 'select  1 -- one\n FROM App . Users ;' };
    const policy = under('allow: [ { tools: [db/query], where: { sql: { tables: [app.users] } } } ]');
    expect(policy.call('db/query', sent)).toMatchObject({ decision: 'permit', args: sent });
  });

  test('say which database is meant only where a rule frees it', () => {
    const sent = { sql: 'SELECT 1 FROM a.t', parameters: [1] };
    const closedRule = under(
      'allow: [ { tools: [db/pg_execute_sql], where: { sql: { statements: [select] } } } ]',
    );
    expect(closedRule.permits('db/pg_execute_sql', sent)).toBe(true);
    expect(closedRule.permits('db/pg_execute_sql', { ...sent, connectionString: 'x' })).toBe(false);
  });

  test('hold several texts in a list, each judged', () => {
    const policy = under(
      'allow: [ { tools: ["db/run_*"], where: { sql: { statements: [select] }, args.params.projectId: p } } ]',
    );
    const sent = (...sqlStatements: readonly string[]): boolean =>
      policy.permits('db/run_sql_transaction', {
        params: { sqlStatements: [...sqlStatements], projectId: 'p' },
      });
    expect(sent('SELECT 1', 'SELECT 2 FROM a.t')).toBe(true);
    expect(sent('SELECT 1', 'DELETE FROM a.t')).toBe(false);
    expect(policy.permits('db/run_sql', { params: { sql: 'SELECT 1', projectId: 'q' } })).toBe(false);
  });

  test('narrow in a ceiling', () => {
    const policy = under(
      'ceiling: { sql: { sql: { statements: [select] } } }, allow: [ { tools: ["db/query"] } ]',
    );
    expect(query(policy, 'SELECT * FROM app.users', 'DELETE FROM app.users')).toEqual([true, false]);
    expect(policy.call('db/query', { sql: 'DELETE FROM app.users' })).toMatchObject({ code: 'out_of_scope' });
  });
});

describe('[P.kind.sql-every-statement] raw arguments as SQL', () => {
  const raw = (agent: string): ReturnType<typeof gate> =>
    gate(`pawl: 1\nservers: { db: { command: x } }\nagents:\n  a: { ${agent} }\n`, {
      db: { query: closed({ sql: text, note: text }, 'sql') },
    });

  test('are judged statement by statement', () => {
    const policy = raw(
      'allow: [ { tools: [db/query], where: { args.sql: { statements: [select, insert], tables: [app.*] } } } ], deny: [ { where: { args.sql: { tables: [app.secret] } } } ]',
    );
    expect(
      query(
        policy,
        'INSERT INTO app.log SELECT * FROM app.users',
        'INSERT INTO app.log SELECT * FROM app.secret',
        'SELECT 1 FROM app.users; UPDATE app.users SET a = 1',
        'SELECT 1 FROM b.users',
      ),
    ).toEqual([true, false, false, false]);
  });

  test('may be admitted by several rules together, each of which sees the other arguments', () => {
    const policy = raw(
      'allow: [ { tools: [db/query], where: { args.sql: { statements: [insert], tables: [app.log] } } }, { tools: [db/query], where: { args.sql: { statements: [select] }, args.note: any } } ]',
    );
    const sent = 'INSERT INTO app.log SELECT * FROM app.users';
    expect(query(policy, sent)).toEqual([true]);
    expect(policy.permits('db/query', { sql: sent, note: 'x' })).toBe(false);
    expect(policy.permits('db/query', { sql: 'SELECT 1 FROM app.users', note: 'x' })).toBe(true);
  });

  test('are judged as sent by constraints of other kinds beside', () => {
    const policy = raw(
      'allow: [ { tools: [db/query], where: { args.sql: { all: [ { statements: [select] }, { maxLength: 20 } ] } } } ]',
    );
    expect(query(policy, 'SELECT 1 FROM a.t', 'SELECT 1 FROM a.very_long_table', 'DELETE FROM a.t')).toEqual([
      true,
      false,
      false,
    ]);
  });
});
