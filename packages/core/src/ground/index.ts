/** Ground: ids, denials and faults, clocks, randomness, digests and JSON. Knows nothing of the rest. */
export { type Alarm, systemAlarm } from './alarm.js';
export { type Clock, systemClock } from './clock.js';
export {
  type DeadReason,
  type Denial,
  type DenialCode,
  type DenialInit,
  type Layer,
  denial,
  denialCodes,
  layers,
  maxMessageLength,
} from './denial.js';
export { canonicalJson, hmacSha256, sha256 } from './digest.js';
export {
  type DocEntry,
  type DocList,
  type DocMap,
  type DocNode,
  type DocScalar,
  type LoadProblem,
  type Position,
  entryOf,
  nodeInWords,
  nodeOf,
  plainOf,
} from './document.js';
export { type Entropy, base32, systemEntropy } from './entropy.js';
export { type Member, type Spot, Expect } from './expect.js';
export { CapError, wordsOf } from './cap-error.js';
export { ToolFailure } from './tool-failure.js';
export { type Fault, type FaultCode, UsageError, fault, faultCodes, isFault } from './fault.js';
export {
  type AgentName,
  type CallId,
  type CapId,
  type Digest,
  type ExecutorId,
  type Handle,
  type KeyId,
  type ServerName,
  type SessionId,
  type StoreId,
  type ToolName,
  executorId,
  handleFrom,
  mintId,
  mountableTool,
  parseAgentName,
  parseHandle,
  parseServerName,
  parseToolName,
  splitToolName,
  toolName,
} from './id.js';
export {
  type Json,
  type JsonObject,
  deepEqualJson,
  deepFreeze,
  isJsonArray,
  isJsonObject,
  own,
  readJson,
} from './json.js';
export type { KeyTable } from './keys.js';
