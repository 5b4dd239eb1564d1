/** Control: what operators ask of a running gateway, over a socket of its own. Agent credentials are not valid here. */
export { type Answer, type ControlErrorCode, type ControlProblem, no, yes } from './answer.js';
export { callControl } from './client.js';
export { type Role, mayAct } from './role.js';
export {
  type ApprovalAnswer,
  type AuditQuery,
  type KeyIssue,
  type KeyPlace,
  type KeyRevoked,
  type KeyView,
  type OperationName,
  type Operations,
  type ParamsOf,
  type ValueOf,
  mostRecords,
} from './operations.js';
export { type ControlOptions, type ControlSocket, listenControl } from './socket.js';
export type { LiveStatus, ServerStatus, StatusView } from './status.js';
