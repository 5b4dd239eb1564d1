/** Sanitising a declaration: what nothing knows is dropped and told, and what is left is what is stored. */
import { type Field, type FieldContext, type FieldFrame, readFields } from '../connector/index.js';
import {
  type DocList,
  type DocMap,
  type DocNode,
  type JsonObject,
  type LoadProblem,
  type Member,
  Expect,
  plainOf,
} from '../ground/index.js';
import { checkLimit, isWhole } from './narrow.js';
import type { LimitTarget, LimitTargets } from './target.js';

/** What is left of a declaration. */
export interface Sanitised {
  /** Connector or server, to field, to constraint; a name of which nothing is left is not there. */
  readonly kept: Readonly<Record<string, JsonObject>>;
  /** What was left out, and what is allowed there. */
  readonly dropped: readonly LoadProblem[];
  /** Fields that list all that they can hold, as `terminal.backends`: kept, and no ceiling. */
  readonly whole: readonly string[];
}

/** How constraints are read: as a context is, but for what takes the problems. */
export type Reading = Omit<FieldContext, 'expect'>;

/**
 * Drops names, fields and values that no table knows, and constraints that do not read. Of a list the values that read are kept,
 * for they only narrow; a constraint of any other form is kept whole or not at all. Never throws.
 */
export function sanitise(declaration: DocNode, targets: LimitTargets, reading: Reading): Sanitised {
  const expect = new Expect();
  const kept: [string, JsonObject][] = [];
  const whole: string[] = [];
  for (const member of expect.members({ node: declaration, path: '' })) {
    const target = targets.at(member.key);
    if (target === undefined) {
      expect.problem(
        member.keyAt,
        member.spot.path,
        `${member.key}, which is no connector and no server`,
        targets.names,
      );
      continue;
    }
    const fields = keptFields(expect, member, target, reading);
    if (fields.length === 0) continue;
    kept.push([member.key, Object.fromEntries(fields.map(({ name, node }) => [name, plainOf(node)]))]);
    whole.push(
      ...fields
        .filter((field) => takesAll(field, target, reading))
        .map(({ name }) => `${member.key}.${name}`),
    );
  }
  return { kept: Object.fromEntries(kept), dropped: expect.problems, whole };
}

function keptFields(expect: Expect, member: Member, target: LimitTarget, reading: Reading): readonly Field[] {
  const members = expect.members(member.spot);
  if (members.length === 0 && member.value.kind === 'map')
    expect.problem(member.value.at, member.spot.path, 'an empty mapping', 'at least one field');
  return readFields(expect, members).flatMap((field) => keptField(expect, field, target, reading) ?? []);
}

function keptField(expect: Expect, field: Field, target: LimitTarget, reading: Reading): Field | undefined {
  if (!target.has(field)) return expect.problem(field.at, field.path, `field ${field.name}`, target.fields);
  const problems = (node: DocNode): readonly LoadProblem[] => problemsOf({ ...field, node }, target, reading);
  const wrong = problems(field.node);
  if (wrong.length === 0) return field;
  const { node, dropped } = withoutWrong(field, problems);
  expect.problems.push(...(dropped.length === 0 ? wrong : dropped));
  return node && { ...field, node };
}

/** What is wrong with a field for anything that it is declared for. */
function problemsOf(field: Field, { grounds }: LimitTarget, reading: Reading): readonly LoadProblem[] {
  const found = new Map<string, LoadProblem>();
  for (const { frame } of grounds)
    for (const problem of problemsFor(field, frame, reading)) found.set(problem.message, problem);
  return [...found.values()];
}

function problemsFor(field: Field, frame: FieldFrame, reading: Reading): readonly LoadProblem[] {
  const expect = new Expect();
  checkLimit({ ...reading, expect }, frame, field);
  return expect.problems;
}

/** Keys whose list is a choice, so that what is left out of it only narrows. */
const choices: ReadonlySet<string> = new Set(['oneOf', 'path', 'host', 'url', 'email', 'either']);

/** The constraint with only those items of its list that read, if any do, and what is wrong with the others. */
function withoutWrong(
  { node, path }: Field,
  problems: (node: DocNode) => readonly LoadProblem[],
): { readonly node?: DocNode; readonly dropped: readonly LoadProblem[] } {
  const found = listIn(node);
  const judged = (found?.list.items ?? []).map((item) => ({
    item,
    wrong: problems(found?.with([item]) ?? item),
  }));
  const items = judged.filter(({ wrong }) => wrong.length === 0).map(({ item }) => item);
  const dropped = judged.flatMap(({ item, wrong }, index) =>
    wrong.map((problem) => ({ ...problem, at: item.at, path: `${path}${found?.step ?? ''}[${index}]` })),
  );
  if (found === undefined || items.length === 0) return { dropped };
  const rest = found.with(items);
  const still = problems(rest);
  return still.length === 0 ? { node: rest, dropped } : { dropped: still };
}

/** A list of choices, where it stands in its constraint, and the constraint with another list there. */
interface Choice {
  readonly list: DocList;
  readonly step: string;
  readonly with: (items: readonly DocNode[]) => DocNode;
}

function listIn(node: DocNode): Choice | undefined {
  if (node.kind === 'list') return { list: node, step: '', with: (items) => ({ ...node, items }) };
  if (node.kind !== 'map') return undefined;
  const [entry, more] = node.entries;
  if (entry === undefined || more !== undefined || entry.value.kind !== 'list' || !choices.has(entry.key))
    return undefined;
  const { value: list } = entry;
  return {
    list,
    step: `.${entry.key}`,
    with: (items): DocMap => ({ ...node, entries: [{ ...entry, value: { ...list, items } }] }),
  };
}

function takesAll(field: Field, { grounds }: LimitTarget, reading: Reading): boolean {
  return grounds.every(({ frame }) => isWhole({ ...reading, expect: new Expect() }, frame, field) === true);
}
