/** One reader for every view: a text of a call to its canonical text, and to the text that is forwarded. */
import { readCommands } from './command-read.js';
import { spelledCommand } from './command-text.js';
import type { PathContext, ViewName } from './context.js';
import { readSql, statementOf } from '../sql/index.js';
import { canonicalEmail } from './email-text.js';
import { canonicalHost, spelledHost } from './host-text.js';
import { canonicalPath } from './path-value.js';
import { nativePath } from './path-win32.js';
import { canonicalUrl, spelledUrl } from './url-text.js';

/** The text as constraints judge it and the text to forward, or why the kind refuses the value. */
export type CanonicalText =
  | { readonly ok: true; readonly text: string; readonly forward: string }
  | { readonly ok: false; readonly why: string };

/**
 * Reads a text in a view. `forward`: for a path its canonical absolute form as the platform spells it (win32:
 * `C:\Users\x`), else the text as sent. `base`: what relative paths are resolved against, a canonical absolute path;
 * default: the root. Never throws; what it forwards reads as the same canonical text again. In a view that splits the text
 * must hold exactly one part.
 */
export function canonicalText(view: ViewName, text: string, ctx: PathContext, base?: string): CanonicalText {
  if (view === 'raw') return { ok: true, text, forward: text };
  if (view === 'path') {
    const read = canonicalPath(text, ctx, base);
    return read.ok ? { ok: true, text: read.path, forward: nativePath(read.path) } : read;
  }
  const read = view === 'command' ? oneCommand(text, ctx, base) : readers[view](text);
  return read.ok ? { ok: true, text: read.text, forward: text } : read;
}

type Reader = (
  text: string,
) => { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string };

function oneCommand(text: string, ctx: PathContext, base: string | undefined): ReturnType<Reader> {
  const read = readCommands(text, ctx, base);
  if (!read.ok) return read;
  const [only, ...more] = read.commands;
  if (only === undefined || more.length > 0) return { ok: false, why: 'it holds several commands' };
  return { ok: true, text: only.text };
}

function oneAccess(text: string): ReturnType<Reader> {
  const read = readSql(text);
  if (!read.ok) return read;
  const [only, ...more] = read.accesses;
  if (only === undefined || more.length > 0) return { ok: false, why: 'it reaches several tables' };
  return { ok: true, text: only };
}

const readers: Readonly<Record<Exclude<ViewName, 'raw' | 'path' | 'command'>, Reader>> = {
  host: canonicalHost,
  url: canonicalUrl,
  email: canonicalEmail,
  sql: oneAccess,
};

/** Whether a canonical text stands for one value, so that an argument may be filled with it; of SQL it says what texts do. */
export function fillable(view: ViewName): boolean {
  return view !== 'sql';
}

/** A text that calls may send and that reads as the given canonical text: for filling, for witnesses, for people. */
export function spelledText(view: ViewName, text: string): string {
  if (view === 'host') return spelledHost(text);
  if (view === 'url') return spelledUrl(text);
  if (view === 'command') return spelledCommand(text);
  if (view === 'sql') return statementOf(text);
  return view === 'path' ? nativePath(text) : text;
}
