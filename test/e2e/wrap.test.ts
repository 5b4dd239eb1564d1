/** `pawl wrap`: the client's own process is a private gateway before one server. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AnyClient, type Target, clients, connectOld } from './clients.js';
import {
  pawlArguments,
  pawlHere,
  recorded,
  recordedCalls,
  serverProgram,
  temporaryFolder,
} from './gateway.js';

let folder = '';
let data = '';
let log = '';
let alone: AnyClient;

beforeAll(async () => {
  folder = temporaryFolder(afterAll);
  data = join(folder, 'data');
  log = join(folder, 'files.calls');
  mkdirSync(data);
  writeFileSync(join(data, 'a.txt'), 'content of a');
  const policy = {
    pawl: 1,
    // The command of the entry would fail: wrap starts what stands after `--`.
    servers: { files: { command: 'no-such-command', connector: 'filesystem', root: data } },
    agents: {
      reader: { allow: [{ tools: ['files/read_text_file'], where: { path: join(data, '**') } }] },
      other: { allow: [{ tools: ['files/list_directory'] }] },
    },
  };
  writeFileSync(join(folder, 'pawl.json'), JSON.stringify(policy));
  alone = await connectOld({ program: [serverProgram('filesystem'), data] });
});
afterAll(() => alone.close());

function wrapArguments(store: string, agent: string): string[] {
  const options = ['--policy', join(folder, 'pawl.json'), '--server', 'files', '--agent', agent];
  const command = [process.execPath, ...recorded(log, serverProgram('filesystem'), data)];
  return ['wrap', ...options, '--store', join(folder, store), '--', ...command];
}

function wrapped(store: string, agent = 'reader'): Target {
  return { program: pawlArguments(...wrapArguments(store, agent)) };
}

describe.each(Object.keys(clients))('%s', (kind) => {
  test('[P.cli.wrap] [P.wire.both-eras] lists what the agent can reach, gives the answers of the server and refuses the rest', async () => {
    const client = await clients[kind]!(wrapped(`store-${kind.length}`));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['files__read_text_file']);
    const path = join(data, 'a.txt');
    const before = recordedCalls(log).length;
    const answer = await client.callTool({ name: 'files__read_text_file', arguments: { path } });
    const own = await alone.callTool({ name: 'read_text_file', arguments: { path } });
    expect(answer.content).toEqual(own.content);
    expect(answer.structuredContent).toEqual(own.structuredContent);
    const refused = await client.callTool({
      name: 'files__read_text_file',
      arguments: { path: '/etc/hostname' },
    });
    expect(refused).toMatchObject({ isError: true, _meta: { 'pawl/refusal': { code: 'not_permitted' } } });
    expect(recordedCalls(log).slice(before)).toEqual([{ name: 'read_text_file', arguments: { path } }]);
    await client.close();
    const verdict = await pawlHere('audit', 'verify', '--store', join(folder, `store-${kind.length}`));
    expect(verdict).toMatchObject({ code: 0, err: '' });
  }, 60_000);
});

test('[P.cli.wrap] serves the agent that was named, and ends with its client', async () => {
  const client = await connectOld(wrapped('store-other', 'other'));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['files__list_directory']);
  await client.close();
  const second = await connectOld(wrapped('store-other', 'other'));
  await second.close();
}, 60_000);

test('[P.cli.wrap] needs a policy, one of its servers and, where there are several, an agent', async () => {
  expect(await pawlHere('wrap', '--server', 'files', '--', 'node')).toMatchObject({ code: 2, out: '' });
  const policy = ['--policy', join(folder, 'pawl.json')];
  const foreign = await pawlHere('wrap', ...policy, '--server', 'nothing', '--agent', 'reader', '--', 'node');
  expect(foreign).toMatchObject({ code: 2, out: '' });
  expect(foreign.err).toContain('files');
  const nobody = await pawlHere('wrap', ...policy, '--server', 'files', '--', 'node');
  expect(nobody).toMatchObject({ code: 2, out: '' });
  expect(nobody.err).toContain('reader, other');
});
