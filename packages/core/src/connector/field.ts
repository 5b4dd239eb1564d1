/** One field of a `where`, a ceiling or a narrowing, for one tool: which key it is, and which sets it means. */
import {
  type Alternative,
  type ArgumentPath,
  type Constraint,
  type FieldSet,
  type Polarity,
  type ReadContext,
  type Scalar,
  type ValueSet,
  type ViewName,
  TooManyStates,
  and,
  compileConstraint,
  constraintToDocument,
  everythingSet,
  readConstraint,
} from '../authority/index.js';
import type { DocNode, Expect, Json, Member, Position } from '../ground/index.js';
import { argumentName, parseArgumentName } from './argument.js';
import type { ToolFrame } from './frame.js';
import { propertyAt } from './schema.js';
import { fieldsOf } from './table.js';

/** One field of a `where`, a ceiling or a narrowing, as written. */
export interface Field {
  /** `path`, `args.x`. */
  readonly name: string;
  readonly at: Position;
  readonly node: DocNode;
  /** Path in the document. */
  readonly path: string;
}

/** Reads the keys of fields. What cannot be read, or names again what another one names, is a problem. */
export function readFields(expect: Expect, members: readonly Member[]): readonly Field[] {
  const named = new Set<string>();
  const fields: Field[] = [];
  for (const member of members) {
    const field = readField(expect, member);
    if (field === undefined) continue;
    const plain = plainName(field.name);
    if (named.has(plain)) expect.problem(field.at, field.path, `${plain} again`, 'each field once');
    else fields.push(field);
    named.add(plain);
  }
  return fields;
}

function plainName(name: string): string {
  const path = parseArgumentName(name);
  return path === undefined ? name : argumentName(path);
}

function readField(expect: Expect, { key, keyAt, spot }: Member): Field | undefined {
  const broken = key.startsWith('args.') && parseArgumentName(key) === undefined;
  if (key === 'args' || key === 'any' || broken) {
    const allowed = 'a field of the connector, args.NAME (args."a.b" for a dotted name), or rest';
    return expect.problem(keyAt, spot.path, `key ${JSON.stringify(key)}`, allowed);
  }
  return { name: key, at: keyAt, node: spot.node, path: spot.path };
}

/** What constraints may refer to. */
export interface References {
  readonly sets: ReadonlyMap<string, readonly Scalar[]>;
  readonly facts: ReadonlyMap<string, Json>;
}

/** Where a field stands in a tool. `no`: the tool does not have it. */
export type Standing =
  | { readonly kind: 'connector'; readonly key: string }
  | { readonly kind: 'argument'; readonly path: ArgumentPath; readonly known: 'yes' | 'open' }
  | { readonly kind: 'no' };

/** Finds a field in a tool. Without a schema every argument may be there. */
export function standing(frame: ToolFrame, field: Field): Standing {
  const path = parseArgumentName(field.name);
  if (path === undefined) {
    return fieldsOf(frame.table).includes(field.name)
      ? { kind: 'connector', key: field.name }
      : { kind: 'no' };
  }
  const known = frame.schema === undefined ? 'open' : propertyAt(frame.schema, path).known;
  return known === 'no' ? { kind: 'no' } : { kind: 'argument', path, known };
}

/** A key of the accesses with the set that it has to be in. */
export interface KeySet {
  readonly key: string;
  readonly view: ViewName;
  readonly path: ArgumentPath | undefined;
  readonly set: ValueSet;
}

/** What one field means for one tool: a disjunction of conjunctions over keys. */
export interface FieldMeaning {
  readonly field: Field;
  /** `path`, or `args.x` with names quoted where needed. */
  readonly name: string;
  readonly constraint: Constraint;
  readonly text: string;
  readonly alternatives: readonly (readonly KeySet[])[];
}

/** What reading a field needs to know beside the field. */
export interface FieldContext {
  readonly expect: Expect;
  readonly references: References;
  readonly polarity: Polarity;
  /** Whether `single` alone may stand here: in a ceiling. */
  readonly mayBeUnbound?: boolean;
  /** Whether the field `path` is constrained beside: then redirections of commands are judged by it. */
  readonly pathNamed?: boolean;
}

/** What a constraint needs to know of the tool, or of a server where there is none. */
export type FieldFrame = Pick<ToolFrame, 'fields' | 'paths'>;

/** Reads a field's constraint. Undefined after problems were noted. */
export function fieldConstraint(
  context: FieldContext,
  frame: FieldFrame,
  field: Field,
): Constraint | undefined {
  const read = readContext(context, frame, field);
  const constraint = readConstraint(field.node, read);
  for (const { at, path, message } of read.findings) context.expect.finding(at, path, message);
  return constraint;
}

/** Compiles a constraint for a tool. Undefined after a problem was noted. */
export function fieldMeaning(
  context: FieldContext,
  frame: FieldFrame,
  field: Field,
  constraint: Constraint,
): FieldMeaning | undefined {
  const path = parseArgumentName(field.name);
  const name = plainName(field.name);
  const read = readContext(context, frame, field);
  const alternatives = compileWithin(context.expect, field, () =>
    compileConstraint(constraint, read).map((each) => withinVocabulary(each, constraint, read)),
  );
  return (
    alternatives && {
      field,
      name,
      constraint,
      text: wordsOf(constraintToDocument(constraint, read.place)),
      alternatives: alternatives.map((alternative) => keysOf(field.name, path, alternative)),
    }
  );
}

/** What a field of values can hold bounds what its exceptions admit: no twin of the wildcard, and nothing that it cannot hold. */
function withinVocabulary(alternative: Alternative, constraint: Constraint, read: ReadContext): Alternative {
  if (read.vocabulary === undefined || read.polarity === 'refuse' || constraint.kind === 'presence')
    return alternative;
  const [whole] = compileConstraint({ kind: 'oneOf', values: read.vocabulary.values }, read);
  return new Map([...alternative].map(([view, set]) => [view, and(set, whole?.get(view) ?? everythingSet)]));
}

function readContext(context: FieldContext, frame: FieldFrame, field: Field): ReadContext {
  const spec = parseArgumentName(field.name) === undefined ? frame.fields[field.name] : undefined;
  return {
    place: spec?.kind ?? 'raw',
    ...(spec?.vocabulary === undefined ? {} : { vocabulary: spec.vocabulary }),
    polarity: context.polarity,
    mayBeUnbound: context.mayBeUnbound ?? false,
    pathNamed: context.pathNamed ?? false,
    path: frame.paths,
    sets: context.references.sets,
    facts: context.references.facts,
    problems: context.expect.problems,
    findings: [],
    docPath: field.path,
  };
}

function compileWithin<T>(expect: Expect, field: Field, compile: () => T): T | undefined {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof TooManyStates)) throw error;
    return expect.problem(field.node.at, field.path, 'a pattern that is too large', 'a simpler pattern');
  }
}

function keysOf(name: string, path: ArgumentPath | undefined, alternative: Alternative): readonly KeySet[] {
  return [...alternative].map(([view, set]) => {
    const key =
      path === undefined ? name : view === 'raw' ? argumentName(path) : `${argumentName(path)}|${view}`;
    return { key, view, path, set };
  });
}

/** A constraint in one line: `/data/**, /tmp/*` for a list of scalars, otherwise its JSON. */
function wordsOf(value: Json): string {
  const items = Array.isArray(value) ? value : [value];
  const scalar = items.every((item) => typeof item !== 'object' || item === null);
  return scalar
    ? items.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))).join(', ')
    : JSON.stringify(value);
}

/** A key that some list looks at. */
export interface PlannedKey {
  readonly key: string;
  /** Undefined for a field of the connector. */
  readonly path: ArgumentPath | undefined;
  readonly view: ViewName;
  readonly constrained: boolean;
}

/** The keys that have to be read so that a field can be judged. */
export function plannedKeys(meaning: FieldMeaning): readonly PlannedKey[] {
  const constrained = !isFree(meaning.constraint);
  return meaning.alternatives.flat().map(({ key, path, view }) => ({ key, path, view, constrained }));
}

/** `any` and `present` free the whole value. */
function isFree(constraint: Constraint): boolean {
  return constraint.kind === 'presence' && constraint.word !== 'absent';
}

/** The sets of one alternative as fields of a box. */
export function fieldSets(
  meaning: FieldMeaning,
  keys: readonly KeySet[],
  name: string,
  ifCarried = false,
): readonly FieldSet[] {
  return keys
    .filter(({ set }) => set !== everythingSet)
    .map(({ key, path, view, set }) => ({
      key,
      path,
      view,
      name,
      set,
      text: meaning.text,
      ifCarried,
      whole: isFree(meaning.constraint),
    }));
}
