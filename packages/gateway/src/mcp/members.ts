/** The outermost members of a JSON object text, found without reading what is inside them. */

const quote = 34;
const backslash = 92;
const comma = 44;
const colon = 58;
const brace = 125;

/**
 * The source text of each outermost member's value, by key. It judges only what it must to find the borders: a value may still
 * be no JSON, so whoever passes one on reads it strictly first. Undefined when the borders cannot be found, a key has escapes,
 * or a key occurs twice. Linear, and fast over long strings.
 */
export function outermostMembers(text: string): ReadonlyMap<string, string> | undefined {
  const open = blanks(text, 0);
  if (text[open] !== '{') return undefined;
  const members = new Map<string, string>();
  let at = blanks(text, open + 1);
  if (text[at] === '}') return endsAfter(text, at) ? members : undefined;
  for (;;) {
    const end = memberEnd(text, at, members);
    if (end < 0) return undefined;
    if (text[end] === '}') return endsAfter(text, end) ? members : undefined;
    at = blanks(text, end + 1);
  }
}

/** Adds the member that begins at `at`; the position of the comma or brace after it, or -1. */
function memberEnd(text: string, at: number, members: Map<string, string>): number {
  const keyEnd = text.charCodeAt(at) === quote ? stringEnd(text, at) : -1;
  if (keyEnd < 0) return -1;
  const key = text.slice(at + 1, keyEnd - 1);
  const border = blanks(text, keyEnd);
  if (key.includes('\\') || members.has(key) || text.charCodeAt(border) !== colon) return -1;
  const start = blanks(text, border + 1);
  const end = valueEnd(text, start);
  if (end > start) members.set(key, text.slice(start, end).trimEnd());
  return end > start ? end : -1;
}

function endsAfter(text: string, brace: number): boolean {
  return blanks(text, brace + 1) === text.length;
}

function blanks(text: string, from: number): number {
  let at = from;
  for (let unit = text.charCodeAt(at); unit === 32 || (unit >= 9 && unit <= 13); unit = text.charCodeAt(at))
    at += 1;
  return at;
}

/** Position after the string that begins at `from`, or -1. */
function stringEnd(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    if ((at - before) % 2 === 1) return at + 1;
  }
  return -1;
}

/** Position of the comma or brace that ends the value beginning at `from`, or -1. */
function valueEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === quote) {
      at = stringEnd(text, at) - 1;
      if (at < 0) return -1;
      continue;
    }
    if (depth === 0 && (unit === comma || unit === brace)) return at;
    depth += depthStep(unit);
    if (depth < 0) return -1;
  }
  return -1;
}

function depthStep(unit: number): number {
  if (unit === brace || unit === 93) return -1;
  return unit === 123 || unit === 91 ? 1 : 0;
}
