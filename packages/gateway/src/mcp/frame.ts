/** Strict decode of one downstream frame, before any SDK sees it. */
import { type Json, type JsonObject, isJsonObject, own, parseJson, parseJsonBytes } from '@pawl/core';
import { outermostMembers } from './members.js';
import { invalidRequest, parseError } from './wire-error.js';

/** Id of a request: a text, or a whole number that survives the round trip. */
export type RequestId = string | number;

/** A request. `params` is empty when the message had none. */
export interface RequestFrame {
  readonly kind: 'request';
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
}

/** A notification; it is never answered. */
export interface NotificationFrame {
  readonly kind: 'notification';
  readonly method: string;
  readonly params: JsonObject;
}

/** No valid request: answered with this JSON-RPC error and nothing else. */
export interface InvalidFrame {
  readonly kind: 'invalid';
  /** Null when the message has no readable id. */
  readonly id: RequestId | null;
  readonly code: typeof parseError | typeof invalidRequest;
  readonly message: string;
}

/** An answer to a request of Pawl's own. */
export interface ResponseFrame {
  readonly kind: 'response';
  readonly id: RequestId;
  /** Undefined where the other side answered with an error. */
  readonly result: Json | undefined;
}

/** Whether Pawl has a request open under that id, for this sender. */
export type IsAwaited = (id: RequestId) => boolean;

/** One decoded frame. */
export type Frame = RequestFrame | NotificationFrame | InvalidFrame;

/** Longest frame in bytes. */
export const maxFrameBytes = 1_048_576;

const messageMembers = twins(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);
const paramMembers = twins(
  (
    'name arguments _meta cursor protocolVersion capabilities clientInfo requestId reason progressToken progress total ' +
    'message inputResponses requestState task taskId uri ref argument context level data notifications'
  ).split(' '),
);

/**
 * Decodes one frame from its text or its UTF-8 bytes. Never throws and never returns a partly valid frame: duplicate keys,
 * `__proto__`, invalid UTF-8, excess size or depth, arrays, responses, ids that are neither text nor whole number, `params` that
 * are no object, and members that differ from a known one only in case are invalid. Other unknown members are left out.
 */
export function decodeFrame(input: string | Uint8Array): Frame;
/** As above; an answer to a request that is awaited is read too, every other one is refused. */
export function decodeFrame(input: string | Uint8Array, isAwaited: IsAwaited): Frame | ResponseFrame;
export function decodeFrame(
  input: string | Uint8Array,
  isAwaited: IsAwaited = () => false,
): Frame | ResponseFrame {
  const size = typeof input === 'string' ? Buffer.byteLength(input) : input.length;
  if (size > maxFrameBytes)
    return invalid(null, invalidRequest, `the message is longer than ${maxFrameBytes} bytes`);
  const parsed = typeof input === 'string' ? parseJson(input) : parseJsonBytes(input);
  if (parsed.ok) return frameOf(parsed.value, isAwaited);
  return unread(typeof input === 'string' ? input : Buffer.from(input).toString('utf8'), parsed.found);
}

/** JSON that is not read here (duplicate keys, too deep, …) is an invalid request and answered by its id; the rest is no JSON. */
function unread(text: string, found: string): InvalidFrame {
  try {
    JSON.parse(text);
  } catch {
    return invalid(null, parseError, `the message is no JSON: ${found}`);
  }
  const written = parseJson(outermostMembers(text)?.get('id') ?? '');
  const id = written.ok && isRequestId(written.value) ? written.value : null;
  return invalid(id, invalidRequest, `the message holds ${found}`);
}

/** The frame for a line that was longer than {@link maxFrameBytes} and therefore never read. */
export const oversizeFrame: InvalidFrame = Object.freeze({
  kind: 'invalid',
  id: null,
  code: invalidRequest,
  message: `the message is longer than ${maxFrameBytes} bytes`,
});

function frameOf(value: Json, isAwaited: IsAwaited): Frame | ResponseFrame {
  if (!isJsonObject(value)) {
    return invalid(
      null,
      invalidRequest,
      Array.isArray(value) ? 'batches are not read' : 'the message is no object',
    );
  }
  const twin = twinIn(value, messageMembers);
  if (twin !== undefined) return invalid(null, invalidRequest, twin);
  const id = own(value, 'id');
  const readable = isRequestId(id) ? id : null;
  if (own(value, 'jsonrpc') !== '2.0') return invalid(readable, invalidRequest, 'jsonrpc is not "2.0"');
  if (Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error')) {
    return (
      responseOf(value, readable, isAwaited) ?? invalid(null, invalidRequest, 'a response is not expected')
    );
  }
  return messageOf(value, id, readable);
}

function responseOf(
  value: JsonObject,
  id: RequestId | null,
  isAwaited: IsAwaited,
): ResponseFrame | undefined {
  const isOne = Object.hasOwn(value, 'result') !== Object.hasOwn(value, 'error');
  if (!isOne || id === null || Object.hasOwn(value, 'method') || !isAwaited(id)) return undefined;
  return { kind: 'response', id, result: own(value, 'result') };
}

function messageOf(value: JsonObject, id: Json | undefined, readable: RequestId | null): Frame {
  const method = own(value, 'method');
  if (typeof method !== 'string') return invalid(readable, invalidRequest, 'method is no text');
  if (id !== undefined && readable === null)
    return invalid(null, invalidRequest, 'id is no text and no whole number');
  const params = Object.hasOwn(value, 'params') ? own(value, 'params') : empty;
  if (!isJsonObject(params)) return invalid(readable, invalidRequest, 'params is no object');
  const twin = twinIn(params, paramMembers);
  if (twin !== undefined) return invalid(readable, invalidRequest, `params: ${twin}`);
  return readable === null
    ? { kind: 'notification', method, params }
    : { kind: 'request', id: readable, method, params };
}

const empty: JsonObject = Object.freeze({});

function isRequestId(id: Json | undefined): id is RequestId {
  return typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id));
}

function invalid(id: RequestId | null, code: InvalidFrame['code'], message: string): InvalidFrame {
  return { kind: 'invalid', id, code, message };
}

function twins(names: readonly string[]): ReadonlyMap<string, string> {
  return new Map(names.map((name) => [folded(name), name]));
}

/** Upper before lower, so that letters which only one direction folds (long s, Kelvin sign) are caught too. */
function folded(name: string): string {
  return name.toUpperCase().toLowerCase();
}

function twinIn(object: JsonObject, known: ReadonlyMap<string, string>): string | undefined {
  for (const key of Object.keys(object)) {
    const name = known.get(folded(key));
    if (name !== undefined && name !== key) return `a member differs from ${name} only in case`;
  }
  return undefined;
}
