/** Upstream: the servers behind Pawl, and the processes they run in. */
export type { Launch, ProcessOptions, ServerProcess } from './process.js';
export { startHttp } from './http.js';
export { type Login, type OAuthTarget, beginLogin, renewTokens } from './oauth.js';
export { startStdio } from './stdio.js';
export { type Supervised, type DefinitionDigests, definitionDigest } from './principal.js';
export { type Probe, type StartServer, Supervisor, probeServer } from './supervisor.js';
export { withoutSecrets } from './without-secrets.js';
export type { Upstream, UpstreamCallOptions } from './upstream.js';
