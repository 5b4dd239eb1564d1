/** Control: what operators ask of a running gateway, over a socket of its own. Agent credentials are not valid here. */
export { type Answer, type ControlErrorCode, type ControlProblem, controlErrors, no, yes } from './answer.js';
export { type ControlResult, callControl } from './client.js';
export {
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
export { type Role, mayAct, roles } from './role.js';
export { type ControlOptions, type ControlSocket, ControlSocketError, listenControl } from './socket.js';
export type { GenerationStatus, LiveStatus, ServerStatus, StatusView } from './status.js';
