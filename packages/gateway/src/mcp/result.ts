/** A server's answer to a call as raw JSON text, so that numbers and strings pass unchanged. */
import { type Fault, fault, isJsonArray, isJsonObject, own, parseJson, sliceMembers } from '@pawl/core';

/** A tool result: its members as the server wrote them, without the braces, `_meta` and `resultType`. */
export interface RawToolResult {
  readonly kind: 'result';
  /** `"content":[…],"structuredContent":{…}`; empty for a result without members. */
  readonly members: string;
  readonly isError: boolean;
}

/** A JSON-RPC error that the server answered: the raw error object. */
export interface RawToolError {
  readonly kind: 'error';
  readonly error: string;
}

/** What a server answered to `tools/call`. */
export type RawResult = RawToolResult | RawToolError;

/** Whether a value is an answer in this form: what actors for servers return. */
export function isRawResult(value: unknown): value is RawResult {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false;
  return (value.kind === 'result' && 'members' in value) || (value.kind === 'error' && 'error' in value);
}

/**
 * The answer that a plain value of an actor comes to: what has the form of a tool result (`content`, and perhaps `isError`) is one, and
 * anything else is shown as text, JSON unless it is text itself.
 */
export function resultOf(value: unknown): RawToolResult {
  const isResult = typeof value === 'object' && value !== null && 'content' in value;
  if (isResult && Array.isArray(value.content)) {
    const isError = 'isError' in value && value.isError === true;
    return inContent(value.content, isError);
  }
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return inContent([{ type: 'text', text }], false);
}

function inContent(content: readonly unknown[], isError: boolean): RawToolResult {
  const members = `"content":${JSON.stringify(content)}${isError ? ',"isError":true' : ''}`;
  return { kind: 'result', members, isError };
}

/** An answer is bounded by its bytes alone. */
const unbounded = { bytes: Infinity, depth: Infinity, items: Infinity, members: Infinity };

/** Largest answer by default: text and structured content together, in bytes. */
export const defaultResultBytes = 262_144;

/**
 * Reads the raw text of a `result` member. An answer past `maxBytes` is `result_too_large`; one that is no object, or asks for
 * something that is closed (`resultType` other than `complete`), is `outcome_unknown`, because the server may have acted.
 */
export function readToolResult(text: string, maxBytes: number): RawToolResult | Fault {
  const members = sliceMembers(text);
  if (members === undefined) return unreadable();
  const type = members.get('resultType');
  if (type !== undefined && type !== '"complete"') {
    return fault(
      'outcome_unknown',
      'the server asked for something that is closed here',
      `resultType ${type.slice(0, 64)}`,
    );
  }
  if (Buffer.byteLength(text) > maxBytes && sizeOf(members) > maxBytes) return tooLarge(maxBytes);
  return { kind: 'result', members: joined(members), isError: members.get('isError') === 'true' };
}

/** A result of a tool that Pawl runs itself: past `maxBytes` it is replaced as a server's is. */
export function within(result: RawResult, maxBytes: number): RawResult | Fault {
  if (result.kind === 'error' || Buffer.byteLength(result.members) <= maxBytes) return result;
  return readToolResult(`{${result.members}}`, maxBytes);
}

/** The fault for an answer that is no answer. */
export function unreadable(): Fault {
  return fault('outcome_unknown', 'the server gave an answer that cannot be read');
}

/** The fault for an answer that is larger than `maxBytes`. */
export function tooLarge(maxBytes: number): Fault {
  return fault('result_too_large', `the answer is larger than ${maxBytes} bytes; ask for less`);
}

function joined(members: ReadonlyMap<string, string>): string {
  let text = '';
  for (const [name, value] of members) {
    if (name === '_meta' || name === 'resultType') continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${value}`;
  }
  return text;
}

/** Bytes of texts and embedded data in `content`, plus those of `structuredContent` as written. */
function sizeOf(members: ReadonlyMap<string, string>): number {
  let size = Buffer.byteLength(members.get('structuredContent') ?? '');
  const raw = members.get('content');
  if (raw === undefined) return size;
  const content = parseJson(raw, unbounded);
  if (!content.ok || !isJsonArray(content.value)) return size + Buffer.byteLength(raw);
  for (const block of content.value) {
    const resource = isJsonObject(block) ? own(block, 'resource') : undefined;
    for (const part of [block, resource]) {
      if (!isJsonObject(part)) continue;
      for (const key of ['text', 'data', 'blob']) {
        const value = own(part, key);
        if (typeof value === 'string') size += Buffer.byteLength(value);
      }
    }
  }
  return size;
}
