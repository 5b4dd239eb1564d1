/** An MCP server on a pair of pipes in this very process: it lists the tools of a suite and says what it was called with. */
import { PassThrough } from 'node:stream';
import type { Json, JsonObject } from '@pawl/core';
import type { Launch, ServerProcess } from '../../packages/gateway/src/mcp/index.js';
import type { SuiteTool } from './suite.js';

/** Servers over the same tools. */
export interface SuiteServers {
  readonly launch: Launch;
  /** Calls that reached any of them. */
  received(): number;
}

/** What starts servers for a suite. */
export function suiteServers(tools: readonly SuiteTool[]): SuiteServers {
  const listed = tools.map(({ name, description, parameters }) => ({
    name,
    description,
    inputSchema: parameters,
  }));
  let received = 0;
  const called = (params: Json | undefined): JsonObject => {
    received += 1;
    return { content: [{ type: 'text', text: JSON.stringify(params) }] };
  };
  return {
    launch: () => piped((method, params) => answer(listed, called, method, params)),
    received: () => received,
  };
}

function answer(
  tools: readonly Json[],
  called: (params: Json | undefined) => JsonObject,
  ...[method, params]: readonly [string, Json | undefined]
): JsonObject | undefined {
  if (method === 'tools/call') return called(params);
  if (method === 'tools/list') return { tools };
  if (method === 'ping') return {};
  if (method !== 'initialize') return undefined;
  const serverInfo = { name: 'suite', version: '1.0.0' };
  return { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
}

interface Request {
  readonly id?: Json;
  readonly method: string;
  readonly params?: Json;
}

function piped(respond: (method: string, params: Json | undefined) => JsonObject | undefined): ServerProcess {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  let rest = '';
  stdin.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const { id, method, params } = JSON.parse(line) as Request;
      if (id === undefined) continue;
      const result = respond(method, params);
      const told =
        result === undefined ? { error: { code: -32_601, message: 'no such method' } } : { result };
      stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...told })}\n`);
    }
  });
  const gone = new Promise<string>((resolve) => stdin.once('close', () => resolve('it was ended')));
  const kill = (): void => void stdin.destroy();
  return { pid: process.pid, stdin, stdout, gone, kill, end: async () => (kill(), void (await gone)) };
}
