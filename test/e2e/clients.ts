/** The clients that Pawl is driven with: the official SDK in both versions and eras, over both transports. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { cleanEnvironment } from './gateway.js';

/** A result as a client hands it on. */
export interface CallResult {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

/** What the tests use of a client. */
export interface AnyClient {
  listTools(): Promise<{
    readonly tools: readonly { readonly name: string; readonly inputSchema: unknown }[];
  }>;
  callTool(call: { readonly name: string; readonly arguments: Record<string, unknown> }): Promise<CallResult>;
  getServerCapabilities(): object | undefined;
  close(): Promise<void>;
}

/** Where a client goes: a program of Node's that speaks on stdio, or an endpoint with a credential. */
export type Target =
  | { readonly program: readonly string[]; readonly env?: Readonly<Record<string, string>> }
  | { readonly url: string; readonly authorization: string };

const self = { name: 'e2e', version: '1' };

async function newClient(
  target: Target,
  mode: 'auto' | 'legacy' | { pin: '2026-07-28' },
): Promise<AnyClient> {
  const client = new Client(self, { versionNegotiation: { mode } });
  await client.connect(
    'url' in target
      ? new StreamableHTTPClientTransport(new URL(target.url), { requestInit: headersOf(target) })
      : new StdioClientTransport(stdioOf(target)),
  );
  return client;
}

async function oldClient(target: Target): Promise<AnyClient> {
  const client = new OldClient(self);
  await client.connect(
    'url' in target
      ? new OldHttpTransport(new URL(target.url), { requestInit: headersOf(target) })
      : new OldStdioTransport(stdioOf(target)),
  );
  return client;
}

function headersOf({ authorization }: Extract<Target, { url: string }>): { headers: Record<string, string> } {
  return { headers: { authorization } };
}

function stdioOf({ program, env }: Extract<Target, { program: unknown }>): {
  command: string;
  args: string[];
  env: Record<string, string>;
  stderr: 'ignore';
} {
  return {
    command: process.execPath,
    args: [...program],
    env: { ...cleanEnvironment(), ...env },
    stderr: 'ignore',
  };
}

/** Each kind of client by name. */
export const clients: Readonly<Record<string, (target: Target) => Promise<AnyClient>>> = {
  'SDK v2, auto': (target) => newClient(target, 'auto'),
  'SDK v2, pinned 2026-07-28': (target) => newClient(target, { pin: '2026-07-28' }),
  'SDK v2, legacy 2025-11-25': (target) => newClient(target, 'legacy'),
  'SDK v1': oldClient,
};

/** Connects the plain old client, which every server understands. */
export const connectOld: (target: Target) => Promise<AnyClient> = oldClient;
