/** Tool input schemas: what of a call's arguments is known, of the right type, omitted or still missing. */
import type { Json, JsonObject } from '../ground/index.js';
import { isJsonObject } from '../ground/index.js';
import { brief } from './json-lexer.js';
import { Check, Refusal } from './schema-check.js';
import { compileNodes } from './schema-compile.js';
import { elementNodes, fallbackOf, isRequiredAt, leafPaths, listedByAny, placeAt } from './schema-facts.js';
import { type SchemaNode, anyType, bit } from './schema-node.js';
import { fitsPlainly, isWholePlainly } from './schema-plain.js';
import { type SchemaType, typeNames } from './schema-words.js';

/** A compiled input schema; immutable, made by {@link compileSchema} only. */
export interface ToolSchema {
  readonly root: SchemaNode;
}

/** Arguments as they are judged and forwarded, or the path and reason of the first that is refused. */
export type DecodedArguments =
  | { readonly ok: true; readonly args: JsonObject; readonly changed: boolean }
  | { readonly ok: false; readonly path: string; readonly message: string };

/** What a schema says about one argument path; a path into an array means its elements. */
export interface PropertyInfo {
  /** `open`: not named, but the object that would hold it admits any name. */
  readonly known: 'yes' | 'no' | 'open';
  /** Whether some step of the path may be left out. */
  readonly optional: boolean;
  readonly nullable: boolean;
  /** Types that a value may have; all of them where the schema does not say. `number` includes integers. */
  readonly types: readonly SchemaType[];
  /** The schema's default; absent also where alternatives state different ones. */
  readonly default?: Json;
  /** The only values there are, when the schema lists them (enum, const). */
  readonly enum?: readonly Json[];
  /** For a value that may be an array whose elements the schema describes. */
  readonly items?: PropertyInfo;
}

/**
 * Compiles a tool's `inputSchema`, once per tool. Read are types, `nullable`, enum, const, properties, patternProperties,
 * additionalProperties, required, items, prefixItems, allOf, anyOf, oneOf, local $ref and defaults; the rest is the
 * upstream's. Keywords of the wrong shape, foreign or dangling $ref, schemas defined by themselves and schemas beyond
 * the bounds are a problem: such a tool cannot be judged. Never throws.
 */
export function compileSchema(schema: Json): ToolSchema | { readonly problem: string } {
  const root = compileNodes(schema);
  return 'problem' in root ? root : { root };
}

/**
 * Judges the arguments that are present, at every depth: names, types, enum and const. Null under an optional property
 * that is not nullable, or whose default is null, is dropped; a string where only an array or an object will do is
 * parsed once, strictly. Nothing else is converted. When nothing changed, `args` is the very object that was given,
 * else a new one that shares what did not change. Required properties are {@link missingRequired}'s. Never throws.
 */
export function decodeArguments(schema: ToolSchema, args: JsonObject): DecodedArguments {
  if (fitsPlainly(schema.root, args)) return { ok: true, args, changed: false };
  const result = new Check(false).judge(schema.root.self, args, 0, false);
  if (result instanceof Refusal) return { ok: false, path: pathText(result), message: result.message };
  if (!isJsonObject(result)) return { ok: false, path: '', message: 'arguments must be an object' };
  return { ok: true, args: result, changed: result !== args };
}

/**
 * The path of the first required property that decoded and filled arguments lack, at any depth; undefined when none is
 * missing. Also a path when the arguments do not fit otherwise, which decoding excludes.
 */
export function missingRequired(schema: ToolSchema, args: JsonObject): string | undefined {
  if (isWholePlainly(schema.root, args)) return undefined;
  const result = new Check(true).judge(schema.root.self, args, 0, true);
  return result instanceof Refusal ? pathText(result) : undefined;
}

/** What the schema says about a path of member names; over alternatives it is the union of what they say. */
export function propertyAt(schema: ToolSchema, path: readonly string[]): PropertyInfo {
  const { known, nodes, unsaid, optional } = placeAt(schema.root, path);
  return { known, optional, ...factsOf(unsaid ? [] : nodes, known !== 'no', 0) };
}

/** Whether the object around an argument, where it is there, has to hold the argument. */
export function requiredAround(schema: ToolSchema, path: readonly string[]): boolean {
  return isRequiredAt(schema.root, path);
}

/** Paths of all leaves that the schema names, elements of arrays included; bounded, recursion ends where it begins. */
export function argumentPaths(schema: ToolSchema): readonly (readonly string[])[] {
  return leafPaths(schema.root);
}

const deepestItems = 4;

function factsOf(
  nodes: readonly SchemaNode[],
  possible: boolean,
  depth: number,
): Omit<PropertyInfo, 'known' | 'optional'> {
  const unsaid = possible ? anyType : 0;
  const mask = nodes.length === 0 ? unsaid : nodes.reduce((bits, node) => bits | node.mask, 0);
  const fallback = fallbackOf(nodes);
  const values = listedByAny(nodes);
  const elements = depth < deepestItems ? elementNodes(nodes) : [];
  return {
    nullable: (mask & bit.null) !== 0,
    types: typeNames(mask),
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(values === undefined ? {} : { enum: values }),
    ...(elements.length === 0
      ? {}
      : { items: { known: 'yes', optional: false, ...factsOf(elements, true, depth + 1) } }),
  };
}

function pathText(refusal: Refusal): string {
  let text = '';
  for (const step of refusal.path.toReversed()) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (!/^[\p{L}\p{N}_$-]{1,64}$/u.test(step)) text += `[${brief(JSON.stringify(step))}]`;
    else text += text === '' ? step : `.${step}`;
  }
  return text;
}
