/** Connector: how a call's text becomes arguments, and how arguments carry authority. */
export { type JsonLimits, type JsonParse, deepest, jsonLimits, parseJson, parseJsonBytes } from './json.js';
export { joinMembers, sliceMembers } from './json-members.js';
export { exactNumber } from './json-number.js';
export {
  type DecodedArguments,
  type PropertyInfo,
  type ToolSchema,
  argumentPaths,
  compileSchema,
  decodeArguments,
  missingRequired,
  propertyAt,
} from './schema.js';
export type { SchemaType } from './schema-words.js';
