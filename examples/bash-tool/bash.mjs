/** The bash tool as an actor: it holds the powers that it was spawned with, and there is nothing else that it could use. */
import { defineActor, jsonArguments, power } from '@pawl/core';

const command = jsonArguments({
  type: 'object',
  properties: { cmd: { type: 'string', description: 'ls, cat, rm or curl, and what it is to work on' } },
  required: ['cmd'],
  additionalProperties: false,
});

const dangerous = new Set(['rm']);

export const bash = defineActor(
  {
    powers: {
      fs: power({ list: 'method', read: 'method', remove: 'method' }),
      net: power({ get: 'method' }),
      approval: power({ request: 'method' }),
    },
    parallel: 8,
  },
  ({ write }) => ({
    invoke: write(command, async ({ cmd }, { powers: { fs, net, approval } }) => {
      const [program = '', target = '/', ...more] = cmd.trim().split(/\s+/u);
      if (more.length > 0) return `${program}: one argument at a time`;
      if (dangerous.has(program)) await approval.request(cmd);
      if (program === 'ls') return fs.list(target).join(' ');
      if (program === 'cat') return fs.read(target);
      if (program === 'rm') return fs.remove(target);
      if (program === 'curl') return net.get(target);
      return `${program}: no such command`;
    }),
  }),
);
