/** The official SDK as the client of handshake and lists, on a pipe that stays Pawl's. */
import {
  Client,
  type JSONRPCMessage,
  type PriorDiscovery,
  type StandardSchemaV1,
  type Transport,
} from '@modelcontextprotocol/client';
import { type Json, type JsonObject, isJsonArray, isJsonObject, own } from '@pawl/core';
import type { Era } from '../era.js';
import type { Implementation } from '../meta.js';
import type { UpstreamTool } from './upstream.js';

/** What a server said of itself when it was first met; spares later processes of it the question. */
export type Discovered = PriorDiscovery;

/** What a handshake found. */
export interface Met {
  readonly era: Era;
  readonly discovered: Discovered;
  readonly tools: readonly UpstreamTool[];
  /** Whether the server says that it tells when its tools change. */
  readonly tells: boolean;
  /** Lists the tools again. Rejects as {@link meet} does. */
  readonly list: () => Promise<readonly UpstreamTool[]>;
}

/** Bounds of a handshake. */
export interface HandshakeBounds {
  /** Milliseconds for each request. */
  readonly requestMs: number;
  /** Milliseconds after which a server that says nothing to a 2026-07-28 question is taken for an older one. */
  readonly probeMs: number;
}

const mostPages = 64;
const mostTools = 2048;

const asIs: StandardSchemaV1<unknown, Json> = {
  '~standard': {
    version: 1,
    vendor: 'pawl',
    validate: (value) => (isJson(value) ? { value } : { issues: [{ message: 'no value' }] }),
  },
};

/** What the SDK hands on came out of JSON.parse. */
function isJson(value: unknown): value is Json {
  return value !== undefined;
}

/** The SDK's end of the pipe. `pid` and `stderr` are how the SDK knows a local process, where silence means an older server. */
export class PipeTransport implements Transport {
  readonly pid: number;
  readonly stderr: null = null;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];
  readonly #write: (text: string) => void;

  constructor(pid: number, write: (text: string) => void) {
    this.pid = pid;
    this.#write = write;
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    this.#write(JSON.stringify(message));
  }

  async close(): Promise<void> {
    this.onclose?.();
  }
}

/** Shakes hands in whichever era the server speaks, and lists its tools. Rejects with the SDK's error. */
export async function meet(
  transport: Transport,
  self: Implementation,
  bounds: HandshakeBounds,
  prior?: Discovered,
): Promise<Met> {
  const client = new Client(
    { ...self },
    { capabilities: {}, versionNegotiation: { mode: 'auto', probe: { timeoutMs: bounds.probeMs } } },
  );
  const timeout = bounds.requestMs;
  await client.connect(transport, prior === undefined ? { timeout } : { timeout, prior });
  const discover = client.getDiscoverResult();
  const discovered: Discovered = discover === undefined ? { kind: 'legacy' } : { kind: 'modern', discover };
  const offered = client.getServerCapabilities()?.tools;
  const list = async (): Promise<readonly UpstreamTool[]> =>
    offered === undefined ? [] : listed(client, timeout);
  const tells = offered?.listChanged === true;
  return { era: discovered.kind, discovered, tools: await list(), tells, list };
}

async function listed(client: Client, timeout: number): Promise<readonly UpstreamTool[]> {
  const tools = new Map<string, UpstreamTool>();
  let cursor: string | undefined;
  const seen = new Set<string>();
  for (let page = 0; page < mostPages; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const result = await client.request({ method: 'tools/list', params }, asIs, { timeout });
    if (!isJsonObject(result)) break;
    const listing = own(result, 'tools');
    for (const tool of isJsonArray(listing) ? listing : []) note(tools, tool);
    const next = own(result, 'nextCursor');
    if (typeof next !== 'string' || tools.size >= mostTools) break;
    if (seen.has(next)) throw new Error('its list of tools does not end: it gives the same cursor again');
    seen.add(next);
    cursor = next;
  }
  return [...tools.values()].slice(0, mostTools);
}

/** Keeps a tool that has a name and an input schema; of two with one name the first. */
function note(tools: Map<string, UpstreamTool>, tool: Json): void {
  if (!isJsonObject(tool)) return;
  const name = own(tool, 'name');
  if (typeof name !== 'string' || !isJsonObject(own(tool, 'inputSchema')) || tools.has(name)) return;
  tools.set(name, { name, definition: withoutMeta(tool) });
}

function withoutMeta(tool: JsonObject): JsonObject {
  const entries = Object.entries(tool).filter(([key]) => key !== '_meta');
  return Object.fromEntries(entries);
}
