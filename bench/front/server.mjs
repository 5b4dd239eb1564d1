/** The server behind every front: one file tool that answers at once with the same short text. Its CPU is nobody's figure. */
import { createInterface } from 'node:readline';

const tool = {
  name: 'read_text_file',
  description: 'Reads a file.',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string' }, head: { type: 'number' }, tail: { type: 'number' } },
    required: ['path'],
  },
};
const text = 'A line of the kind that files hold, neither long nor short.\n'.repeat(4);

/**
 * @param {string} method
 * @returns {object | undefined} the result; undefined: no such method
 */
function resultOf(method) {
  if (method === 'tools/call') return { content: [{ type: 'text', text }] };
  if (method === 'tools/list') return { tools: [tool] };
  if (method === 'ping') return {};
  if (method !== 'initialize') return undefined;
  const serverInfo = { name: 'bench', version: '1.0.0' };
  return { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  if (id === undefined) continue;
  const result = resultOf(method);
  const answer = result === undefined ? { error: { code: -32_601, message: 'no such method' } } : { result };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
}
