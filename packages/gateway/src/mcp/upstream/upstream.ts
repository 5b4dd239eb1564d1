/** The port to one running server, whatever carries the bytes. */
import type { Fault, JsonObject } from '@pawl/core';
import type { RawResult } from '../result.js';

/** A tool as the server itself lists it. */
export interface UpstreamTool {
  readonly name: string;
  readonly definition: JsonObject;
}

/** What goes with one call. */
export interface UpstreamCallOptions {
  /** Aborting sends a cancellation to the server and settles with `outcome_unknown`. */
  readonly signal: AbortSignal;
  /** Milliseconds without progress after which the call is cancelled; Infinity for none. */
  readonly deadlineMs: number;
  /** Takes progress parameters without the token. */
  readonly onProgress?: (progress: JsonObject) => void;
  /** W3C trace context members for `_meta`. */
  readonly trace?: JsonObject;
}

/** A call that was made. */
export interface UpstreamCall {
  /** Whether the frame was written: from then on the server may have acted. */
  readonly handedOver: boolean;
  /**
   * The server's answer, or `outcome_unknown` once handed over, `upstream_gone` if not, `result_too_large` for an answer past
   * the limit. Never rejects.
   */
  readonly answer: Promise<RawResult | Fault>;
}

/** One server process or HTTP session, of one principal. */
export interface Upstream {
  readonly state: 'up' | 'down';
  /** Of one that is down: the server has ended a session that it had answered calls in. Nothing is amiss with such a server. */
  readonly isExpired?: boolean;
  /** The tools as they were listed last, in the server's order. */
  tools(): readonly UpstreamTool[];
  /** Lists the tools again; from then on {@link tools} gives what was found. Rejects when the server does not list them. */
  list(): Promise<readonly UpstreamTool[]>;
  /** Writes the frame before it returns (that is the hand-over). Takes `args` as they are and never changes them. Throws nothing. */
  call(tool: string, args: JsonObject, options: UpstreamCallOptions): UpstreamCall;
  /** Called once, with what happened, when the server is gone for whatever reason; at once if it already is. */
  onDown(listener: (why: string) => void): void;
  /** Called whenever the server says that its tools have changed, at once if it did since they were listed; {@link tools} stays as it is until they are listed again. */
  onToolsChanged(listener: () => void): void;
  /** Ends the server and everything it started; settles when it is gone. */
  close(): Promise<void>;
}
