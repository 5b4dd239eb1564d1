/** What a person reads who is to approve a call. */
import { type JsonObject, canonicalJson } from '../ground/index.js';

/** Longest text of arguments that is shown; a longer one is cut, and says so. An approval seals the whole all the same. */
const longestShown = 16_384;

/** Characters that reorder or hide text: shown as the escapes that JSON has for them, so that nobody approves what cannot be seen. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** The tool, and its arguments as they would be forwarded: one line, all of it visible. The same call gives the same text. */
export function shownCall(title: string, args: JsonObject): string {
  const text = canonicalJson(args).replaceAll(unseen, escaped);
  if (text.length <= longestShown) return `${title} ${text}`;
  return `${title} ${text.slice(0, longestShown)}… (${text.length - longestShown} characters more are not shown)`;
}

function escaped(char: string): string {
  return Array.from({ length: char.length }, (_, at) => char.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');
}
