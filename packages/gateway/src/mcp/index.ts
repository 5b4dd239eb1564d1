/** MCP: frames, the surfaces that are open, clients in front and servers behind. */
export { type Caller, makeCaller } from './call.js';
export {
  type AgentsSocket,
  type HttpEndpoint,
  type LineConnection,
  listenAgents,
  listenHttp,
  serveLines,
} from './downstream/index.js';
export { decodeFrame } from './frame.js';
export type {
  AskDesk,
  AskedCall,
  CallAnswer,
  Gate,
  GateRequest,
  GateSession,
  ListedTool,
  OpenAsk,
  OpenedState,
  Rejection,
  SkillReading,
  SkillReadings,
} from './gate.js';
export type { Implementation } from './meta.js';
export { type RawResult, isRawResult, resultOf, within } from './result.js';
export { runShim } from './shim.js';
export {
  type DefinitionDigests,
  type Launch,
  type Login,
  type OAuthTarget,
  type Probe,
  type ProcessOptions,
  type ServerProcess,
  type StartServer,
  type Supervised,
  Supervisor,
  type Upstream,
  type UpstreamCallOptions,
  beginLogin,
  definitionDigest,
  probeServer,
  renewTokens,
  startHttp,
  startStdio,
  withoutSecrets,
} from './upstream/index.js';
