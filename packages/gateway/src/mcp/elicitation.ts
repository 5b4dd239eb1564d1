/** Questions to the person at a client: whether a client shows them, and how its answers are read. */
import { type Json, type JsonObject, isJsonObject, own } from '@pawl/core';
import type { IsAwaited, RequestId, ResponseFrame } from './frame.js';

/** What a person said. Whoever declines or closes the question says no. */
export type Said = 'yes' | 'no';

/** Whether a client's capabilities include questions in the form that Pawl asks; an empty object means exactly that form. */
export function showsQuestions(capabilities: Json | undefined): boolean {
  const elicitation = isJsonObject(capabilities) ? own(capabilities, 'elicitation') : undefined;
  if (!isJsonObject(elicitation)) return false;
  return isJsonObject(own(elicitation, 'form')) || !Object.hasOwn(elicitation, 'url');
}

/** What the result of an elicitation says; undefined for what is none. */
export function saidIn(result: Json | undefined): Said | undefined {
  const action = isJsonObject(result) ? own(result, 'action') : undefined;
  if (action === 'accept') return 'yes';
  return action === 'decline' || action === 'cancel' ? 'no' : undefined;
}

/** One question, to a client that holds the connection. */
export interface Question {
  readonly params: JsonObject;
  /** Takes the text of a message to the client. */
  readonly tell: (text: string) => void;
  /** Aborted when nobody waits for the answer any more: the question is taken back. */
  readonly signal: AbortSignal;
}

/** Questions taken back whose answers may still come in; more are not remembered. */
const mostTakenBack = 64;

/** The open questions of one connection or transport session of the legacy era. */
export class Questions {
  readonly #open = new Map<RequestId, (said: Said | undefined) => void>();
  readonly #takenBack = new Set<RequestId>();
  #next = 0;

  /** Whether an answer under that id is one to a question of here. */
  readonly isAwaited: IsAwaited = (id) => this.#open.has(id) || this.#takenBack.has(id);

  /** Asks. Undefined where the client shows nothing, answers with nonsense, or the question is taken back. */
  ask({ params, tell, signal }: Question): Promise<Said | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    this.#next += 1;
    const id = `pawl-${this.#next}`;
    return new Promise((resolve) => {
      const settle = (said: Said | undefined): void => {
        signal.removeEventListener('abort', takeBack);
        this.#open.delete(id);
        resolve(said);
      };
      const takeBack = (): void => {
        settle(undefined);
        this.#remember(id);
        const cancelled = { requestId: id, reason: 'answered elsewhere, or not needed any more' };
        tell(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: cancelled }));
      };
      this.#open.set(id, settle);
      signal.addEventListener('abort', takeBack);
      tell(JSON.stringify({ jsonrpc: '2.0', id, method: 'elicitation/create', params }));
    });
  }

  /** Takes an answer; one to a question that was taken back is nothing. */
  take({ id, result }: ResponseFrame): void {
    this.#takenBack.delete(id);
    this.#open.get(id)?.(saidIn(result));
  }

  #remember(id: RequestId): void {
    const [oldest] = this.#takenBack;
    if (this.#takenBack.size >= mostTakenBack && oldest !== undefined) this.#takenBack.delete(oldest);
    this.#takenBack.add(id);
  }
}
