/** What is said of one tool, rule by rule, for people who ask why a call got its verdict. */
import {
  type Access,
  type Bucket,
  type Rule,
  type Scalar,
  type ValueSet,
  type Verb,
  admits,
  admitsAll,
  scalarValues,
  scalars,
  verbs as everyVerb,
} from '../authority/index.js';
import { argumentName, decodeArguments, readCall } from '../connector/index.js';
import { type Json, type JsonObject, type Layer, type ToolName, isJsonObject } from '../ground/index.js';
import type { ExecutorPolicy, ToolPolicy } from '../policy/index.js';

/** A field that a rule constrains. */
export interface FieldView {
  /** `path`, `args.x`; in a ceiling `terminal.backends`. */
  readonly name: string;
  /** The constraint as the document says it. */
  readonly text: string;
  /** All that it allows, where that is a short list. */
  readonly values?: readonly Scalar[];
}

/** One rule of the policy, or one part of a ceiling or narrowing, for one verb of a tool. */
export interface RuleView {
  readonly layer: Layer;
  readonly list: 'allow' | 'ask' | 'deny';
  /** Path in the document; `protected` for regions that no document can free. */
  readonly rule: string;
  readonly verb: Verb;
  readonly level: Rule['level'];
  readonly fields: readonly FieldView[];
  /** Of a call that is known: whether the rule holds for (of ask and deny: meets) some access of this verb that the layer does not admit. */
  readonly holds?: boolean;
  /** Of an allow rule that does not hold: names of the fields that fail. */
  readonly failing?: readonly string[];
  /** Of an allow rule that does not hold: an argument that would have to be left out. */
  readonly surplus?: string;
}

/** Most values that are listed for a field. */
const mostListed = 64;

/**
 * The rules of an executor for a tool, policy first, then ceiling and narrowing. With `args`, only those for verbs of the
 * call's accesses, and how each stands to the call; arguments that cannot be read are as if they were not given. Calls inside
 * the arguments of a dispatcher are not looked at. Never throws.
 */
export function rulesOn(executor: ExecutorPolicy, tool: ToolName, args?: Json): readonly RuleView[] {
  const policy = executor.forTool(tool);
  if (policy === undefined) return [];
  const accesses = args === undefined ? [] : accessesOf(policy, args);
  const verbs = accesses.length === 0 ? everyVerb : [...new Set(accesses.map(({ verb }) => verb))];
  return policy.authorities.factors.flatMap((authority) =>
    verbs.flatMap((verb) => {
      const bucket = authority.bucket(tool, verb);
      const outside = accesses.filter(
        (access) => access.verb === verb && admits(authority, access).level === undefined,
      );
      // A call that the layer admits is looked at whole.
      const asked = outside.length > 0 ? outside : accesses.filter((access) => access.verb === verb);
      return bucket === undefined ? [] : viewsOf({ layer: authority.layer, verb }, bucket, asked);
    }),
  );
}

/** What a call could have had in one field, the rest of it as it was. */
export interface AllowedValues {
  /** `path`, `args.x`. */
  readonly field: string;
  /** All of them, where they are a short list; denials and asks are not taken off. */
  readonly values?: readonly Scalar[];
}

/**
 * The fields in which a call fails, each with what policy, ceiling and narrowing together would take there. None for a call that
 * they admit, that a denial takes away, or that cannot be read.
 */
export function allowedInstead(
  executor: ExecutorPolicy,
  tool: ToolName,
  args: Json,
): readonly AllowedValues[] {
  const policy = executor.forTool(tool);
  const accesses = policy === undefined ? [] : accessesOf(policy, args);
  const answer = policy === undefined ? undefined : admitsAll(policy.authorities, accesses);
  if (policy === undefined || answer === undefined || answer.level !== undefined) return [];
  if (answer.denial !== undefined) return [];
  const { access, bucket } = answer;
  const fields = new Map(
    (bucket?.allow ?? []).flatMap(({ box }) => box.failing(access)).map((field) => [field.key, field]),
  );
  return [...fields.values()].map(({ key, path, name }) => {
    const among = policy.frame.fields[key]?.vocabulary?.values;
    const open = new Set([key]);
    const question = {
      key,
      open,
      ...(path === undefined ? {} : { path }),
      ...(among === undefined ? {} : { among }),
    };
    const found = scalarValues(policy.authorities, [access], question);
    return {
      field: name,
      ...(found === undefined || found.scalars.length === 0 ? {} : { values: found.scalars }),
    };
  });
}

/**
 * Whether policy, ceiling and narrowing admit every access that these arguments make, at whatever level; what the tool requires
 * besides may be missing, as payload is in what the audit keeps.
 */
export function isInside(executor: ExecutorPolicy, tool: ToolName, args: JsonObject): boolean {
  const policy = executor.forTool(tool);
  if (policy === undefined) return false;
  const { frame, plan, authorities } = policy;
  const decoded = frame.schema === undefined ? undefined : decodeArguments(frame.schema, args);
  if (decoded?.ok === false) return false;
  const reading = readCall(frame, plan, decoded?.args ?? args);
  return reading.kind === 'read' && admitsAll(authorities, reading.accesses).level !== undefined;
}

/** Accesses of a call; none where its arguments cannot be read. */
function accessesOf({ frame, plan }: ToolPolicy, args: Json): readonly Access[] {
  if (!isJsonObject(args)) return [];
  const decoded = frame.schema === undefined ? undefined : decodeArguments(frame.schema, args);
  const reading = readCall(frame, plan, decoded?.ok === true ? decoded.args : args);
  return reading.kind === 'unreadable' ? [] : reading.accesses;
}

function viewsOf(
  place: Pick<RuleView, 'layer' | 'verb'>,
  bucket: Bucket,
  asked: readonly Access[],
): readonly RuleView[] {
  const seen = new Set<string>();
  const views: RuleView[] = [];
  for (const list of ['deny', 'allow', 'ask'] as const) {
    for (const rule of bucket[list]) {
      const view = { ...place, ...viewOf(list, rule, asked) };
      const key = JSON.stringify(view);
      if (!seen.has(key)) views.push(view);
      seen.add(key);
    }
  }
  return views;
}

function viewOf(
  list: RuleView['list'],
  { rule, level, box }: Rule,
  asked: readonly Access[],
): Omit<RuleView, 'layer' | 'verb'> {
  const fields = box.fields.map(({ name, text, set }): FieldView => {
    const values = listedIn(set);
    return { name, text, ...(values === undefined ? {} : { values }) };
  });
  const base = { list, rule, level, fields };
  if (asked.length === 0) return base;
  if (list !== 'allow') return { ...base, holds: asked.some((access) => box.meets(access)) };
  const failing = [...new Set(asked.flatMap((access) => box.failing(access).map(({ name }) => name)))];
  const surplus = asked.map(({ args }) => box.cover?.firstOutside(args)).find((path) => path !== undefined);
  return {
    ...base,
    holds: failing.length === 0 && surplus === undefined,
    ...(failing.length === 0 ? {} : { failing }),
    ...(surplus === undefined ? {} : { surplus: argumentName(surplus) }),
  };
}

function listedIn(set: ValueSet): readonly Scalar[] | undefined {
  const found = scalars(set, mostListed);
  return found === undefined || found.length === 0 ? undefined : found;
}
