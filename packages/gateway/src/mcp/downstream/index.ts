/** Downstream: the clients in front of Pawl, over line streams, the agents socket and HTTP. */
export { type AgentsSocket, listenAgents } from './agents.js';
export { type HttpEndpoint, listenHttp } from './http.js';
export { type LineConnection, serveLines } from './lines.js';
