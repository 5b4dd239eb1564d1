/** The client's end of a pair of line streams, for tests. */
import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject } from '@pawl/core';

/** A client that sees raw lines. */
export interface Wire {
  /** Every line received so far. */
  readonly lines: string[];
  send(message: JsonObject): void;
  /** Sends a line and returns the next line received. */
  raw(line: string): Promise<string>;
  /** Sends a request under a fresh id and returns its answer. */
  request(method: string, params: JsonObject): Promise<JsonObject>;
  onNotification(listener: (message: JsonObject) => void): void;
  end(): void;
  /** The same end as an SDK transport; the other functions are not used then. */
  transport(): Transport;
}

/** @param input what the server reads @param output what it writes */
export function wireTo(input: Writable, output: Readable): Wire {
  const lines: string[] = [];
  const notified: ((message: JsonObject) => void)[] = [];
  const waiting: { wants: (message: JsonObject) => boolean; take: (line: string) => void }[] = [];
  let rest = '';
  let ids = 0;
  output.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString('utf8')).split('\n');
    rest = parts.pop() ?? '';
    for (const line of parts) {
      lines.push(line);
      const message = JSON.parse(line) as JsonObject;
      if (typeof message['method'] === 'string') for (const tell of notified) tell(message);
      const index = waiting.findIndex(({ wants }) => wants(message));
      if (index >= 0) waiting.splice(index, 1)[0]?.take(line);
    }
  });
  const next = (wants: (message: JsonObject) => boolean): Promise<string> =>
    new Promise((take) => waiting.push({ wants, take }));
  return {
    lines,
    send: (message) => void input.write(`${JSON.stringify(message)}\n`),
    raw(line) {
      const answer = next(() => true);
      input.write(`${line}\n`);
      return answer;
    },
    async request(method, params) {
      ids += 1;
      const id = `test-${ids}`;
      const answer = next((message) => message['id'] === id);
      input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      return JSON.parse(await answer) as JsonObject;
    },
    onNotification: (listener) => void notified.push(listener),
    end: () => void input.end(),
    transport: () => transportOn(input, output),
  };
}

function transportOn(input: Writable, output: Readable): Transport {
  let rest = '';
  const transport: Transport & { pid: number; stderr: null } = {
    pid: 1,
    stderr: null,
    start: async () => {
      output.on('data', (chunk: Buffer) => {
        const parts = (rest + chunk.toString('utf8')).split('\n');
        rest = parts.pop() ?? '';
        for (const line of parts) transport.onmessage?.(JSON.parse(line) as JSONRPCMessage);
      });
    },
    send: async (message) => {
      input.write(`${JSON.stringify(message)}\n`);
    },
    close: async () => transport.onclose?.(),
  };
  return transport;
}
