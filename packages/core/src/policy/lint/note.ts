/** How findings are noted. */
import type { LoadProblem, Position } from '../../ground/index.js';

/** What a finding is about. */
export interface Noted {
  readonly at: Position;
  /** Path in the document. */
  readonly path: string;
}

/** Notes a finding; the message is said of what stands there. */
export type Note = (about: Noted, message: string) => void;

/** A list of findings, and what adds to it. The same finding is kept once. */
export function findings(): { readonly found: readonly LoadProblem[]; readonly note: Note } {
  const found: LoadProblem[] = [];
  const note: Note = ({ at, path }, text) => {
    const message = `${path}: ${text}`;
    if (!found.some((each) => each.message === message))
      found.push({ at, path, found: text, allowed: '', message });
  };
  return { found, note };
}
