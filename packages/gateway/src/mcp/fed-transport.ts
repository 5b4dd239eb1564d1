/** The SDK's end of a connection that Pawl owns: fed with decoded frames, it hands back what the SDK says. */
import {
  type JSONRPCMessage,
  type Server,
  type Transport,
  isJSONRPCNotification,
  isJSONRPCRequest,
  parseJSONRPCMessage,
} from '@modelcontextprotocol/server';
import type { NotificationFrame, RequestFrame, RequestId } from './frame.js';

/** A transport without a wire. */
export class FedTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];
  readonly #say: (message: JSONRPCMessage) => void;
  readonly #open = new Set<RequestId>();
  #quiet: (() => void)[] = [];

  /** @param say takes every message that the SDK sends, in order */
  constructor(say: (message: JSONRPCMessage) => void) {
    this.#say = say;
  }

  /** Feeds one decoded message; false when its parameters are not what MCP allows at all, and nothing was fed. */
  feed(frame: RequestFrame | NotificationFrame): boolean {
    const { kind, method, params } = frame;
    const plain = { jsonrpc: '2.0', method, params };
    const message = read(kind === 'request' ? { ...plain, id: frame.id } : plain);
    if (message === undefined) return false;
    if (kind === 'request') this.#open.add(frame.id);
    this.onmessage?.(message);
    return true;
  }

  /** Settles when every request that was fed has its answer. */
  async settled(): Promise<void> {
    if (this.#open.size > 0) await new Promise<void>((resolve) => this.#quiet.push(resolve));
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    this.#say(message);
    if (isJSONRPCRequest(message) || isJSONRPCNotification(message) || message.id === undefined) return;
    this.#open.delete(message.id);
    if (this.#open.size === 0) this.#release();
  }

  async close(): Promise<void> {
    this.#open.clear();
    this.#release();
    this.onclose?.();
  }

  #release(): void {
    for (const resolve of this.#quiet.splice(0)) resolve();
  }
}

function read(value: unknown): JSONRPCMessage | undefined {
  try {
    return parseJSONRPCMessage(value);
  } catch {
    return undefined;
  }
}

/**
 * Lets a server answer one message and ends it: what it said in answer to a request, nothing for a notification, undefined for
 * parameters that MCP does not allow at all.
 */
export async function answerOnce(
  server: Server,
  frame: RequestFrame | NotificationFrame,
): Promise<readonly JSONRPCMessage[] | undefined> {
  const said: JSONRPCMessage[] = [];
  const transport = new FedTransport((message) => said.push(message));
  await server.connect(transport);
  const fed = transport.feed(frame);
  await transport.settled();
  await server.close();
  return fed ? said : undefined;
}
