/** The operator's side of the control socket. */
import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { type Json, isJsonObject, own, readJson } from '@pawl/core';
import { type Answer, type ControlErrorCode, controlErrors, no } from './answer.js';
import type { OperationName, ParamsOf, ValueOf } from './operations.js';
import { controlHost } from './request.js';
import { fitsSocket } from './socket-path.js';
import { operationTable } from './table.js';

/** What came of asking. */
export type ControlResult<T> =
  | { readonly kind: 'answered'; readonly answer: Answer<T> }
  /** Nobody listens there: no daemon. */
  | { readonly kind: 'absent' }
  /** Somebody listens, but gave no answer that can be read. Whether it took effect is unknown. */
  | { readonly kind: 'failed'; readonly why: string };

/** Waited for beyond the time that the operation has. */
const graceMs = 5000;
/** Longest answer, in bytes. */
const longestAnswer = 256 * 1024 * 1024;

/** Asks the daemon that listens on the socket. Never rejects. */
export async function callControl<O extends OperationName>(
  path: string,
  operation: O,
  params: ParamsOf<O>,
): Promise<ControlResult<ValueOf<O>>> {
  if (!fitsSocket(path)) return { kind: 'absent' };
  const signal = AbortSignal.timeout(operationTable[operation].within + graceMs);
  try {
    const text = await exchange({ ...asked(path, operation), signal }, JSON.stringify(params));
    const answer = answerIn<ValueOf<O>>(readJson(text));
    if (answer === undefined)
      return { kind: 'failed', why: `what listens on ${path} does not speak control` };
    return { kind: 'answered', answer };
  } catch (error) {
    if (isAbsent(error)) return { kind: 'absent' };
    const why = signal.aborted ? 'no answer in time' : error instanceof Error ? error.message : String(error);
    return { kind: 'failed', why: `the daemon on ${path}: ${why}` };
  }
}

function asked(socketPath: string, operation: OperationName): RequestOptions {
  return {
    socketPath,
    method: 'POST',
    path: `/v1/${operation}`,
    agent: false,
    setHost: false,
    headers: { host: controlHost, 'content-type': 'application/json' },
  };
}

function exchange(options: RequestOptions, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request(options, (incoming) => {
      read(incoming).then(resolve, reject);
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

async function read(incoming: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    if (!(chunk instanceof Uint8Array)) throw new Error('the answer holds no bytes');
    size += chunk.length;
    if (size > longestAnswer) throw new Error(`the answer is longer than ${longestAnswer} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The value is taken as it is: it comes from the daemon that holds this store, in this version of the protocol. */
function answerIn<T>(json: Json | undefined): Answer<T> | undefined {
  if (!isJsonObject(json)) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  if (own(json, 'ok') === true) return { ok: true, value: own(json, 'value') as T };
  const error = own(json, 'error');
  if (!isJsonObject(error)) return undefined;
  const [code, message] = [own(error, 'code'), own(error, 'message')];
  if (typeof code !== 'string' || typeof message !== 'string') return undefined;
  return no(isCode(code) ? code : 'internal', message);
}

function isCode(text: string): text is ControlErrorCode {
  return Object.hasOwn(controlErrors, text);
}

function isAbsent(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTDIR';
}
