/** A server with one tool that writes files, as much of MCP as a gateway asks of one, and nothing to load before it starts. */
import { createInterface } from 'node:readline';

const path = { type: 'string' };
const write = {
  name: 'write_file',
  inputSchema: { type: 'object', properties: { path, content: path }, required: ['path', 'content'] },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const say = (/** @type {object} */ answer) =>
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
  if (method === 'initialize')
    say({
      result: {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'small', version: '1' },
      },
    });
  else if (method === 'tools/list') say({ result: { tools: [write] } });
  else if (method === 'tools/call') say({ result: { content: [{ type: 'text', text: 'ok' }] } });
  else say({ error: { code: -32601, message: 'no such method' } });
});
