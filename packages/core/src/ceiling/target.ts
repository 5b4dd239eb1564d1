/** Where limits may point: connectors and servers, and what each of them has. */
import type { ConnectorTable, Field, FieldFrame } from '../connector/index.js';

/** A server, or a connector of which there is no server, as limits meet it. */
export interface LimitGround {
  /** The names by which limits mean it: the server's and its connector's. */
  readonly names: readonly string[];
  readonly frame: FieldFrame;
  /** Its tools as its connector classes them; none without one. */
  readonly tools: ConnectorTable['tools'];
}

/** What one name stands for. */
export interface LimitTarget {
  /** Every server that the name concerns, or the connector itself where there is none. */
  readonly grounds: readonly LimitGround[];
  /** Whether something of that name has the field. */
  has(field: Field): boolean;
  /** The fields that it has, in words. */
  readonly fields: string;
}

/** The names that limits may have. */
export interface LimitTargets {
  /** Undefined for a name that is no connector and no server. */
  at(name: string): LimitTarget | undefined;
  /** All of them, in words. */
  readonly names: string;
}
