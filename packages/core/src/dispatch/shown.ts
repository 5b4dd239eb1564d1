/** What a person reads who is to approve a call. */
import { type JsonObject, canonicalJson } from '../ground/index.js';

/** Longest text of arguments that is shown; a longer one is cut, and says so. An approval seals the whole all the same. */
const longestShown = 16_384;

/** The tool, and its arguments as they would be forwarded. The same call gives the same text. */
export function shownCall(title: string, args: JsonObject): string {
  const text = canonicalJson(args);
  if (text.length <= longestShown) return `${title} ${text}`;
  return `${title} ${text.slice(0, longestShown)}… (${text.length - longestShown} characters more are not shown)`;
}
