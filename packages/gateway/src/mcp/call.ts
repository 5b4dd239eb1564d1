/** `tools/call` on Pawl's own frames: a decoded request goes to the gate, and an answer's text comes back. */
import {
  type Clock,
  type Json,
  type JsonObject,
  type SessionId,
  denial,
  fault,
  isJsonObject,
  mintId,
  own,
} from '@pawl/core';
import { type CallAnswers, callAnswers, progressText } from './answer.js';
import { type Delivered, type Elicit, askedCall } from './asking.js';
import { addressed } from './child.js';
import { type Era, metaOf } from './era.js';
import type { RequestFrame, RequestId } from './frame.js';
import type { Gate, GateRequest } from './gate.js';
import { type Implementation, traceKeys } from './meta.js';

/** For whom a call is made, and where its progress goes. */
export interface CallScope {
  readonly session: SessionId;
  readonly era: Era;
  /** Aborted by the caller's cancellation or the end of its connection. */
  readonly signal: AbortSignal;
  /** Takes the text of a progress notification; absent where the caller cannot be told. */
  readonly notify?: (text: string) => void;
  /** Asks the person at the client, in the legacy era; absent where the client shows no questions. */
  readonly elicit?: Elicit;
}

/** Answers calls. */
export interface Caller {
  /** The text that answers the request. Never rejects; what breaks inside is answered with the fault `internal`. */
  answer(frame: RequestFrame, scope: CallScope): Promise<string>;
}

/** What a caller is made from. */
export interface CallerOptions {
  readonly gate: Gate;
  readonly self: Implementation;
  readonly clock: Clock;
}

/** Progress of one call is passed on at most this often, in milliseconds. */
const progressEveryMs = 50;
const longestTrace = 8192;
const longestName = 256;

/** Makes the one caller that every downstream of a gate shares. */
export function makeCaller({ gate, self, clock }: CallerOptions): Caller {
  const answers = callAnswers(self);
  return {
    async answer(frame, scope) {
      if (typeof own(frame.params, 'name') !== 'string')
        return answerText(answers, frame.id, scope.era, nameless(gate, scope));
      const answered = await mediated(() =>
        askedCall(gate, requestOf(gate, clock, frame, scope), frame.params, scope),
      );
      return answerText(answers, frame.id, scope.era, answered);
    },
  };
}

/** A message that names no tool is no call: refused as `decide` refuses it, and audited. */
function nameless(gate: Gate, { session }: CallScope): Delivered {
  const why = 'params.name is no text';
  gate.rejected({ session, code: 'malformed_arguments', why });
  const message = `${why}. Correct the message and send it again.`;
  const refusal = denial({ code: 'malformed_arguments', layer: 'decode', message });
  return { kind: 'refused', call: mintId.call('none'), refusal };
}

async function mediated(call: () => Promise<Delivered>): Promise<Delivered> {
  try {
    return await call();
  } catch (error) {
    const detail = error instanceof Error ? error.message : 'unknown';
    return {
      kind: 'refused',
      call: mintId.call('none'),
      refusal: fault('internal', 'the gateway failed', detail),
    };
  }
}

function answerText(answers: CallAnswers, id: RequestId, era: Era, answered: Delivered): string {
  if (answered.kind === 'result') return answers.result(id, era, answered.result);
  return 'input' in answered
    ? answers.inputRequired(id, answered, answered.input)
    : answers.refusal(id, era, answered);
}

function requestOf(gate: Gate, clock: Clock, { params }: RequestFrame, scope: CallScope): GateRequest {
  const { signal } = scope;
  const within = addressed(gate, scope.session, params);
  const session = within ?? scope.session;
  const name = own(params, 'name');
  const args = own(params, 'arguments');
  const meta = metaOf(params);
  const base: GateRequest = {
    session,
    handle: typeof name === 'string' && within !== undefined ? gate.locate(session, name) : undefined,
    args: args === null ? {} : args,
    signal,
  };
  return {
    ...base,
    ...(typeof name === 'string' && { sent: name }),
    ...(meta && carried(meta, clock, scope)),
  };
}

/** What of `_meta` goes on: trace context, the wish for progress, and on whose behalf the agent says it acts. */
function carried(meta: JsonObject, clock: Clock, scope: CallScope): Partial<GateRequest> {
  const behalf = own(meta, 'pawl/onBehalfOf');
  const token = own(meta, 'progressToken');
  const trace = traceOf(meta);
  const { notify } = scope;
  const reports = notify !== undefined && isToken(token);
  return {
    ...(typeof behalf === 'string' && behalf.length <= longestName && { onBehalfOf: behalf }),
    ...(trace && { trace }),
    ...(reports && { onProgress: progressTo(notify, token, clock) }),
  };
}

function isToken(token: Json | undefined): token is RequestId {
  return typeof token === 'string' || (typeof token === 'number' && Number.isSafeInteger(token));
}

function traceOf(meta: JsonObject): JsonObject | undefined {
  let trace: Record<string, Json> | undefined;
  for (const key of traceKeys) {
    const value = own(meta, key);
    if (typeof value === 'string' && value.length <= longestTrace) (trace ??= {})[key] = value;
  }
  return trace;
}

function progressTo(
  notify: (text: string) => void,
  token: RequestId,
  clock: Clock,
): (progress: JsonObject) => void {
  let next = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const now = clock.monotonic();
    if (now < next || !isJsonObject(progress) || typeof own(progress, 'progress') !== 'number') return;
    next = now + progressEveryMs;
    notify(progressText(token, progress));
  };
}
