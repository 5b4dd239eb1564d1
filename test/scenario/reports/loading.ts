/** Reports about documents that must not load. */
import { fileTools, number, text, tool } from '../tools.js';
import { type Telling, deny, permit } from './story.js';

/** Report to scenario. */
export const loadReports: Readonly<Record<string, Telling>> = {
  R036: [
    {
      policy: `
pawl: 1
servers: { mcp: { command: some-mcp } }
agents: { a: { allow: [ { tools: ["mcp__*"] } ] } }
`,
      tools: { mcp: [tool('t', {})] },
      names: ['mcp__*', 'server/tool'],
    },
    {
      policy: `
pawl: 1
servers: { mcp: { command: some-mcp } }
agents: { a: { allow: [ { tools: ["*/t"] } ] } }
`,
      tools: { mcp: [tool('t', {})] },
      names: ['*/t', 'a server is named exactly'],
    },
    {
      policy: `
pawl: 1
servers: { mcp: { command: some-mcp } }
agents: { a: { allow: [ { tools: ["mcp/*"] } ] } }
`,
      tools: { mcp: [tool('t', {})] },
      steps: [permit('mcp/t', {})],
    },
  ],
  R037: [
    {
      policy: `
pawl: 1
servers: { sh: { command: shell-mcp } }
agents:
  a:
    allow: [ { tools: [sh/run_command] } ]
    deny: [ { tools: [sh/run_command], where: { args.command: { regex: "([a-z" } } } ]
`,
      tools: { sh: [tool('run_command', { command: text })] },
      names: ['regex'],
    },
    {
      policy: `
pawl: 1
servers: { files: { connector: filesystem } }
agents:
  a:
    allow: [ { tools: [files/read_file] } ]
    deny: [ { where: { path: /srv/a**b/x } } ]
`,
      tools: { files: fileTools('read_file') },
      names: ['/srv/a**b/x'],
    },
  ],
  R038: [
    {
      policy: `
pawl: 1
servers: { bank: { command: bank-mcp } }
agents: { a: { allow: [ { tools: [bank/pay], max_amuont: 5 } ] } }
`,
      tools: { bank: [tool('pay', { amount: number })] },
      names: ['max_amuont', 'where'],
    },
    {
      policy: `
pawl: 1
servers: { bank: { command: bank-mcp } }
agents: { a: { allow: [ { tools: [bank/pay], where: { args.amount: { above: 0, max: 5 } } } ] } }
`,
      tools: { bank: [tool('pay', { amount: number })] },
      steps: [deny('bank/pay', { amount: 6 }, 'not_permitted'), permit('bank/pay', { amount: 5 })],
    },
  ],
  R107: [
    {
      policy: `
pawl: 1
servers: { files: { command: files-mcp } }
agents: { a: { allow: [ { tools: files/read_file_all } ] } }
`,
      tools: { files: [tool('read_file_all', { path: text }), tool('read', { path: text })] },
      names: ['files/read_file_all', 'list'],
    },
    {
      policy: `
pawl: 1
servers: { files: { command: files-mcp } }
agents: { a: { allow: [ { tools: [files/read_file_all] } ] } }
`,
      tools: { files: [tool('read_file_all', { path: text }), tool('read', { path: text })] },
      steps: [
        deny('files/read', { path: 'a' }, 'not_permitted'),
        permit('files/read_file_all', { path: 'a' }),
      ],
    },
  ],
};
