/** Reports about command lines: as whole texts, and as commands with words that are paths. */
import { text, tool } from '../tools.js';
import { type Telling, deny, permit } from './story.js';

const shell = { sh: [tool('run_command', { command: text }, ['command'])] };

/** Report to scenario. */
export const commandReports: Readonly<Record<string, Telling>> = {
  R024: [
    {
      policy: `
pawl: 1
servers: { sh: { command: sh-mcp } }
agents:
  a: { allow: [ { tools: [sh/run_command], where: { args.command: [git status, ls] } } ] }
`,
      tools: shell,
      steps: [
        deny('sh/run_command', { command: 'ls\u200B -la /root' }, 'not_permitted'),
        deny('sh/run_command', { command: 'ls\u200B' }, 'not_permitted'),
        permit('sh/run_command', { command: 'ls' }),
        permit('sh/run_command', { command: 'git status' }),
      ],
    },
  ],
  R033: [
    {
      policy: `
pawl: 1
servers: { sh: { command: sh-mcp } }
agents:
  a: { allow: [ { tools: [sh/run_command], where: { args.command: { glob: "mkdir -p /tmp/agent-*" } } } ] }
`,
      tools: shell,
      steps: [
        permit('sh/run_command', { command: 'mkdir -p /tmp/agent-91498' }),
        deny('sh/run_command', { command: 'mkdir -p /tmp/other-1' }, 'not_permitted'),
        deny('sh/run_command', { command: 'sudo mkdir -p /tmp/agent-1' }, 'not_permitted'),
      ],
    },
  ],
  R039: [
    {
      policy: `
pawl: 1
servers: { sh: { command: sh-mcp, connector: runner, home: /home/dev } }
connectors:
  runner:
    fields: { line: { kind: command } }
    tools: { run_command: { verb: execute, reads: { line: { argument: command, base: cwd } } } }
agents:
  a: { allow: [ { tools: [sh/run_command], where: { line: { program: ["*"] }, path: /workspace/** } } ] }
`,
      tools: { sh: [tool('run_command', { command: text, cwd: text }, ['command'])] },
      steps: [
        deny('sh/run_command', { command: 'cat ~root/.bashrc', cwd: '/workspace' }, 'malformed_arguments'),
        deny('sh/run_command', { command: 'cat ~', cwd: '/workspace' }, 'not_permitted'),
        deny('sh/run_command', { command: 'cat ~/.bashrc', cwd: '/workspace' }, 'not_permitted'),
        deny('sh/run_command', { command: 'cat a', cwd: '/home/dev' }, 'not_permitted'),
        permit('sh/run_command', { command: 'cat .bashrc', cwd: '/workspace' }),
      ],
    },
  ],
  R040: [
    {
      policy: `
pawl: 1
servers: { fs: { command: fs-mcp, root: /srv, home: /home/dev } }
agents:
  a:
    allow: [ { tools: [fs/read], where: { args.content: { program: ["*"] } } } ]
    deny: [ { tools: [fs/read], where: { path: ~/.ssh/** } } ]
`,
      tools: { fs: [tool('read', { content: text }, ['content'])] },
      steps: [
        deny('fs/read', { content: '--file ~/.ssh/id_rsa' }, 'denied'),
        deny('fs/read', { content: 'cat --file=~/.ssh/id_rsa' }, 'denied'),
        deny('fs/read', { content: 'cat a ~/.ssh' }, 'denied'),
        permit('fs/read', { content: '--file ~/notes' }),
      ],
    },
  ],
};
