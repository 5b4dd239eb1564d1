/** Allow rules of which denials leave nothing. */
import { type Box, type ValueSet, type Verb, and, includes, or } from '../authority/index.js';
import { type ToolFrame, parseArgumentName, possibleValues } from '../connector/index.js';
import type { ToolRule } from './boxes.js';
import type { AgentInput } from './compile-input.js';
import type { ToolRules } from './tool-policy.js';

/** Notes the allow rules that can never match, on any tool, because denials take away all that they allow. */
export function checkDenied(context: AgentInput, rules: Iterable<ToolRules>): void {
  const alive = new Set<string>();
  const dead = new Set<string>();
  for (const { frame, allow, deny } of rules) {
    for (const rule of allow) {
      const left = rule.boxes.some((box) =>
        rule.verbs.some((verb) => !whollyDenied(denialsOf(deny, verb), box, frame)),
      );
      (left ? alive : dead).add(rule.path);
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
  const joined = new Map<string, ValueSet>();
  for (const { fields } of denied) {
    if (fields.every(({ key, set }) => holdsAll(set, valuesIn(allowed, key, frame)))) return true;
    const [only, second] = fields;
    if (only !== undefined && second === undefined) {
      joined.set(only.key, or(joined.get(only.key) ?? only.set, only.set));
    }
  }
  return [...joined].some(([key, set]) => holdsAll(set, valuesIn(allowed, key, frame)));
}

function valuesIn(allowed: Box, key: string, { schema }: ToolFrame): ValueSet | undefined {
  const set = allowed.setOf(key);
  const [name, deeper] = parseArgumentName(key) ?? [];
  if (set === undefined || schema === undefined || name === undefined || deeper !== undefined) return set;
  return and(set, possibleValues(schema, name));
}

function holdsAll(denied: ValueSet, allowed: ValueSet | undefined): boolean {
  return allowed !== undefined && includes(denied, allowed);
}
