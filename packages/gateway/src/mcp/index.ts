/** MCP: frames, the surfaces that are open, clients in front and servers behind. */
export { type CallScope, type Caller, type CallerOptions, makeCaller } from './call.js';
export {
  type AgentsOptions,
  type AgentsSocket,
  type HttpEndpoint,
  type HttpOptions,
  type LineConnection,
  type LinesOptions,
  listenAgents,
  listenHttp,
  serveLines,
} from './downstream/index.js';
export {
  type Frame,
  type InvalidFrame,
  type NotificationFrame,
  type RequestFrame,
  type RequestId,
  decodeFrame,
} from './frame.js';
export type {
  CallAnswer,
  Gate,
  GateRequest,
  GateSession,
  ListedTool,
  Rejection,
  ToolDefinition,
} from './gate.js';
export type { Implementation } from './meta.js';
export type { RawResult, RawToolError, RawToolResult } from './result.js';
export { type ShimOptions, runShim } from './shim.js';
export {
  type Discovered,
  type Probe,
  type ProcessOptions,
  type Started,
  type StdioOptions,
  type Supervised,
  Supervisor,
  type SupervisorOptions,
  type Upstream,
  type UpstreamCall,
  type UpstreamCallOptions,
  type UpstreamTool,
  probeServer,
  startStdio,
} from './upstream/index.js';
