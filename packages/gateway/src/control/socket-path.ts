/** How long the path of a socket may be: Node cuts a longer one without a word, and the socket lies elsewhere. */

/** Bytes that every system takes. */
export const longestSocketPath = 103;

/** Whether a socket can lie at exactly this path. */
export function fitsSocket(path: string): boolean {
  return Buffer.byteLength(path) <= longestSocketPath;
}
