/** Control: what operators ask of a running gateway, over a socket of its own. Agent credentials are not valid here. */
export { fitsSocket } from './socket-path.js';
export { type Answer, type ControlErrorCode, type ControlProblem, no, yes } from './answer.js';
export { callControl } from './client.js';
export { type Role, mayAct } from './role.js';
export {
  type ApprovalAnswer,
  type AuditQuery,
  type DeclareAsked,
  type DeclaredView,
  type EvidenceQuery,
  type EvidenceRecord,
  type FrozenView,
  type KeyIssue,
  type KeyPlace,
  type KeyRevoked,
  type KeyView,
  type OperationName,
  type Operations,
  type ParamsOf,
  type ReloadAsked,
  type RevokedView,
  type StoredEntryView,
  type ThawedView,
  type ValueOf,
  mostRecords,
} from './operations.js';
export type { PinAnswer, PinView, PinsAccept, PinsAccepted, PinsAnswered, PinsAsked } from './pins.js';
export { type ControlOptions, type ControlSocket, listenControl } from './socket.js';
export type { SkillLoadView, SkillView } from './skills.js';
export type { LiveStatus, RefusedReload, ServerStatus, StatusView } from './status.js';
export { readFrozenName, revocationOf } from './table.js';
