/** What operators see, and say, of tool definitions. */
import type { Digest, Json, Reloaded, ServerName } from '@pawl/core';

/** Which definitions: of every server, of one, or of one tool. */
export interface PinsAsked {
  readonly server?: ServerName;
  /** The tool's own name, with `server`. */
  readonly tool?: string;
}

/** A tool definition that a store has seen. */
export interface PinView {
  readonly server: ServerName;
  readonly tool: string;
  /** `accepted` is in force; `waiting` is absent until an operator accepts it. */
  readonly state: 'accepted' | 'waiting';
  readonly digest: Digest;
  /** Accepted because the server had never been seen, and not by an operator. */
  readonly firstUse: boolean;
  /** Unix milliseconds: when it was accepted, or seen first. */
  readonly at: number;
  /** Where one server was asked for. */
  readonly definition?: Json;
}

/** What waits and is decided on: all of a server, or one tool. */
export interface PinAnswer {
  readonly server: ServerName;
  readonly tool?: string;
  /** Begin of the digest that was shown, 12 to 64 hexadecimal digits: what waits under another one by now is left as it is. */
  readonly digest: string;
}

/** As an operator accepts. */
export interface PinsAccept extends PinAnswer {
  /** Capabilities of every agent die, not only of those that gain. */
  readonly all?: boolean;
  /** Fresh ones are let into open sessions. */
  readonly reissue?: boolean;
}

/** What was decided on. */
export interface PinsAnswered {
  readonly server: ServerName;
  readonly tools: readonly string[];
}

/** What accepting came to. */
export interface PinsAccepted extends PinsAnswered {
  readonly reload: Reloaded;
}
