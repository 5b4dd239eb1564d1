/** Reload: the only room that moves what is in force. */
export type { Activated, ActivationPorts, Proposal } from './activate.js';
export type { GiveUp, LivingGeneration } from './drain.js';
export type { OperatorAct, Proposed, ReloadRequest, Reloaded, Unusable } from './propose.js';
export { type Prover, proofDeadlineMs, undecided } from './prover.js';
export { type ReloadPorts, type Reloader, type Thawed, reloader } from './reloader.js';
export type { ConnectorVersion, GenerationSource } from './source.js';
export { type StartPorts, type StartRequest, type Started, start } from './start.js';
export {
  type AcceptedTool,
  type DeclaredBy,
  type FreezeStore,
  type GenerationCause,
  type GenerationStore,
  type StoredGeneration,
  type Trigger,
  causeJson,
} from './store.js';
export { type CurrentCell, currentCell } from '../policy/set-current.js';
export { judgeCall } from './judge.js';
export {
  type DelegatedProgramSession,
  type Program,
  type ProgramOptions,
  type ProgramSession,
  openProgram,
} from './program.js';
