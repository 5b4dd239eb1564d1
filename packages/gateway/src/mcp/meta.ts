/** The members of `_meta` that Pawl knows, and the name that each side gives itself there. */

/** Name and version that one side of MCP tells the other. */
export interface Implementation {
  readonly name: string;
  readonly version: string;
}

/** Protocol version that governs a request. */
export const protocolVersionKey = 'io.modelcontextprotocol/protocolVersion';
/** What the sender of a request is. */
export const clientInfoKey = 'io.modelcontextprotocol/clientInfo';
/** What the sender of a request can do. */
export const clientCapabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';
/** What the sender of a result is. */
export const serverInfoKey = 'io.modelcontextprotocol/serverInfo';

/** The W3C trace context members of `_meta`, the only ones besides the progress token that pass through. */
export const traceKeys: readonly string[] = Object.freeze(['traceparent', 'tracestate', 'baggage']);
