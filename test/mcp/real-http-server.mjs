/**
 * Servers of the official SDKs over Streamable HTTP, in one process: `/modern` is of SDK v2 and speaks both eras without sessions,
 * `/sessions` is of SDK v1 and keeps one for each client. Both have a tool `grow`, after which they have another, and tell of it.
 * Says where it listens.
 */
import { createServer } from 'node:http';
import process from 'node:process';
import { Readable } from 'node:stream';
import { McpServer as OldServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { McpServer, createMcpHandler } from '@modelcontextprotocol/server';

const nothing = { content: [] };
let grown = false;
const handler = createMcpHandler(() => {
  const server = new McpServer(
    { name: 'modern', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true } } },
  );
  server.registerTool('grow', { description: 'Grows.' }, async () => {
    grown = true;
    handler.notify.toolsChanged();
    return nothing;
  });
  if (grown) server.registerTool('more', { description: 'Was not there before.' }, async () => nothing);
  return server;
});

/** @type {Map<string, StreamableHTTPServerTransport>} */
const sessions = new Map();
async function session() {
  const server = new OldServer({ name: 'sessions', version: '1.0.0' });
  server.registerTool('grow', { description: 'Grows.' }, async () => {
    server.registerTool('more', { description: 'Was not there before.' }, async () => nothing);
    return nothing;
  });
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => `session-${sessions.size + 1}`,
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
  });
  await server.connect(transport);
  return transport;
}

const server = createServer((request, response) => void serve(request, response));

/** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
async function serve(request, response) {
  if (request.url === '/sessions') {
    const id = request.headers['mcp-session-id'];
    const held = typeof id === 'string' ? sessions.get(id) : undefined;
    if (typeof id === 'string' && held === undefined) response.writeHead(404).end();
    else await (held ?? (await session())).handleRequest(request, response);
  } else if (request.url === '/count') response.end(String(sessions.size));
  else if (request.url === '/forget') {
    sessions.clear();
    response.end();
  } else await pass(request, response);
}

/** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
async function pass(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const answer = await handler.fetch(
    new Request(`http://127.0.0.1${request.url}`, {
      method: request.method ?? 'GET',
      headers: /** @type {Record<string, string>} */ (request.headers),
      ...(request.method === 'POST' && { body: Buffer.concat(chunks) }),
    }),
  );
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).flushHeaders();
  const body = answer.body === null ? Readable.from([]) : Readable.fromWeb(/** @type {any} */ (answer.body));
  body.on('error', () => response.destroy());
  response.on('close', () => body.destroy());
  body.pipe(response);
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(
    `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}\n`,
  );
});
