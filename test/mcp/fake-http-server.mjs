/**
 * test/mcp/fake-server behind Streamable HTTP: what it writes goes out as events, byte for byte, on the stream of the call that it
 * belongs to, else on that of the newest one. Says where it listens. Its first argument is the fake server's mode; `old` opens a
 * session.
 */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const mode = process.argv[2] ?? 'old';
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
  const own = askedFor(bytes.toString('latin1'));
  const to = own ?? [...open.values()].at(-1);
  if (to?.write(Buffer.concat([Buffer.from('data: '), bytes, Buffer.from('\n\n')])) === false) {
    child.stdout.pause();
    to.once('drain', () => child.stdout.resume());
    to.once('close', () => child.stdout.resume());
  }
  // Whatever it says at once after the answer still goes out on the same stream.
  setImmediate(() => own?.end());
}

/** The request that this is the answer to. @param {string} text */
function askedFor(text) {
  if (text.includes('"method"')) return undefined;
  const id = /^\{"jsonrpc":"2\.0","id":("[^"]*"|\d+),/u.exec(text) ?? /"id":(\d+)\}$/u.exec(text);
  return open.get(id?.[1] ?? '');
}

const server = createServer((request, response) => void serve(request, response));

/** @param {import('node:http').IncomingMessage} request @param {Response} response */
async function serve(request, response) {
  const { 'mcp-session-id': id } = request.headers;
  if (request.method === 'DELETE') return void response.writeHead(200).end(() => process.exit(0));
  if (request.method !== 'POST') return void response.writeHead(405).end();
  if (session !== undefined && id !== session) return void response.writeHead(404).end();
  const text = await body(request);
  const message = JSON.parse(text);
  if (message.method === 'initialize') session = 'session-1';
  child.stdin.write(`${text}\n`);
  if (message.id === undefined || message.method === undefined) return void response.writeHead(202).end();
  const key = JSON.stringify(message.id);
  open.set(key, response);
  response.on('close', () => open.delete(key));
  const headers = { 'content-type': 'text/event-stream', ...(session && { 'mcp-session-id': session }) };
  response.writeHead(200, headers).flushHeaders();
  return undefined;
}

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
