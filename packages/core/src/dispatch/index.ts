/** Dispatch: the mediation point. */
export { type AccessView, accessView } from './access-view.js';
export { type Admission, type AdmissionRequest, type Admitted, type NotAdmitted, admit } from './admit.js';
export { limitRequest } from './charge.js';
export type { CallOutcome, CallRequest, ToolCall } from './call.js';
export { type Dispatcher, dispatcher } from './dispatch.js';
export { accessExclusion } from './exclusion.js';
export type { DispatchPorts, Standing } from './ports.js';
export {
  type AllowedValues,
  type FieldView,
  type RuleView,
  allowedInstead,
  isInside,
  rulesOn,
} from './rules-on.js';
export { type Disclosure, consentRefusal, limitUsedUp } from './refusal.js';
export { type CallOptions, type Translator, type WordedCall, translator } from './translate.js';
