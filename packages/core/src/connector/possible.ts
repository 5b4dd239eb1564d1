/** Whether a tool's schema lets any value of a set through: a constraint that no call can meet is a mistake of the rule. */
import { type ValueSet, and, isEmpty, member, typeSet } from '../authority/index.js';
import { type PropertyInfo, type ToolSchema, propertyAt } from './schema.js';

/** False only where it is certain: one step into a closed schema, types or listed values known. */
export function possible(schema: ToolSchema, name: string, set: ValueSet): boolean {
  const info = propertyAt(schema, [name]);
  if (info.known !== 'yes') return true;
  if (info.optional && set.missing) return true;
  return info.enum === undefined ? typesMeet(info, set) : info.enum.some((value) => member(set, value));
}

function typesMeet({ types, nullable }: PropertyInfo, set: ValueSet): boolean {
  const named = nullable ? [...types, 'null' as const] : types;
  return named.some((type) => !isEmpty(and(set, typeSet(type))));
}
