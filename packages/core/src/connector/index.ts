/** Connector: how a call's text becomes arguments, and how arguments carry authority. */
export { type JsonLimits, type JsonParse, jsonLimits, parseJson, parseJsonBytes } from './json.js';
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
export { argumentName, parseArgumentName, withEdits } from './argument.js';
export { type CommandNames, type NoCommand, commandNames } from './command-names.js';
export { builtinConnector, builtinNames, inferredConnector } from './builtins.js';
export {
  type Field,
  type FieldContext,
  type FieldFrame,
  type FieldMeaning,
  type PlannedKey,
  type References,
  type Standing,
  fieldConstraint,
  fieldMeaning,
  fieldSets,
  plannedKeys,
  readFields,
  standing,
} from './field.js';
export { type ArgumentsOf, type JsonArguments, type ValueOf, jsonArguments } from './json-arguments.js';
export { defaultsOn } from './default.js';
export { fillStep } from './fill.js';
export { fillSelected } from './selected.js';
export type { PlannedArgument, ReadPlan, ToolFrame } from './frame.js';
export { possible, possibleValues } from './possible.js';
export type { Unreadable } from './raw.js';
export { type Reading, forwarded, readCall } from './reader.js';
export { exampleCalls, putAt } from './example.js';
export { placeSet } from './positions.js';
export { type ToolShape, accessShapes } from './shapes.js';
export { type BlindSpot, blindSpots, unreadableTexts } from './unreadable.js';
export { readConnectors } from './declare.js';
export {
  type AccessRow,
  type ConnectorTable,
  type InnerCalls,
  type ToolTable,
  classedPaths,
  fieldsOf,
  payloadPaths,
  rawTool,
  readsCommands,
  toolTable,
  verbsOf,
  wordField,
} from './table.js';
