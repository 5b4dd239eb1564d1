/** Views that split: one argument holds several texts, each of which is judged in an access of its own. */
import { type CanonicalText, canonicalText } from './canonical-text.js';
import { type SimpleCommand, readCommands } from './command-read.js';
import type { PathContext, ViewName } from './context.js';
import { readSql } from '../sql/index.js';

/** One of the texts. */
export interface TextPart {
  /** Canonical: what constraints of the view judge. */
  readonly text: string;
  /** Of the view `command`: what was read, for the accesses that its words and redirections make. */
  readonly command?: SimpleCommand;
}

/** At least one part, in the order of the argument; or why the kind refuses the value. */
export type SplitText =
  | { readonly ok: true; readonly parts: readonly TextPart[] }
  | { readonly ok: false; readonly why: string };

/** Whether arguments in this view give several accesses. */
export function splits(view: ViewName): boolean {
  return view === 'command' || view === 'sql';
}

/** Reads an argument in a view that splits; in any other its one canonical text. `base`: as for {@link canonicalText}. */
export function splitText(view: ViewName, text: string, ctx: PathContext, base?: string): SplitText {
  if (view === 'sql') return accessesOf(text);
  if (view !== 'command') return single(canonicalText(view, text, ctx, base));
  const read = readCommands(text, ctx, base);
  if (!read.ok) return read;
  return { ok: true, parts: read.commands.map((command) => ({ text: command.text, command })) };
}

function accessesOf(text: string): SplitText {
  const read = readSql(text);
  return read.ok ? { ok: true, parts: read.accesses.map((access) => ({ text: access })) } : read;
}

function single(read: CanonicalText): SplitText {
  return read.ok ? { ok: true, parts: [{ text: read.text }] } : read;
}
