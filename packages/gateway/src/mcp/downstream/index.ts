/** Downstream: the clients in front of Pawl, over line streams, the agents socket and HTTP. */
export { type AgentsOptions, type AgentsSocket, listenAgents } from './agents.js';
export { type HttpEndpoint, type HttpOptions, listenHttp } from './http.js';
export { type LineConnection, type LinesOptions, serveLines } from './lines.js';
