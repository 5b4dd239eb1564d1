/** What every power is joined to its caller by: it asks before each use whether it still may. */

/** Asks whether the turn and the capability that a use belongs to still live. */
export interface PowerPort {
  /** Throws a denial when they do not. Called at each use, and again before each step that changes something. */
  guard(): void;
}

/** A power, and the way to take it back. Whoever holds the power alone cannot revoke it, and nobody else can use it. */
export interface Grant<Power> {
  /** Frozen, without state that shows. */
  readonly power: Power;
  /** After it returns no use begins or changes anything; settles when what the power held open is closed. */
  revoke(): Promise<void>;
}
