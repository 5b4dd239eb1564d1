/** Upstream: the servers behind Pawl, and the processes they run in. */
export type { Discovered, HandshakeBounds } from './handshake.js';
export type { ProcessOptions } from './process.js';
export { type Started, type StdioOptions, startStdio } from './stdio.js';
export type { StrayLimits } from './stray.js';
export {
  type Probe,
  type Restarts,
  type StartServer,
  type Supervised,
  Supervisor,
  type SupervisorOptions,
  probeServer,
} from './supervisor.js';
export type { Upstream, UpstreamCall, UpstreamCallOptions, UpstreamTool } from './upstream.js';
