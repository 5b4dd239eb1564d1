/** Answering an ask of a running daemon: who may, what is recorded, and only then what counts. */
import type { Answered, Answerer, Approvals, AskView, Current } from '@pawl/core';
import { type Answer, type ApprovalAnswer, type Role, mayAct, no, yes } from '../control/index.js';
import type { Store } from '../store/index.js';

/** What answers are taken by. */
export interface AnswerParts {
  readonly approvals: Approvals;
  readonly current: Current;
  readonly store: Pick<Store, 'audit'>;
}

/** Answers an ask. The record is durable before the answer counts; rejects with a StoreError when it cannot be written. */
export async function answerAsk(
  { approvals, current, store }: AnswerParts,
  { id, says }: ApprovalAnswer,
  role: Role,
): Promise<Answer<AskView>> {
  const approvers = current.peek()?.policy.settings.approvers ?? [];
  if (!approvers.some((needed) => needed !== 'client' && mayAct(role, needed)))
    return no(
      'forbidden',
      `the policy lets ${approvers.join(', ') || 'nobody'} approve, and this is ${role}`,
    );
  const ask = approvals.find(id);
  if (ask === undefined)
    return no('refused', `there is no ask ${id}: it is unknown, expired, or its session ended`);
  if (ask.state !== 'waiting') return no('refused', `the ask ${id} is ${ask.state} already`);
  const answered = await recordedAnswer({ approvals, store }, ask, says, { by: role });
  if (answered.kind === 'answered') return yes(answered.ask);
  return no(
    'refused',
    `the ask ${id} was answered, or ended, meanwhile; the audit log holds this answer, and it did not count`,
  );
}

/** Who answers: a role of control, or the person at the client of a session. */
export interface RecordedAnswerer extends Answerer {
  readonly by: Role | 'client';
}

/** Records an answer durably and then lets it count. Rejects with a StoreError when it cannot be written. */
export async function recordedAnswer(
  { approvals, store }: Omit<AnswerParts, 'current'>,
  ask: AskView,
  says: 'yes' | 'no',
  { by, ...answerer }: RecordedAnswerer,
): Promise<Answered> {
  const { id, session, executor, tool, toolDigest, argumentsDigest, level } = ask;
  const data = { approval: id, by, session, executor, tool, toolDigest, argumentsDigest, level };
  const event = says === 'yes' ? 'approval_given' : 'approval_refused';
  await store.audit.append({ type: 'event', event, data }).durable;
  return approvals.answer(id, says, answerer);
}
