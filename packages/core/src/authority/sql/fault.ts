/** Why a text is refused. */

/** Thrown inside this folder alone; its door turns it into a value. The message says what was found, in a few words. */
export class NotUnderstood extends Error {}
