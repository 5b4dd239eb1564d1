/** Reports about ways around: options in words, SQL, calls inside calls, and files reached by another tool. */
import { text, tool } from '../tools.js';
import { type Telling, deny, permit } from './story.js';

const shellTools = { sh: [tool('run_command', { command: text, cwd: text }, ['command'])] };

/** A shell in /repo with a working directory argument. */
function shell(path: string, ...denials: readonly string[]): string {
  return `
pawl: 1
servers: { sh: { command: sh-mcp, connector: runner, root: /repo } }
connectors:
  runner:
    fields: { line: { kind: command } }
    tools: { run_command: { verb: execute, reads: { line: { argument: command, base: cwd } } } }
agents:
  a:
    allow: [ { tools: [sh/run_command], where: { line: { program: [grep, cat, cp, ls] }, path: ${path} } } ]
    deny: [ ${denials.map((glob) => `{ where: { path: "${glob}" } }`).join(', ')} ]
`;
}

const run = (command: string) => permit('sh/run_command', { command });
const refuse = (command: string, code = 'denied') => deny('sh/run_command', { command }, code);

const database = `
pawl: 1
servers: { db: { command: db-mcp, connector: db } }
connectors:
  db:
    fields: { sql: { kind: sql } }
    tools:
      execute_query: { verb: execute, reads: { sql: sql } }
      query: { verb: execute, reads: { sql: sql } }
agents:
  a:
    allow:
      - tools: ["db/*"]
        where: { sql: { statements: [select], tables: ["app.*"], schema: app } }
`;
const databaseTools = { db: [tool('execute_query', { sql: text }), tool('query', { sql: text })] };

/** Report to scenario. */
export const indirectReports: Readonly<Record<string, Telling>> = {
  R066: [
    {
      policy: `
pawl: 1
servers: { git: { command: git-mcp, connector: git } }
agents:
  a: { allow: [ { tools: [git/git_log], where: { path: /srv/repo/** } } ] }
`,
      tools: { git: [tool('git_log', { path: text, branch: text }, ['path'])] },
      steps: [
        deny('git/git_log', { path: '/srv/repo', branch: '--output=/tmp/x.txt' }, 'malformed_arguments'),
        deny('git/git_log', { path: '/srv/repo', branch: '-p' }, 'malformed_arguments'),
        permit('git/git_log', { path: '/srv/repo', branch: 'feature/x' }),
      ],
    },
  ],
  R067: [
    {
      policy: `
pawl: 1
servers: { repo: { command: git-mcp, connector: none } }
connectors: { none: { fields: { operation: { kind: oneOf, values: [status, log, push] } }, tools: { git_operation: { verb: execute, reads: { operation: operation } } } } }
agents:
  a: { allow: [ { tools: [repo/git_operation], where: { operation: [status, log] } } ] }
`,
      tools: { repo: [tool('git_operation', { operation: text })] },
      steps: [
        deny('repo/git_operation', { operation: 'status; cat /etc/passwd' }, 'not_permitted'),
        deny('repo/git_operation', { operation: 'push' }, 'not_permitted'),
        permit('repo/git_operation', { operation: 'status' }),
      ],
    },
  ],
  R068: [
    {
      policy: database,
      tools: databaseTools,
      steps: [
        deny(
          'db/execute_query',
          { sql: "WITH ins AS (INSERT INTO notes(body) VALUES('x') RETURNING 1) SELECT 1" },
          'not_permitted',
        ),
        deny('db/execute_query', { sql: 'SELECT 1; DROP TABLE notes' }, 'not_permitted'),
        permit('db/execute_query', { sql: 'WITH n AS (SELECT body FROM notes) SELECT * FROM n' }),
      ],
    },
  ],
  R069: [
    {
      policy: database,
      tools: databaseTools,
      steps: [
        permit('db/query', { sql: 'SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY ms) FROM calls' }),
        deny('db/query', { sql: 'SELECT pg_terminate_backend(7)' }, 'malformed_arguments'),
      ],
    },
  ],
  R128: [
    {
      policy: `
pawl: 1
servers: { fs: { command: fs-mcp, connector: filesystem, root: /workspace } }
agents:
  a: { allow: [ { tools: [fs/write_file], where: { path: /workspace/** } } ] }
`,
      tools: { fs: [tool('write_file', { path: text, content: text })] },
      steps: [
        deny(
          'fs/write_file',
          { path: '/home/dev/.config/editor/settings.json', content: '{}' },
          'not_permitted',
        ),
        permit('fs/write_file', { path: '/workspace/settings.json', content: '{}' }),
      ],
    },
  ],
  R173: [
    {
      policy: `
pawl: 1
servers: { db: { command: db-mcp, connector: batches } }
connectors:
  batches:
    fields: { name: { kind: oneOf } }
    tools:
      batch: { calls: { each: args.calls, server: db, tool: tool, arguments: args } }
      list_tables: { verb: list }
      warehouse_remove: { verb: delete, reads: { name: name } }
agents:
  a:
    allow: [ { tools: ["db/*"] } ]
    deny: [ { tools: [db/warehouse_remove] } ]
`,
      tools: {
        db: [
          tool('batch', {
            calls: {
              type: 'array',
              items: {
                type: 'object',
                properties: { tool: text, args: { type: 'object' } },
                required: ['tool'],
              },
            },
          }),
          tool('list_tables', {}),
          tool('warehouse_remove', { name: text }),
        ],
      },
      steps: [
        deny(
          'db/batch',
          {
            calls: [
              { tool: 'list_tables', args: {} },
              { tool: 'warehouse_remove', args: { name: 'w1' } },
            ],
          },
          'denied',
        ),
        permit('db/batch', { calls: [{ tool: 'list_tables', args: {} }] }),
      ],
    },
  ],
  R174: [
    {
      policy: `
pawl: 1
servers: { fs: { command: fs-mcp, connector: programs, root: /srv } }
connectors:
  programs:
    fields: { path: { kind: path } }
    tools:
      run_program: { calls: { each: args.calls, server: fs, tool: tool, arguments: args } }
      read_file: { verb: read, reads: { path: path } }
agents:
  a:
    allow:
      - { tools: [fs/run_program] }
      - { tools: [fs/read_file], where: { path: /srv/data/** } }
`,
      tools: {
        fs: [
          tool('run_program', {
            calls: {
              type: 'array',
              items: {
                type: 'object',
                properties: { tool: text, args: { type: 'object' } },
                required: ['tool'],
              },
            },
          }),
          tool('read_file', { path: text }),
        ],
      },
      steps: [
        permit(
          'fs/run_program',
          { calls: [{ tool: 'read_file', args: { path: '/srv/data/a.txt' } }] },
          { calls: [{ tool: 'read_file', args: { path: '/srv/data/a.txt' } }] },
          {
            accesses: [
              { tool: 'fs/run_program', verb: 'call' },
              { tool: 'fs/read_file', verb: 'read', path: '/srv/data/a.txt' },
            ],
          },
        ),
        deny(
          'fs/run_program',
          { calls: [{ tool: 'read_file', args: { path: '/srv/data/../key' } }] },
          'not_permitted',
        ),
      ],
    },
  ],
  R175: [
    {
      policy: shell('/repo/**', '/repo/docs/private/**'),
      tools: shellTools,
      steps: [
        refuse('grep -r known /repo'),
        refuse('grep -r known docs'),
        refuse('grep known docs/*/notes'),
        run('grep -r known /repo/src'),
      ],
    },
  ],
  R176: [
    {
      policy: shell('/repo/**', 'secrets/**'),
      tools: shellTools,
      steps: [
        refuse("grep '' secrets/credentials.json"),
        refuse('cp SECRETS/credentials.json x'),
        run("grep '' docs/credentials.json"),
      ],
    },
  ],
  R177: [
    {
      policy: shell('/workspace/**', '**/.env'),
      tools: shellTools,
      steps: [
        refuse('cp -r /srv/canary /srv/copy', 'not_permitted'),
        refuse('cp /workspace/.env /workspace/copy'),
        refuse('cat .env'),
        run('cp -r /workspace/src /workspace/copy'),
      ],
    },
    {
      policy: shell('/workspace/**', '/workspace/canary/sub/.env'),
      tools: shellTools,
      steps: [
        refuse('cp -r /workspace/canary /workspace/copy'),
        run('cp -r /workspace/other /workspace/copy'),
      ],
    },
  ],
  R178: [
    {
      policy: shell('/repo/**', '/repo/.env', '/repo/.dev.vars'),
      tools: shellTools,
      steps: [
        deny('sh/run_command', { command: 'grep API_KEY .dev.vars', cwd: '/repo' }, 'denied'),
        deny('sh/run_command', { command: 'grep API_KEY ../.dev.vars', cwd: '/repo/src' }, 'denied'),
        permit('sh/run_command', { command: 'grep API_KEY .dev.vars', cwd: '/repo/src' }),
      ],
    },
  ],
};
