/** Connector `sql`: tools that take SQL, of @modelcontextprotocol/server-postgres and others; field `sql`. */
import type { ConnectorTable, ToolTable } from '../table.js';

/** What a text does is in `sql`; the verb says that something runs. */
function tool(argument: readonly string[], payload: readonly string[] = []): ToolTable {
  return {
    verb: 'execute',
    accesses: [
      {
        verb: 'execute',
        extent: 'exact',
        fields: { sql: [{ argument }] },
        omitted: {},
        needed: true,
        namedOnly: false,
      },
    ],
    payload,
  };
}

/** Values of parameters carry no authority; which database is reached does, so that a rule has to free or constrain it. */
export const sql: ConnectorTable = {
  name: 'sql',
  version: 1,
  packages: ['@modelcontextprotocol/server-postgres'],
  fields: { sql: { kind: 'sql' } },
  unlisted: 'refuse',
  tools: {
    query: tool(['sql']),
    pg_execute_query: tool(['query'], ['operation', 'parameters', 'limit', 'timeout']),
    pg_execute_sql: tool(['sql'], ['parameters', 'expectRows', 'timeout', 'transactional']),
    run_sql: tool(['params', 'sql']),
    run_sql_transaction: tool(['params', 'sqlStatements']),
    prepare_database_migration: tool(['params', 'migrationSql']),
  },
};
