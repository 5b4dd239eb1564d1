/** Expressions from which languages are built. */
import { type Charset, anyChar, single } from './charset.js';
import type { Language } from './language.js';

/** An immutable regular expression. Made by the constructors below only. */
export type Pattern =
  | { readonly op: 'none' }
  | { readonly op: 'chars'; readonly set: Charset }
  | { readonly op: 'sequence'; readonly parts: readonly Pattern[] }
  | { readonly op: 'either'; readonly parts: readonly Pattern[] }
  | { readonly op: 'star'; readonly of: Pattern }
  | { readonly op: 'upTo'; readonly of: Pattern; readonly times: number }
  | { readonly op: 'words'; readonly words: readonly string[] }
  | { readonly op: 'within'; readonly language: Language };

/** Constructors of patterns. Texts passed in are well formed (no lone surrogates). */
export const pattern = {
  /** No text. */
  none: { op: 'none' } satisfies Pattern as Pattern,
  /** The empty text only. */
  empty: { op: 'sequence', parts: [] } satisfies Pattern as Pattern,
  /** One character, any. */
  anyChar: { op: 'chars', set: anyChar } satisfies Pattern as Pattern,
  /** Any text. */
  anything: { op: 'star', of: { op: 'chars', set: anyChar } } satisfies Pattern as Pattern,
  /** One character of the set. */
  chars: (set: Charset): Pattern => ({ op: 'chars', set }),
  /** Exactly this text. */
  literal: (text: string): Pattern => ({
    op: 'sequence',
    parts: Array.from(text, (char) => ({ op: 'chars', set: single(char.codePointAt(0) ?? 0) })),
  }),
  /** One of these texts; cheap for thousands. */
  words: (words: readonly string[]): Pattern => ({ op: 'words', words }),
  /** One after another. */
  sequence: (...parts: readonly Pattern[]): Pattern => ({ op: 'sequence', parts }),
  /** Any of them. */
  either: (...parts: readonly Pattern[]): Pattern => ({ op: 'either', parts }),
  /** Any number of times, none included. */
  star: (of: Pattern): Pattern => ({ op: 'star', of }),
  /** Once or more. */
  plus: (of: Pattern): Pattern => ({ op: 'sequence', parts: [of, { op: 'star', of }] }),
  /** Once or not at all. */
  optional: (of: Pattern): Pattern => ({ op: 'upTo', of, times: 1 }),
  /** Up to `times` times, none included; `times` is a whole number, 0 or more. */
  upTo: (of: Pattern, times: number): Pattern => ({ op: 'upTo', of, times }),
  /** A member of a language that exists already (never folded). */
  within: (language: Language): Pattern => ({ op: 'within', language }),
} as const;
