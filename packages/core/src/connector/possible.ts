/** Whether a tool's schema lets any value of a set through: a constraint that no call can meet is a mistake of the rule. */
import {
  type ValueSet,
  and,
  everythingSet,
  isEmpty,
  member,
  missingSet,
  nothingSet,
  or,
  typeSet,
} from '../authority/index.js';
import type { SchemaType } from './schema-words.js';
import { type PropertyInfo, type ToolSchema, propertyAt } from './schema.js';

/** False only where it is certain: one step into a closed schema, types or listed values known. */
export function possible(schema: ToolSchema, name: string, set: ValueSet): boolean {
  const info = propertyAt(schema, [name]);
  if (info.known !== 'yes') return true;
  if (info.optional && set.missing) return true;
  return info.enum === undefined ? typesMeet(info, set) : info.enum.some((value) => member(set, value));
}

/** A set that holds every value that calls of the tool can have there; the types of lists are those of all lists. */
export function possibleValues(schema: ToolSchema, name: string): ValueSet {
  const info = propertyAt(schema, [name]);
  if (info.known !== 'yes') return everythingSet;
  const present = typesOf(info).reduce<ValueSet>((sum, type) => or(sum, typeSet(type)), nothingSet);
  return info.optional ? or(present, missingSet) : present;
}

function typesMeet(info: PropertyInfo, set: ValueSet): boolean {
  return typesOf(info).some((type) => !isEmpty(and(set, typeSet(type))));
}

function typesOf({ types, nullable }: PropertyInfo): readonly SchemaType[] {
  return nullable ? [...types, 'null'] : types;
}
