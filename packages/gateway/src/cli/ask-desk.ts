/** Asks as they go to a person at the client and come back: what a state is sealed to, and whose answer counts. */
import {
  type AskView,
  type Clock,
  type Denial,
  type Entropy,
  type ExecutorId,
  type Fault,
  type SessionId,
  type Sessions,
  base32,
  canonicalJson,
  denial,
  fault,
  isJsonObject,
  mintId,
  own,
  readJson,
} from '@pawl/core';
import type { AskDesk, AskedCall, CallAnswer, OpenAsk, OpenedState } from '../mcp/index.js';
import { type Store, StoreError } from '../store/index.js';
import { type AnswerParts, recordedAnswer } from './answer-ask.js';

/** What the desk works on. */
export interface AskDeskParts extends AnswerParts {
  readonly sessions: Pick<Sessions, 'get'>;
  readonly store: Pick<Store, 'audit' | 'digest' | 'sealer'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly entropy: Entropy;
}

/** The desk of a daemon. */
export interface Desk extends AskDesk {
  /** How an ask is shown at the client; undefined when it is gone. */
  shown(id: string): OpenAsk | undefined;
}

type RefusedCall = Extract<CallAnswer, { kind: 'refused' }>;

/** What a state is sealed to, beside what it says: another value in any of these and it is a state of another call. */
interface Binding {
  readonly session: SessionId;
  readonly executor: ExecutorId | undefined;
  readonly call: string;
}

/** Longest wait of a timer. */
const longestMs = 2_147_483_647;

/** Makes the desk. */
export function askDesk(parts: AskDeskParts): Desk {
  const { approvals, store, clock } = parts;
  return {
    shown: (id) => {
      const ask = approvals.find(id);
      return ask && openAsk(ask, clientMay(parts));
    },
    seal: (call, { ask, round, asked }) => {
      const left = approvals.find(ask)?.left ?? 0;
      const until = clock.monotonic() + left;
      const said = { ask, round, asked, until, generation: generationOf(parts) };
      return store.sealer.seal(canonicalJson({ ...said, bound: boundText(bindingOf(parts, call)) }));
    },
    open: (call, sealed) => opened(parts, call, sealed),
    answer: (call, ask, says) => answer(parts, call, ask, says),
    answered: (ask, milliseconds, signal) => answered(parts, ask, { milliseconds, signal }),
  };
}

function clientMay({ current }: Pick<AskDeskParts, 'current'>): boolean {
  return current.peek()?.policy.settings.approvers.includes('client') === true;
}

/** A person reads whose question it is, and exactly what an approval would seal. */
function openAsk({ id, executor, shown, level, left = 0 }: AskView, client: boolean): OpenAsk {
  const scope =
    level === 'session' ? 'this very call, as often as it is made in this session' : 'this one call';
  const text = [
    `Pawl asks for your approval (${id}): the agent ${executor} wants to make this call:`,
    shown,
    `Accepting approves ${scope}, and nothing else. Declining or closing this refuses it.`,
  ];
  return { id, text: text.join('\n\n'), client, left };
}

function bindingOf({ sessions, store }: AskDeskParts, { session, handle, args }: AskedCall): Binding {
  const call = store.digest(`asked ${handle ?? ''} ${args === undefined ? '' : canonicalJson(args)}`);
  return { session, executor: sessions.get(session)?.executor, call };
}

function boundText({ session, executor, call }: Binding): string {
  return `${session} ${executor ?? ''} ${call}`;
}

function generationOf({ current }: Pick<AskDeskParts, 'current'>): string {
  const generation = current.peek()?.generation;
  return generation === undefined ? '' : `${generation.number} ${generation.hash}`;
}

/** INVARIANT(P.ask.state): a state opens for the session, executor and call that it was sealed to, until its ask expires. */
function opened(parts: AskDeskParts, call: AskedCall, sealed: unknown): OpenedState | RefusedCall {
  const text = typeof sealed === 'string' ? parts.store.sealer.open(sealed) : undefined;
  const said = text === undefined ? undefined : readJson(text);
  if (!isJsonObject(said) || own(said, 'bound') !== boundText(bindingOf(parts, call)))
    return refused(parts, call, notOurs());
  const [ask, round, until] = [own(said, 'ask'), own(said, 'round'), own(said, 'until')];
  if (typeof ask !== 'string' || typeof round !== 'number' || typeof until !== 'number')
    return refused(parts, call, notOurs());
  // What was approved meanwhile waits longer to be taken up: this very call would go through without any state.
  const isOver = parts.clock.monotonic() >= until && parts.approvals.find(ask)?.state !== 'approved';
  if (isOver) return refused(parts, call, expired());
  // What was asked under another generation is asked afresh: an answer to it does not count.
  const isCurrent = own(said, 'generation') === generationOf(parts);
  return { kind: 'open', ask, round, asked: own(said, 'asked') === true && isCurrent };
}

async function answer(
  parts: AskDeskParts,
  call: AskedCall,
  id: string,
  says: 'yes' | 'no',
): Promise<RefusedCall | undefined> {
  const ask = parts.approvals.find(id);
  const counts = ask?.state === 'waiting' && ask.session === call.session && clientMay(parts);
  try {
    const done = counts && (await recordedAnswer(parts, ask, says, { by: 'client', client: call.session }));
    if (done !== false && done.kind === 'answered') return undefined;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return refused(parts, call, unwritable(error));
  }
  // Somebody else was faster. Their yes is no reason to make a call to which this person has just said no.
  return says === 'no' ? refused(parts, call, refusedHere()) : undefined;
}

function answered(
  { approvals }: Pick<AskDeskParts, 'approvals'>,
  id: string,
  { milliseconds, signal }: { readonly milliseconds: number; readonly signal: AbortSignal },
): Promise<void> {
  if (signal.aborted || approvals.find(id)?.state !== 'waiting') return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      stop();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(milliseconds, longestMs));
    const stop = approvals.onAnswer(id, end);
    signal.addEventListener('abort', end);
  });
}

/** A call that went no further than its state or its answer, with its record. */
function refused(
  { store, sessions, entropy }: AskDeskParts,
  { session }: AskedCall,
  refusal: Denial | Fault,
): RefusedCall {
  const call = mintId.call(`c_${base32(entropy.bytes(10))}`);
  const executor = sessions.get(session)?.executor;
  const { code, message } = refusal;
  store.audit.note({
    type: 'refusal',
    verdict: refusal.kind === 'fault' ? 'fault' : 'deny',
    call,
    session,
    code,
    message,
    ...(executor === undefined ? {} : { executor }),
    ...(refusal.kind === 'fault' ? {} : { layer: refusal.layer }),
  });
  return { kind: 'refused', call, refusal };
}

function notOurs(): Denial {
  const message =
    'requestState: this is none that Pawl gave for this call in this session. Make the call again without it.';
  return denial({ code: 'malformed_arguments', layer: 'decode', constraint: 'requestState', message });
}

function expired(): Denial {
  const message = 'this call was not approved in time. Ask again if it is still needed.';
  return denial({ code: 'consent_expired', layer: 'ask', message });
}

function refusedHere(): Denial {
  const message = 'this call was refused by a person. Do not try again.';
  return denial({ code: 'consent_refused', layer: 'ask', message });
}

function unwritable(error: StoreError): Fault {
  const message = 'The audit log cannot be written, so the approval does not count. Try again later.';
  return fault('audit_unavailable', message, error.message);
}
