/** The approval power: a tool asks a person before it goes on. Who is asked, and how, is a port. */
import { type CallId, type TurnPort, stopsWithTurns } from '@pawl/core';
import { type Grant, type PowerPort, alsoAsking, anyOf } from './port.js';
import { givenText } from './given.js';
import { DenialError, PowerFailure, revoked } from './refusal.js';

/** A power to ask. */
export interface ApprovalPower {
  /**
   * Settles once a person has approved exactly this text. Rejects with a DenialError: `consent_refused`, `consent_expired`,
   * or that of the guard.
   */
  request(text: string): Promise<void>;
}

/** What a person said. */
export type ApprovalAnswer = 'approved' | 'refused' | 'expired';

/**
 * Asks a person about exactly this text, for the call in whose turn it is asked, where that is a turn; the signal says that nobody waits any
 * more. What is approved is this one step: nothing of the answer may serve another call, or another text.
 */
export type AskPerson = (text: string, signal: AbortSignal, call?: CallId) => Promise<ApprovalAnswer>;

/** What an approval power is made from. */
export interface ApprovalOptions {
  readonly ask: AskPerson;
  readonly port: PowerPort;
}

const longest = 2000;

/** Grants asking. */
export function grantApproval({ ask, port }: ApprovalOptions): Grant<ApprovalPower> {
  const end = new AbortController();
  const parts = { ask, port, end: end.signal };
  const power = approvalIn(parts, undefined);
  stopsWithTurns(power, (turn) => approvalIn(parts, turn));
  return Object.freeze({ power, revoke: async () => end.abort(revoked()) });
}

interface ApprovalParts extends ApprovalOptions {
  readonly end: AbortSignal;
}

function approvalIn({ ask, port, end }: ApprovalParts, turn: TurnPort | undefined): ApprovalPower {
  const also = alsoAsking(port, turn);
  const guard = (): void => {
    end.throwIfAborted();
    also();
  };
  const request = async (given: string): Promise<void> => {
    guard();
    const text = givenText(given, 'what is to be approved');
    // What is shown is what is approved: nothing may be hidden in it, or fall off its end.
    if (text.trim() === '' || text.length > longest || /(?!\n)[\p{Cc}\p{Cf}\p{Surrogate}]/u.test(text))
      throw new PowerFailure('bad_request', `a text to approve is plain and has 1 to ${longest} characters`);
    const answer = await answered((signal) => ask(text, signal, turn?.call), anyOf(end, turn?.signal));
    // An approval is of no use to a turn that is over by now.
    guard();
    if (answer !== 'approved') throw notApproved(answer);
  };
  return Object.freeze({ request });
}

/** What the person says; `expired` once nobody waits any more, whether or not the person is told. */
async function answered(
  ask: (signal: AbortSignal) => Promise<ApprovalAnswer>,
  signal: AbortSignal,
): Promise<ApprovalAnswer> {
  if (signal.aborted) return 'expired';
  let gone: () => void = () => undefined;
  const nobody = new Promise<ApprovalAnswer>((done) => {
    gone = () => done('expired');
    signal.addEventListener('abort', gone);
  });
  try {
    return await Promise.race([ask(signal), nobody]);
  } finally {
    signal.removeEventListener('abort', gone);
  }
}

function notApproved(answer: Exclude<ApprovalAnswer, 'approved'>): DenialError {
  return answer === 'refused'
    ? new DenialError({
        code: 'consent_refused',
        layer: 'ask',
        message: 'a person refused this step of the tool',
      })
    : new DenialError({
        code: 'consent_expired',
        layer: 'ask',
        message: 'nobody approved this step of the tool in time',
      });
}
