/** Pieces of accesses: a key with what it holds, and the accesses that what it was read from makes beside. */
import { type Held, type PathContext, type TextPart, type Verb } from '../authority/index.js';
import { type Beside, besidesOf, unreadBesides } from './command-access.js';

/** One key of an access. */
export interface Piece {
  readonly key: string;
  /** Undefined: its kind refuses the value in a position that no list constrains; the access does not carry the key. */
  readonly held: Held | undefined;
  /** Verb of the access that the piece makes by itself, where no row of a table makes one. */
  readonly verb?: Verb;
  /** Accesses beside it, each with the piece's own key and the field `path`. */
  readonly besides?: readonly Beside[];
}

/** The piece of one part of an argument in a view that splits; `held`: the part, or lists around it. */
export function partPiece(
  key: string,
  held: Held,
  { command }: TextPart,
  ctx: PathContext,
): Piece | { readonly why: string } {
  if (command === undefined) return { key, held };
  const besides = besidesOf(command, ctx);
  return 'why' in besides ? besides : { key, held, verb: 'execute', besides: besides.besides };
}

/** The piece of a command line that is not understood, where no list constrains it: it may do whatever commands do. */
export function unreadPiece(key: string): Piece {
  return { key, held: undefined, verb: 'execute', besides: unreadBesides };
}

/** Every choice of one piece a key. Most choices that one call makes are `most`; undefined: more. */
export function choicesOf(
  keys: readonly (readonly Piece[])[],
  most: number,
): readonly (readonly Piece[])[] | undefined {
  if (keys.every((pieces) => pieces.length === 1)) return [keys.flat()];
  let choices: readonly (readonly Piece[])[] = [[]];
  for (const pieces of keys) {
    if (choices.length * pieces.length > most) return undefined;
    choices = choices.flatMap((some) => pieces.map((piece) => [...some, piece]));
  }
  return choices;
}
