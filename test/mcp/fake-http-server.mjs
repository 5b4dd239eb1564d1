/**
 * test/mcp/fake-server behind Streamable HTTP: what it writes goes out as events, byte for byte, on the stream of the call that it
 * belongs to, else on that of the newest one. Says where it listens. Its first argument is the fake server's mode; `old` opens a
 * session. More arguments change it: `json` answers with bodies instead of streams where it can.
 */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const [mode = 'old', ...ways] = process.argv.slice(2);
const asJson = ways.includes('json');
const script = fileURLToPath(new URL('./fake-server.mjs', import.meta.url));
const child = spawn(process.execPath, [script, mode], { stdio: ['pipe', 'pipe', 'inherit'] });
/** @typedef {import('node:http').ServerResponse} Response */
/** Requests that have no answer yet. @type {Map<string, Response>} */
const open = new Map();
/** @type {string | undefined} */
let session;

child.on('exit', (code) => process.exit(code ?? 1));
process.on('exit', () => child.kill('SIGKILL'));
child.stdin.on('error', () => undefined);

let rest = Buffer.alloc(0);
child.stdout.on('data', (/** @type {Buffer} */ chunk) => {
  rest = Buffer.concat([rest, chunk]);
  for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
    line(rest.subarray(0, end));
    rest = rest.subarray(end + 1);
  }
});

/** @param {Buffer} bytes */
function line(bytes) {
  const text = bytes.toString('latin1');
  const id = /^\{"jsonrpc":"2\.0","id":("[^"]*"|\d+),/u.exec(text)?.[1] ?? /"id":(\d+)\}$/u.exec(text)?.[1];
  const own = id !== undefined && !text.includes('"method"') ? open.get(id) : undefined;
  const to = own ?? [...open.values()].at(-1);
  if (to === undefined) return;
  if (asJson && own === undefined) return;
  if (asJson) to.writeHead(200, { 'content-type': 'application/json' }).end(bytes);
  else if (!to.write(Buffer.concat([Buffer.from('data: '), bytes, Buffer.from('\n\n')]))) {
    child.stdout.pause();
    to.once('drain', () => child.stdout.resume());
    to.once('close', () => child.stdout.resume());
  }
  if (own === undefined || asJson) return;
  // Whatever it says at once after the answer still goes out on the same stream.
  setImmediate(() => own.end());
}

const server = createServer(async (request, response) => {
  const { 'mcp-session-id': id } = request.headers;
  if (request.method === 'DELETE') return response.writeHead(200).end(() => process.exit(0));
  if (request.method !== 'POST') return response.writeHead(405).end();
  if (session !== undefined && id !== session) return response.writeHead(404).end();
  const text = await body(request);
  const message = JSON.parse(text);
  if (message.method === 'initialize') session = 'session-1';
  child.stdin.write(`${text}\n`);
  if (message.id === undefined || message.method === undefined) return response.writeHead(202).end();
  const key = JSON.stringify(message.id);
  open.set(key, response);
  response.on('close', () => open.delete(key));
  const headers = { 'content-type': 'text/event-stream', ...(session && { 'mcp-session-id': session }) };
  if (!asJson) response.writeHead(200, headers).flushHeaders();
  return undefined;
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  process.stdout.write(`http://127.0.0.1:${port}/mcp\n`);
});

/** @param {import('node:http').IncomingMessage} request */
async function body(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
