/** Clients that make calls as fast as they are told to: over lines and over HTTP. Their CPU is nobody's figure. */
import type { ChildProcess } from 'node:child_process';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';

/** Makes one call and settles when its answer is there; rejects when it was not permitted. */
export type MakeCall = () => Promise<void>;

const info = { name: 'bench', version: '1.0.0' };
const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: info };

interface Message {
  readonly id?: number;
  readonly result?: { readonly isError?: boolean; readonly tools?: readonly { readonly name: string }[] };
}

/** Shakes hands over the pipes of a process and finds its tool. */
export async function lineClient(child: ChildProcess): Promise<MakeCall> {
  const waiting = new Map<number, (message: Message) => void>();
  let next = 0;
  createInterface({ input: child.stdout! }).on('line', (line) => {
    const message: Message = JSON.parse(line);
    if (message.id === undefined) return;
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
  const ask = (method: string, params: object): Promise<Message> =>
    new Promise((resolve) => {
      const id = next++;
      waiting.set(id, resolve);
      child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  await ask('initialize', hello);
  child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  const name = toolOf(await ask('tools/list', {}));
  return async () => permitted(await ask('tools/call', callParams(name, next)));
}

/** Shakes hands with an endpoint and finds its tool; connections are kept alive. */
export async function httpClient(url: string, bearer: string): Promise<MakeCall> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const headers: Record<string, string> = {
    authorization: `Bearer ${bearer}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  let next = 0;
  const ask = async (method: string, params: object): Promise<Message> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: next++, method, params });
    const { text, session } = await post(url, { agent, headers }, body);
    if (session !== undefined) headers['mcp-session-id'] = session;
    return JSON.parse(text);
  };
  await ask('initialize', hello);
  headers['mcp-protocol-version'] = hello.protocolVersion;
  const name = toolOf(await ask('tools/list', {}));
  return async () => permitted(await ask('tools/call', callParams(name, next)));
}

function post(
  url: string,
  { agent, headers }: { agent: Agent; headers: Record<string, string> },
  body: string,
): Promise<{ text: string; session: string | undefined }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const session = response.headers['mcp-session-id'];
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode === 200)
          resolve({ text, session: typeof session === 'string' ? session : undefined });
        else reject(new Error(`HTTP ${response.statusCode}: ${text}`));
      });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

function toolOf({ result }: Message): string {
  const [tool] = result?.tools ?? [];
  if (tool === undefined) throw new Error('the front lists no tool');
  return tool.name;
}

function callParams(name: string, number: number): object {
  return { name, arguments: { path: `docs/part-${number % 17}/chapter-${number % 501}.md` } };
}

function permitted(message: Message): void {
  if (message.result === undefined || message.result.isError === true)
    throw new Error(`a call was not permitted: ${JSON.stringify(message)}`);
}
