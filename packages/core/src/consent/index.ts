/** Consent: approvals of calls that the policy wants a person to see. */
export { type ConsentAnswer, type ConsentPort, type ConsentRequest, noConsent } from './approval.js';
