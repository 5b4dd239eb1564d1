/** Reports about command lines whose policy names whole texts: no reader of commands is needed to state them. */
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
};
