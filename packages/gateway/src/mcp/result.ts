/** A server's answer to a call as raw JSON text, so that numbers and strings pass unchanged. */

/** A tool result: its members as the server wrote them, without the braces, `_meta` and `resultType`. */
export interface RawToolResult {
  readonly kind: 'result';
  /** `"content":[…],"structuredContent":{…}`; empty for a result without members. */
  readonly members: string;
  readonly isError: boolean;
}

/** A JSON-RPC error that the server answered: the raw error object. */
export interface RawToolError {
  readonly kind: 'error';
  readonly error: string;
}

/** What a server answered to `tools/call`. */
export type RawResult = RawToolResult | RawToolError;
