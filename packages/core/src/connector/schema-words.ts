/** What a schema expects, in words for a refusal. */
import { brief } from './json-lexer.js';
import { listedValues } from './schema-facts.js';
import { type SchemaNode, anyType, bit } from './schema-node.js';

/** Most values that a message lists. */
const mostListed = 5;

/** Types of a mask as JSON Schema names them. */
export type SchemaType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/** The types that a mask holds; a number that may have a fraction is `number` alone. */
export function typeNames(mask: number): readonly SchemaType[] {
  const names: SchemaType[] = [];
  if ((mask & bit.string) !== 0) names.push('string');
  if ((mask & bit.fraction) !== 0) names.push('number');
  else if ((mask & bit.integer) !== 0) names.push('integer');
  if ((mask & bit.boolean) !== 0) names.push('boolean');
  if ((mask & bit.array) !== 0) names.push('array');
  if ((mask & bit.object) !== 0) names.push('object');
  if ((mask & bit.null) !== 0) names.push('null');
  return names;
}

/** The one type of a value, by its bit. */
export function typeInWords(type: number): string {
  return type === bit.fraction ? 'number with a fraction' : (typeNames(type)[0] ?? 'nothing');
}

/** What one of these schemas would accept: `string or null`, `"a", "b"`, `no value`. */
export function expectation(nodes: readonly SchemaNode[]): string {
  const lists = nodes.map(listedValues);
  const values = lists.every((list) => list !== undefined) ? lists.flat() : [];
  if (values.length > 0) {
    const shown = values.slice(0, mostListed).map((value) => brief(JSON.stringify(value)));
    return values.length > mostListed ? `one of ${shown.join(', ')}, …` : shown.join(' or ');
  }
  const mask = nodes.reduce((bits, node) => bits | node.mask, 0);
  if (mask === 0) return 'no value';
  return mask === anyType ? 'another value' : typeNames(mask).join(' or ');
}
