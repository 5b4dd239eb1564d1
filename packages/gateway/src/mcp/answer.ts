/** The texts of answers, as they go over the wire. */
import type { CallId, Denial, Fault, Json, JsonObject } from '@pawl/core';
import type { Era } from './era.js';
import type { InvalidFrame, RequestId } from './frame.js';
import type { OpenAsk } from './gate.js';
import { type Implementation, serverInfoKey } from './meta.js';
import type { RawResult } from './result.js';
import type { WireError } from './wire-error.js';

/** The answer to a request that is answered with a JSON-RPC error. */
export function errorText(id: RequestId | null, error: WireError): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":${JSON.stringify(error)}}`;
}

/** The answer to what is no valid request. */
export function invalidText({ id, code, message }: InvalidFrame): string {
  return errorText(id, { code, message, data: { code: 'malformed_arguments' } });
}

/** Composes answers to `tools/call` for one side of the wire: what Pawl says of itself is written once. */
export interface CallAnswers {
  /** A server's own answer. */
  result(id: RequestId, era: Era, raw: RawResult): string;
  /** A denial or fault, as a tool result with `isError`. */
  refusal(id: RequestId, era: Era, refused: Refused): string;
  /** A call that waits for an approval, in the 2026-07-28 era: the client makes it again with the state, and with a person's answer. */
  inputRequired(id: RequestId, refused: Refused, input: RequiredInput): string;
}

interface Refused {
  readonly call: CallId;
  readonly refusal: Denial | Fault;
}

/** What goes with a call that waits for an approval. */
export interface RequiredInput {
  readonly ask: OpenAsk;
  /** To be sent back as it is. */
  readonly state: string;
}

/** The one question of an answer, by its key. */
export const approvalKey = 'approval';

/** Parameters of the elicitation that shows an ask to a person: accepting is the approval, there is nothing to fill in. */
export function questionOf({ text }: OpenAsk): JsonObject {
  return { mode: 'form', message: text, requestedSchema: { type: 'object', properties: {} } };
}

/** @param self named in every answer of the 2026-07-28 era, as that revision asks servers to */
export function callAnswers(self: Implementation): CallAnswers {
  const info = `"${serverInfoKey}":${JSON.stringify(self)}`;
  const tail = { legacy: '', modern: `"resultType":"complete","_meta":{${info}}` };
  const more = { legacy: '', modern: `,${info}` };
  return {
    result(id, era, raw) {
      const start = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},`;
      if (raw.kind === 'error') return `${start}"error":${raw.error}}`;
      const comma = raw.members === '' || tail[era] === '' ? '' : ',';
      return `${start}"result":{${raw.members}${comma}${tail[era]}}}`;
    },
    refusal(id, era, { call, refusal }) {
      const { code, retryable, message } = refusal;
      const meta = `"_meta":{"pawl/refusal":${JSON.stringify({ code, retryable, id: call })}${more[era]}}`;
      const content = `"content":[{"type":"text","text":${JSON.stringify(message)}}],"isError":true`;
      const type = era === 'modern' ? '"resultType":"complete",' : '';
      return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{${content},${type}${meta}}}`;
    },
    inputRequired(id, { call, refusal: { code, retryable } }, { ask, state }) {
      const question = { method: 'elicitation/create', params: questionOf(ask) };
      const result = {
        resultType: 'input_required',
        ...(ask.client ? { inputRequests: { [approvalKey]: question } } : {}),
        requestState: state,
        _meta: {
          'pawl/refusal': { code, retryable, id: call },
          'pawl/ask': { id: ask.id },
          [serverInfoKey]: { ...self },
        },
      };
      return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${JSON.stringify(result)}}`;
    },
  };
}

/** A progress notification that carries the caller's own token. */
export function progressText(token: RequestId, progress: JsonObject): string {
  const params: Record<string, Json | undefined> = { progressToken: token };
  for (const key of ['progress', 'total', 'message']) {
    if (Object.hasOwn(progress, key)) params[key] = progress[key];
  }
  return JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params });
}
