/** Consent: approvals of calls that the policy wants a person to see. */
export {
  type ConsentAnswer,
  type ConsentPort,
  type ConsentRequest,
  type ConsentScope,
  type HeldApproval,
  noConsent,
} from './approval.js';
export { type Answered, type Answerer, type ApprovalsOptions, Approvals } from './approvals.js';
export type { AskState, AskView } from './ask.js';
