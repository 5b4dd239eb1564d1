/** Servers that a test makes up, each on a pair of pipes in this very process. */
import { PassThrough } from 'node:stream';
import type { Json, JsonObject } from '@pawl/core';
import type { Launch, ServerProcess } from '../../../packages/gateway/src/mcp/index.js';

/** A tool of a made-up server. */
export interface ProgramTool {
  readonly schema: JsonObject;
  /** The text of its answer; throws what becomes a tool error. */
  run(args: JsonObject): string | Promise<string>;
}

/** Tools of one process, made anew for each: what they remember is its own. `env` is what it was started with. */
export type Program = (env: Readonly<Record<string, string>>) => Readonly<Record<string, ProgramTool>>;
/** Programs by their command. */
export type Programs = Readonly<Record<string, Program>>;

/** A tool with text properties, all of them optional; it answers with its name and what it was called with. */
export function echoes(...properties: readonly string[]): ProgramTool {
  return runs((args) => JSON.stringify(args), ...properties);
}

/** A tool with text properties that does something. */
export function runs(run: ProgramTool['run'], ...properties: readonly string[]): ProgramTool {
  const entries = properties.map((name) => [name, { type: 'string' }] as const);
  return { schema: { type: 'object', properties: Object.fromEntries(entries) }, run };
}

/** A program that notes every call which reaches any of its processes. */
export function noting(
  calls: [tool: string, args: JsonObject][],
  tools: Readonly<Record<string, ProgramTool>>,
): Program {
  const noted = Object.entries(tools).map(([name, tool]) => {
    const run = (args: JsonObject): string | Promise<string> => {
      calls.push([name, args]);
      return tool.run(args);
    };
    return [name, { ...tool, run }] as const;
  });
  return () => Object.fromEntries(noted);
}

/** Starts programs. */
export function launching(programs: Programs): Launch {
  return ({ command, env }) => {
    const program = programs[command];
    return program === undefined ? `no program ${command}` : piped(program(env));
  };
}

interface Request {
  readonly id?: Json;
  readonly method: string;
  readonly params?: { readonly name?: string; readonly arguments?: JsonObject };
}

async function answer(
  tools: Readonly<Record<string, ProgramTool>>,
  { method, params }: Request,
): Promise<JsonObject | undefined> {
  if (method === 'tools/call') return called(tools[params?.name ?? ''], params?.arguments ?? {});
  if (method === 'tools/list')
    return { tools: Object.entries(tools).map(([name, { schema }]) => ({ name, inputSchema: schema })) };
  if (method === 'ping') return {};
  if (method !== 'initialize') return undefined;
  const serverInfo = { name: 'made-up', version: '1.0.0' };
  return { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
}

async function called(tool: ProgramTool | undefined, args: JsonObject): Promise<JsonObject> {
  try {
    const text = (await tool?.run(args)) ?? 'no such tool';
    return { content: [{ type: 'text', text }], isError: tool === undefined };
  } catch (error) {
    return { content: [{ type: 'text', text: String(error) }], isError: true };
  }
}

function piped(tools: Readonly<Record<string, ProgramTool>>): ServerProcess {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const take = async (request: Request): Promise<void> => {
    if (request.id === undefined) return;
    const result = await answer(tools, request);
    const told = result === undefined ? { error: { code: -32_601, message: 'no such method' } } : { result };
    stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: request.id, ...told })}\n`);
  };
  let rest = '';
  stdin.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) void take(JSON.parse(line) as Request);
  });
  const gone = new Promise<string>((resolve) => stdin.once('close', () => resolve('it was ended')));
  const kill = (): void => void stdin.destroy();
  return { pid: process.pid, stdin, stdout, gone, kill, end: async () => (kill(), void (await gone)) };
}
