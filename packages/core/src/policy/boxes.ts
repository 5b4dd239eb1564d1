/** One rule of the document, for one tool: boxes, and the verbs they stand for. */
import {
  type ArgumentPath,
  type Constraint,
  type FieldSet,
  type Level,
  type Verb,
  Box,
  Cover,
  compileConstraint,
  escapeGlob,
  isEmpty,
  splitByName,
} from '../authority/index.js';
import {
  type Field,
  type FieldContext,
  type FieldMeaning,
  type PlannedKey,
  type Standing,
  type ToolFrame,
  argumentName,
  classedPaths,
  fieldConstraint,
  fieldMeaning,
  fieldSets,
  fieldsOf,
  plannedKeys,
  standing,
  verbsOf,
  wordField,
} from '../connector/index.js';
import type { RuleSource } from './document.js';

/** Which list a rule stands in; `grant` is that of a skill, whose rules mean what those of `allow` do. */
export type ListName = 'allow' | 'ask' | 'deny' | 'limit' | 'grant';

/** A rule as it applies to one tool. */
export interface ToolRule {
  /** Path in the document. */
  readonly path: string;
  readonly level: Level;
  readonly boxes: readonly Box[];
  readonly verbs: readonly Verb[];
  readonly keys: readonly PlannedKey[];
  /** Of an allow rule with a budget. */
  readonly uses?: number;
}

/** Why a rule does not apply to a tool. */
export type NotApplying = { readonly missing: Field } | { readonly noVerb: true } | { readonly broken: true };

/** Applies a rule to a tool. `broken`: problems were noted. */
export function ruleForTool(
  given: FieldContext,
  list: ListName,
  source: RuleSource,
  frame: ToolFrame,
): ToolRule | NotApplying {
  const fields = source.where?.fields ?? [];
  const context = { ...given, pathNamed: fields.some(({ name }) => name === wordField) };
  const stands = fields.map((field) => ({ field, at: standing(frame, field) }));
  const lacking = stands.find(({ at }) => at.kind === 'no');
  if (lacking !== undefined) return { missing: lacking.field };
  const carried = stands.flatMap(({ at }) => (at.kind === 'connector' ? [at.key] : []));
  const judgesCommand = stands.some(({ at }) => standsForCommand(frame, at));
  const commanding = list === 'allow' && judgesCommand && carried.includes(wordField);
  const carrying = commanding ? carried.filter((key) => key !== wordField) : carried;
  const verbs = verbsOf(frame.table, carrying).filter(
    (verb) => source.verbs?.some((one) => one.verb === verb) ?? true,
  );
  if (verbs.length === 0) return { noVerb: true };
  const meanings = fields.flatMap((field) => meaningsOf(context, list, frame, field) ?? []);
  if (new Set(meanings.map((each) => each.field)).size < fields.length) return { broken: true };
  const cover = list === 'allow' ? coverOf(source, frame, stands) : undefined;
  const boxes = boxesOf(source, meanings, { cover, commanding });
  const budget = source.uses === undefined ? {} : { uses: source.uses };
  const keys = meanings.flatMap(plannedKeys);
  return { path: source.path, level: source.level, boxes, verbs, keys, ...budget };
}

/** Whether a field of a rule judges command lines. */
function standsForCommand(frame: ToolFrame, at: Standing): boolean {
  if (at.kind === 'connector') return frame.fields[at.key]?.kind === 'command';
  if (at.kind === 'no') return false;
  const name = argumentName(at.path);
  return frame.table.commands?.some((path) => argumentName(path) === name) ?? false;
}

/** In refusing lists, patterns that follow the name at any depth are kept apart from those that name a place. */
function meaningsOf(
  context: FieldContext,
  list: ListName,
  frame: ToolFrame,
  field: Field,
): readonly FieldMeaning[] | undefined {
  const constraint = fieldConstraint(context, frame, field);
  if (constraint === undefined) return undefined;
  const parts = list === 'allow' ? [constraint] : partsByName(constraint);
  const meanings = parts.map((part) => fieldMeaning(context, frame, field, part));
  return meanings.every((each) => each !== undefined) ? meanings : undefined;
}

function partsByName(constraint: Constraint): readonly Constraint[] {
  if (constraint.kind === 'either') return constraint.of.flatMap(partsByName);
  if (constraint.kind !== 'path') return [constraint];
  const { named, below } = splitByName(constraint);
  return [named, below].filter((part) => part !== undefined);
}

function followsName(constraint: Constraint): boolean {
  if (constraint.kind === 'path') return splitByName(constraint).below === undefined;
  if (constraint.kind === 'except') return constraint.in !== undefined && followsName(constraint.in);
  if (constraint.kind === 'either') return constraint.of.every(followsName);
  return constraint.kind === 'all' && constraint.of.some(followsName);
}

/**
 * The closed world: a rule that names an argument covers what it names and what feeds a field that it names; one that names
 * fields only covers what its connector classes. Undefined: everything is free.
 */
function coverOf(
  source: RuleSource,
  frame: ToolFrame,
  stands: readonly { readonly field: Field; readonly at: Standing }[],
): Cover | undefined {
  if (source.where === undefined || source.where.rest) return undefined;
  const named = stands.flatMap(({ at }) => (at.kind === 'argument' ? [at.path] : []));
  if (named.length === 0) return new Cover(classedPaths(frame.table));
  const fed = stands.flatMap(({ at }) => (at.kind === 'connector' ? sourcesOf(frame, at.key) : []));
  return new Cover([...named, ...fed]);
}

function sourcesOf(frame: ToolFrame, field: string): readonly ArgumentPath[] {
  const rows = frame.table.accesses;
  const ofWords = field === wordField ? rows.filter((row) => row.commands === true) : [];
  const sources = [
    ...rows.flatMap((row) => row.fields[field] ?? []),
    ...ofWords.flatMap((row) => Object.values(row.fields).flat()),
  ];
  return sources.flatMap(({ argument, base }) => (base === undefined ? [argument] : [argument, base]));
}

function boxesOf(
  source: RuleSource,
  meanings: readonly FieldMeaning[],
  {
    cover,
    commanding,
  }: {
    readonly cover: Cover | undefined;
    /** An allow rule that names a command and its paths: it holds for the command itself, which carries no path. */
    readonly commanding: boolean;
  },
): readonly Box[] {
  let products: { fields: FieldSet[]; follows: boolean }[] = [{ fields: [], follows: false }];
  for (const field of source.where?.fields ?? []) {
    const ifCarried = commanding && field.name === wordField;
    const choices = meanings
      .filter((each) => each.field === field)
      .flatMap((meaning) => choicesOf(meaning, ifCarried));
    products = products.flatMap((product) =>
      choices.map((choice) => ({
        fields: [...product.fields, ...choice.fields],
        follows: product.follows || choice.follows,
      })),
    );
  }
  const possible = products.filter(({ fields }) => fields.every((field) => !isEmpty(field.set)));
  const reachNamed = source.reach === 'named';
  return possible.map(
    ({ fields, follows }) =>
      new Box({ fields, reachNamed, followsName: follows, ...(cover === undefined ? {} : { cover }) }),
  );
}

function choicesOf(
  meaning: FieldMeaning,
  ifCarried: boolean,
): readonly { readonly fields: readonly FieldSet[]; readonly follows: boolean }[] {
  const follows = followsName(meaning.constraint);
  return meaning.alternatives.map((keys) => ({
    follows,
    fields: fieldSets(meaning, keys, meaning.name, ifCarried),
  }));
}

/**
 * The implicit denial of protected regions in every field of kind path, and in every argument that one of these keys judges as
 * a path: no document can lift it.
 */
export function protectedRules(
  paths: readonly string[],
  frame: ToolFrame,
  judged: readonly PlannedKey[],
): readonly ToolRule[] {
  if (paths.length === 0) return [];
  const globs = paths.map((path) => `${path === '/' ? '' : escapeGlob(path)}/**`);
  const fields = fieldsOf(frame.table).filter((field) => frame.fields[field]?.kind === 'path');
  const keys = fields.map((key): PlannedKey => ({ key, path: undefined, view: 'path', constrained: true }));
  const raw = judged.filter(({ path, view }) => path !== undefined && view === 'path');
  const all = new Map([...keys, ...raw].map((each) => [each.key, each]));
  return [...all.values()].map((each) => protectedRule(globs, frame, each));
}

function protectedRule(globs: readonly string[], frame: ToolFrame, planned: PlannedKey): ToolRule {
  const { key, path } = planned;
  const constraint: Constraint = { kind: 'path', globs };
  const alternatives = compileConstraint(constraint, {
    place: path === undefined ? 'path' : 'raw',
    polarity: 'refuse',
    path: frame.paths,
  });
  const name = path === undefined ? key : argumentName(path);
  const about = { key, path, view: 'path', name, text: 'protected by Pawl', ifCarried: false } as const;
  return {
    path: 'protected',
    level: 'once',
    boxes: alternatives.map(
      (views) => new Box({ fields: [...views.values()].map((set) => ({ ...about, set })) }),
    ),
    verbs: verbsOf(frame.table, path === undefined ? [key] : []),
    keys: [planned],
  };
}
