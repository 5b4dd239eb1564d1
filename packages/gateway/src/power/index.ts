/** Powers: what tools are constructed with, and the only holders of files, network and processes on their behalf. */
export { type FileJudge, type FileUse, boundedFs } from './bounded.js';
export { walkWorks } from './descriptor.js';
export { type FsOptions, type WritableFs, grantFs, grantReadFs } from './fs.js';
export type { EntryKind, FileFacts, FolderEntry, FsBounds, FsReader, SearchWish } from './fs-read.js';
export type { FsWriter, WriteMode } from './fs-write.js';
export { type Grants, gathered, powerOf } from './gathered.js';
export type { Grant, PowerPort } from './port.js';
export { type FailureCode, DenialError, NoConfinement, PowerFailure } from './refusal.js';
export { type Lookup, lookupAll } from './dial.js';
export { type NetAnswer, type NetBounds, type NetOptions, type NetPower, grantNet } from './net.js';
export type { NetInit, UrlJudge } from './net-request.js';
export { type Egress, openEgress } from './egress.js';
export { grantExec } from './exec.js';
export type { ExecOptions, ExecPower, ExecWish } from './exec-form.js';
export { type ExecResult, type RunBounds, hasLimiter, limiter } from './exec-run.js';
export {
  type ApprovalAnswer,
  type ApprovalOptions,
  type ApprovalPower,
  type AskPerson,
  grantApproval,
} from './approval.js';
export { type ClockOptions, type ClockPower, grantClock } from './clock.js';
export { Redactor } from './redact.js';
export { skillFolder } from './skill-folder.js';
export { type StagedFolder, type Staging, stagingOf } from './staging.js';
export {
  type SecretGrant,
  type SecretOptions,
  type SecretPower,
  type SecretSource,
  grantSecrets,
} from './secret.js';
