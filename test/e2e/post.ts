/** One request of the 2026-07-28 era over HTTP, without a client library: cheap, and every byte of the answer is seen. */
import type { JsonObject } from '@pawl/core';
import type { CallResult } from './clients.js';

/** The per-request envelope of that era. */
export const envelope: JsonObject = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'e2e', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** An endpoint with a credential. */
export interface Endpoint {
  readonly url: string;
  readonly authorization: string;
  /** Aborted: the connections of its requests end. */
  readonly signal?: AbortSignal;
}

/** Posts a body as it is; `name` is that of the tool, where the method has one. */
export function postText(to: Endpoint, method: string, body: string, name?: string): Promise<Response> {
  return fetch(to.url, {
    method: 'POST',
    headers: {
      authorization: to.authorization,
      'content-type': 'application/json',
      accept: 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name !== undefined && { 'mcp-name': encoded(name) }),
    },
    body,
    ...(to.signal !== undefined && { signal: to.signal }),
  });
}

/** The specification's form of a header value that is no plain text. */
function encoded(name: string): string {
  if (/^[\x21-\x7e]+$/u.test(name)) return name;
  return `=?base64?${Buffer.from(name).toString('base64')}?=`;
}

/** The result of a request, or its error under `error`. */
export async function post(to: Endpoint, method: string, params: JsonObject): Promise<JsonObject> {
  const { name } = params;
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelope } });
  const response = await postText(to, method, body, typeof name === 'string' ? name : undefined);
  const text = await response.text();
  if (!text.startsWith('{')) throw new Error(`status ${response.status}: ${text}`);
  const answer = JSON.parse(text) as JsonObject;
  return 'result' in answer ? (answer['result'] as JsonObject) : answer;
}

/** Calls a tool. */
export async function call(to: Endpoint, name: string, args: JsonObject): Promise<CallResult> {
  return post(to, 'tools/call', { name, arguments: args });
}

/** Names of the tools listed. */
export async function toolNames(to: Endpoint): Promise<readonly string[]> {
  const { tools } = (await post(to, 'tools/list', {})) as { tools?: readonly { name: string }[] };
  return (tools ?? []).map(({ name }) => name);
}

/** The code of a refusal; undefined for an answer of the server. */
export function refusalOf(result: CallResult): string | undefined {
  return (result._meta?.['pawl/refusal'] as { code: string } | undefined)?.code;
}

/** The text of a result's first block. */
export function textOf(result: CallResult): string {
  return (result.content as readonly { text?: string }[] | undefined)?.[0]?.text ?? '';
}
