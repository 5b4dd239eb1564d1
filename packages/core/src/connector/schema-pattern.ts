/** `patternProperties` names, matched only where matching is cheap for every key. */

const longestPattern = 200;
const longestKey = 128;
const mostRepeats = 2;

/**
 * A test of property names against a schema's pattern (unanchored, Unicode, as JSON Schema says). A pattern that is no
 * Unicode regular expression, or that could take long (lookaround, back references, repeated groups, more than
 * {@link mostRepeats} repeats), and any key longer than {@link longestKey} units, match nothing: the property is then
 * unknown, which admits less.
 */
export function namePattern(source: string): (key: string) => boolean {
  const expression = isCheap(source) ? compile(source) : undefined;
  if (expression === undefined) return () => false;
  return (key) => key.length <= longestKey && expression.test(key);
}

function isCheap(source: string): boolean {
  if (source.length > longestPattern) return false;
  if (/\(\?(?!:)|\\[1-9k]|\)[*+?{]/u.test(source)) return false;
  return (source.match(/[*+{]/gu) ?? []).length <= mostRepeats;
}

function compile(source: string): RegExp | undefined {
  try {
    return new RegExp(source, 'u');
  } catch {
    return undefined;
  }
}
