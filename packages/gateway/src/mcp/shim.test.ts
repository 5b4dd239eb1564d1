import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import { mintId, parseAgentName, systemClock } from '@pawl/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakeGate, answerText, fakeGate, untilCancelled } from '../../../../test/mcp/fake-gate.js';
import { type Wire, wireTo } from '../../../../test/mcp/wire.js';
import { makeCaller } from './call.js';
import { type AgentsSocket, listenAgents } from './downstream/agents.js';
import { runShim } from './shim.js';

const self = { name: 'pawl', version: '0.1.0' };
let folder = '';
let agents: AgentsSocket | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pawl-agents-'));
});
afterEach(async () => {
  await agents?.close();
  agents = undefined;
  rmSync(folder, { recursive: true });
});

async function listening(): Promise<{ gate: FakeGate; path: string }> {
  const gate = fakeGate();
  const path = join(folder, 'agents.sock');
  const caller = makeCaller({ gate, self, clock: systemClock });
  const names = new Map(['reporter', 'nobody'].map((name) => [`key-${name}`, parseAgentName(name)]));
  agents = await listenAgents({
    path,
    gate,
    caller,
    self,
    authenticate: (key) => {
      const agent = names.get(key);
      return agent && { key: mintId.key(key), agent };
    },
  });
  return { gate, path };
}

function shim(
  path: string,
  key = 'key-reporter',
): { wire: Wire; code: Promise<number>; said: string[]; input: PassThrough } {
  const said: string[] = [];
  const [input, output] = [new PassThrough(), new PassThrough()];
  const code = runShim({ socket: path, key, input, output, complain: (line) => said.push(line) });
  return { wire: wireTo(input, output), code, said, input };
}

test('copies frames between a client and the gateway [P.wire.both-eras]', async () => {
  const { path } = await listening();
  for (const mode of ['auto', 'legacy'] as const) {
    const { wire, code } = shim(path);
    const client = new Client({ name: 't', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(wire.transport());
    const answer = await client.callTool({ name: 'files__echo', arguments: { text: 'through' } });
    expect(answer.content).toEqual([{ type: 'text', text: 'through' }]);
    wire.end();
    expect(await code).toBe(0);
  }
});

test('delivers the answers that a client still waits for when its input ends', async () => {
  const { path, gate } = await listening();
  gate.tools.set('later', async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return answerText('later');
  });
  const { wire, code } = shim(path);
  wire.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'later' } });
  wire.end();
  expect(await code).toBe(0);
  expect(wire.lines.join('')).toContain('later');
});

test('an unknown key and an agent that is not declared are turned away in words [P.session.unknown-key]', async () => {
  const { path, gate } = await listening();
  const unknown = shim(path, 'key-wrong');
  unknown.wire.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'files__echo' } });
  expect(await unknown.code).toBe(1);
  expect(unknown.said).toEqual(['pawl connect: the key is not known here, or was revoked']);
  expect(unknown.wire.lines).toEqual([]);
  const nobody = shim(path, 'key-nobody');
  expect(await nobody.code).toBe(1);
  expect(nobody.said).toEqual(['pawl connect: no such agent']);
  expect(gate.requests).toEqual([]);
});

test('says that no gateway listens, and when it ends', async () => {
  const nowhere = shim(join(folder, 'nothing.sock'));
  expect(await nowhere.code).toBe(1);
  expect(nowhere.said[0]).toContain('no gateway listens on');
  const { path } = await listening();
  const { wire, code, said } = shim(path);
  await wire.request('ping', {});
  await agents?.close();
  expect(await code).toBe(1);
  expect(said).toEqual(['pawl connect: the gateway ended the connection']);
});

test('cancels the calls of a client that vanishes', async () => {
  const { path, gate } = await listening();
  gate.tools.set('wait', untilCancelled);
  const { wire, input } = shim(path);
  wire.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait' } });
  await expect.poll(() => gate.requests.length).toBe(1);
  await agents?.close();
  expect(gate.requests[0]?.signal.aborted).toBe(true);
  input.destroy();
});

test.skipIf(process.platform === 'win32')(
  'only the owner can reach the socket, and a dead one is replaced',
  async () => {
    const { path } = await listening();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await expect(listening()).rejects.toThrow('another gateway listens');
  },
);
