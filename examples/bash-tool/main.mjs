/** Tools with explicit powers on @pawl/core alone: no gateway, no names that lead anywhere, and handles for the model. */
import { actorTools, openProgram } from '@pawl/core';
import { bash } from './bash.mjs';
import { jobs } from './jobs.mjs';
import { approvalPower, fsPower, netPower } from './powers.mjs';

const files = new Map([
  ['/tmp/sandbox/notes.txt', 'one\ntwo\nthree'],
  ['/tmp/sandbox/old.log', ''],
  ['/etc/passwd', 'root:x:0:0'],
]);
const powers = {
  fs: fsPower('/tmp/sandbox', files),
  net: netPower(['api.openai.com']),
  approval: approvalPower((text) => text.endsWith('.log')),
};
const clock = { rest: () => new Promise((resolve) => setTimeout(resolve, 1)) };

const records = [];
const program = openProgram({
  policy: {
    pawl: 1,
    servers: { sandbox: {}, work: {}, lonely: {} },
    agents: { hermes: { allow: [{ tools: ['sandbox/*'] }, { tools: ['work/*'] }, { tools: ['lonely/*'] }] } },
  },
  tools: [
    actorTools({ server: 'sandbox', actor: bash, powers, descriptions: { invoke: 'Runs a command.' } }),
    actorTools({ server: 'work', actor: jobs, powers: { clock } }),
    actorTools({ server: 'lonely', actor: bash, powers: { fs: powers.fs } }),
  ],
  record: (record) => void records.push(record),
});

const say = (line) => process.stdout.write(`${line}\n`);
const session = program.open('hermes');
const shown = session.tools();
say(`the model sees: ${shown.map(({ name }) => name).join(', ')}`);
const [{ handle }] = shown;

async function invoke(worded, label = JSON.stringify(worded.args)) {
  const outcome = await session.call(worded);
  if (outcome.kind === 'result') return say(`${label}: ${JSON.stringify(outcome.value)}`);
  const { code, constraint = '' } = outcome.refusal;
  return say(`${label}: refused, ${code} ${constraint}`.trimEnd());
}

await invoke({ handle, args: { cmd: 'ls /tmp/sandbox' } });
await invoke({ tool: 'sandbox__invoke', args: { cmd: 'cat /tmp/sandbox/notes.txt' } });
await invoke({ handle, args: { cmd: 'ls /etc' } });
await invoke({ handle, args: { cmd: 'curl https://api.openai.com/v1' } });
await invoke({ handle, args: { cmd: 'curl https://elsewhere.example/' } });
await invoke({ handle, args: { cmd: 'rm /tmp/sandbox/old.log' } });
await invoke({ handle, args: { cmd: 'rm /tmp/sandbox/notes.txt' } });
await invoke({ handle, args: { command: 'ls' } });
await invoke({ handle: '/object/zzzzzzzzzzzzzzzzzzzzzzzzzz', args: { cmd: 'ls' } }, 'an unknown handle');
await invoke({ tool: 'Sandbox__invoke', args: { cmd: 'ls' } }, 'a name in other letters');
await invoke({ tool: 'lonely__invoke', args: { cmd: 'ls' } }, 'a tool whose powers are missing');

const both = await Promise.all(
  ['ls /tmp/sandbox', 'cat /tmp/sandbox/notes.txt'].map((cmd) => session.call({ handle, args: { cmd } })),
);
say(`two at a time: ${both.map(({ kind }) => kind).join(', ')}`);

const { value: number } = await session.call({
  tool: 'work__start',
  args: { text: files.get('/tmp/sandbox/notes.txt') },
});
const look = { tool: 'work__look', args: { job: number } };
while (!(await session.call(look)).value.endsWith('0 left')) await clock.rest();
await invoke(look, 'the background job');

program.registry.unmount(['sandbox/invoke']);
await invoke({ handle, args: { cmd: 'ls /tmp/sandbox' } }, 'after unmounting');
say(
  `recorded: ${records.filter(({ type }) => type === 'intent').length > 0 ? 'every call' : 'nothing'}, no handle: ${!JSON.stringify(records).includes(handle)}`,
);
