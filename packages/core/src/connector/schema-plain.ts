/** The common case at once: an object of scalars, each as the schema says. */
import { type Json, type JsonObject, own } from '../ground/index.js';
import { type SchemaNode, bit, bitOf, listHolds } from './schema-node.js';

/** True only where a whole judgement would answer with the very object; false says nothing. Of what is required it does not speak. */
export function fitsPlainly(node: SchemaNode, object: JsonObject): boolean {
  if (!standsAlone(node) || node.values !== undefined || (node.types & bit.object) === 0) return false;
  for (const key of Object.keys(object)) {
    const property = node.properties.get(key);
    if (property === undefined || !isScalarOf(property, object[key])) return false;
  }
  return true;
}

/** As {@link fitsPlainly}, and with everything that is required. */
export function isWholePlainly(node: SchemaNode, object: JsonObject): boolean {
  for (const key of node.required) if (own(object, key) === undefined) return false;
  return fitsPlainly(node, object);
}

function isScalarOf(node: SchemaNode, value: Json | undefined): boolean {
  if (value === undefined || value === null || typeof value === 'object') return false;
  if (!standsAlone(node) || (node.types & bitOf(value)) === 0) return false;
  return node.values === undefined || listHolds(node.values, value);
}

/** Whether nothing else speaks about the same value or, by a pattern, about its members. */
function standsAlone({ every, groups, patterns }: SchemaNode): boolean {
  return every.length === 0 && groups.length === 0 && patterns.length === 0;
}
