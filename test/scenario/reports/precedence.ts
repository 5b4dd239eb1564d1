/** Reports about which of several rules wins. */
import { fileTools, number, text, tool } from '../tools.js';
import { type Step, type Telling, deny, permit } from './story.js';

function ask(name: string, args: Readonly<Record<string, string>>): Step {
  return { call: { tool: name, args }, want: { decision: 'ask', code: 'consent_required' } };
}

const run = (command: string): Step => permit('sh/run_command', { command });
const noRun = (command: string): Step => deny('sh/run_command', { command }, 'denied');
const shell = { sh: [tool('run_command', { command: text })] };

const service = `
pawl: 1
servers: { sh: { command: shell-mcp } }
agents:
  a:
    allow: [ { tools: [sh/run_command], ask: session } ]
    deny: [ { where: { args.command: { glob: "*restart trader*" } } } ]
`;

/** Report to scenario. */
export const precedenceReports: Readonly<Record<string, Telling>> = {
  R120: [
    `    deny: [ { where: { args.command: { prefix: "git checkout" } } } ]
    allow: [ { tools: ["sh/*"], ask: once } ]`,
    `    allow: [ { tools: [sh/run_command] } ]
    ask: [ { tools: ["sh/*"], ask: once } ]
    deny: [ { where: { args.command: { prefix: "git checkout" } } } ]`,
  ].map((rules) => ({
    policy: `
pawl: 1
servers: { sh: { command: shell-mcp } }
agents:
  a:
${rules}
`,
    tools: shell,
    steps: [
      noRun('git checkout -- src/main.py'),
      noRun('GIT Checkout main'),
      ask('sh/run_command', { command: 'git status' }),
      ask('sh/run_command', { command: 'ls' }),
    ],
  })),
  R121: [
    {
      policy: `
pawl: 1
servers: { s: { command: s-mcp } }
agents:
  a:
    allow: [ { tools: ["s/*"] } ]
    deny: [ { tools: [s/echo] } ]
`,
      tools: { s: [tool('add', { a: number, b: number }), tool('echo', { text })] },
      steps: [permit('s/add', { a: 1, b: 2 }), deny('s/echo', { text: 'a' }, 'denied')],
    },
  ],
  R122: [
    {
      policy: service,
      tools: shell,
      assume_consent: true,
      steps: [
        noRun('systemctl restart trader'),
        run('systemctl status trader'),
        noRun('systemctl restart trader'),
        run('systemctl restart web'),
      ],
    },
    {
      policy: service,
      tools: shell,
      steps: [
        noRun('systemctl restart trader'),
        ask('sh/run_command', { command: 'systemctl status trader' }),
      ],
    },
  ],
  R123: [
    {
      policy: `
pawl: 1
servers: { files: { connector: filesystem } }
agents:
  a:
    allow: [ { tools: ["files/*"], verbs: [read], where: { path: /repo/** } } ]
    deny: [ { where: { path: "**/.env*" } } ]
`,
      tools: { files: fileTools('read_file', 'directory_tree') },
      steps: [
        permit('files/read_file', { path: '/repo/AGENTS.md' }),
        permit('files/read_file', { path: '/repo/env' }),
        permit('files/read_file', { path: '/repo/a.env' }),
        deny('files/read_file', { path: '/repo/.env' }, 'denied', { constraint: 'path' }),
        deny('files/read_file', { path: '/repo/sub/.ENV.local' }, 'denied'),
        deny('files/directory_tree', { path: '/repo' }, 'denied'),
        deny('files/read_file', { path: '/etc/hosts' }, 'not_permitted'),
      ],
    },
  ],
  R124: [
    {
      policy: `
pawl: 1
servers: { files: { connector: filesystem } }
agents:
  a:
    deny: [ { where: { path: "/home/dev/**/*.pem" } } ]
    allow: [ { tools: [files/read_file] }, { tools: [files/read_file], where: { path: /home/dev/certs/** } } ]
`,
      tools: { files: fileTools('read_file') },
      steps: [
        deny('files/read_file', { path: '/home/dev/certs/site.pem' }, 'denied'),
        deny('files/read_file', { path: '/home/dev/site.PEM' }, 'denied'),
        deny('files/read_file', { path: '/home/dev/certs/../certs/site.pem' }, 'denied'),
        permit('files/read_file', { path: '/home/dev/certs/site.pem.txt' }),
        permit('files/read_file', { path: '/home/dev/certs/site.crt' }),
        permit('files/read_file', { path: '/srv/site.pem' }),
      ],
    },
  ],
};
