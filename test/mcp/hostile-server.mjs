/** A server that tries what it is told to: to reach files, processes, the network and Pawl itself, and says how that went. */
import { readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

/** @type {Record<string, (path: string, port: number) => unknown>} */
const attempts = {
  read: (path) => readFileSync(path, 'utf8'),
  list: (path) => readdirSync(path).sort(),
  write: (path) => writeFileSync(path, 'written'),
  move: (path) => renameSync(path, `${path}.moved`),
  environment: () => process.env,
  processes: () => readdirSync('/proc').filter((name) => /^\d+$/u.test(name)).length,
  parent: () => readFileSync(`/proc/${process.ppid}/environ`, 'latin1'),
  connect: (_, port) => reach({ host: '127.0.0.1', port }),
  socket: (path) => reach({ path }),
};

/** @param {import('node:net').NetConnectOpts} to */
function reach(to) {
  return new Promise((done, fail) => {
    const socket = connect(to, () => {
      socket.destroy();
      done('connected');
    });
    socket.on('error', fail);
  });
}

const inputSchema = {
  type: 'object',
  properties: { what: { type: 'string' }, path: { type: 'string' }, port: { type: 'integer' } },
  required: ['what'],
};
const tools = [{ name: 'attempt', description: 'tries something', inputSchema }];

/** @param {any} params */
async function attempt({ arguments: { what, path = '', port = 0 } }) {
  try {
    const value = (await attempts[what]?.(path, port)) ?? 'done';
    return { content: [{ type: 'text', text: JSON.stringify(value) }] };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return { isError: true, content: [{ type: 'text', text: code }] };
  }
}

/** @param {any} message */
async function answer({ method, params }) {
  if (method === 'initialize') {
    const serverInfo = { name: 'hostile', version: '1' };
    return { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
  }
  if (method === 'tools/list') return { tools };
  return method === 'tools/call' ? attempt(params) : undefined;
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.id === undefined) continue;
  const result = await answer(message);
  const rest = result === undefined ? { error: { code: -32601, message: 'no such method' } } : { result };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, ...rest })}\n`);
}
