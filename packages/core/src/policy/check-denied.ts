/** Allow rules of which denials leave nothing. */
import {
  type Box,
  type FieldSet,
  type ValueSet,
  type Verb,
  and,
  everythingSet,
  includes,
  or,
  typeSet,
} from '../authority/index.js';
import { type ToolFrame, possibleValues } from '../connector/index.js';
import type { ToolRule } from './boxes.js';
import type { AgentInput } from './compile-input.js';
import type { ToolRules } from './tool-policy.js';
import type { Work } from './work.js';

/** Notes the allow rules that can never match, on any tool, because denials take away all that they allow. */
export function* checkDenied(context: AgentInput, rules: Iterable<ToolRules>): Work<void> {
  const alive = new Set<string>();
  const dead = new Set<string>();
  for (const { frame, allow, deny } of rules) {
    for (const rule of allow) {
      const left = rule.boxes.some((box) =>
        rule.verbs.some((verb) => !whollyDenied(denialsOf(deny, verb), box, frame)),
      );
      (left ? alive : dead).add(rule.path);
      yield;
    }
  }
  for (const { path, at } of context.agent.allow) {
    if (!dead.has(path) || alive.has(path)) continue;
    const found = 'a rule that can never match: denials take away all of it';
    context.expect.problem(at, path, found, 'a rule of which something is left');
  }
}

function denialsOf(deny: readonly ToolRule[], verb: Verb): readonly Box[] {
  return deny.filter((rule) => rule.verbs.includes(verb)).flatMap((rule) => rule.boxes);
}

/** Whether the denials, one by one or joined in one field, take away every value that calls of the tool can have in the box. */
function whollyDenied(denied: readonly Box[], allowed: Box, frame: ToolFrame): boolean {
  const joined = new Map<string, FieldSet>();
  for (const { fields } of denied) {
    if (fields.every((field) => holdsAll(field, allowed, frame))) return true;
    const [only, second] = fields;
    if (only === undefined || second !== undefined) continue;
    const before = joined.get(only.key)?.set ?? only.set;
    joined.set(only.key, { ...only, set: or(before, only.set) });
  }
  return [...joined.values()].some((field) => holdsAll(field, allowed, frame));
}

function holdsAll(denied: FieldSet, allowed: Box, frame: ToolFrame): boolean {
  const set = allowed.setOf(denied.key);
  return set !== undefined && includes(denied.set, and(set, possibleAt(denied, frame)));
}

/** A set that holds all that can stand there: scalars of a vocabulary, else texts; of an argument what the schema says. */
function possibleAt({ key, path }: FieldSet, { schema, fields }: ToolFrame): ValueSet {
  if (path === undefined) return fields[key]?.kind === 'oneOf' ? everythingSet : typeSet('string');
  const [name, deeper] = path;
  const known = schema !== undefined && name !== undefined && deeper === undefined;
  return known ? possibleValues(schema, name) : everythingSet;
}
