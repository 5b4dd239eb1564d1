/** The model's view: the definition of a tool as far as one executor can use it. */
import { TooManyStates } from '../../authority/index.js';
import type { ToolSchema } from '../../connector/index.js';
import { type JsonObject, isJsonObject, own } from '../../ground/index.js';
import type { ToolPolicy } from '../tool-policy.js';
import { argumentsOf } from './argument.js';
import { changesOf, conditionOf, withConditions } from './change.js';
import { type Demand, demandsOf } from './demand.js';
import { SchemaEditor, closedObject } from './edit.js';
import { groupsOf } from './group.js';
import { looseChanges, uncoveredChanges } from './loose.js';
import { tableOf } from './table.js';
import { type Disclosure, linesOf } from './words.js';

/** What a model is shown of a tool. */
export interface ModelView {
  /** The very same definition where nothing is narrowed. */
  readonly definition: JsonObject;
  /** False: no call of the tool can be admitted. */
  readonly possible: boolean;
  /** False: arguments hang together in more ways than are told, so that the schema takes more than dispatch admits. */
  readonly complete: boolean;
}

const known = new WeakMap<ToolPolicy, Map<Disclosure, ModelView & { readonly source: JsonObject }>>();

/**
 * Narrows the `inputSchema` of a definition to what the policy, met with ceiling and narrowing, admits at any level. Pure; made
 * once for a policy, then remembered; never changes the definition.
 *
 * For calls that the schema of the definition takes: when dispatch admits one, the narrowed schema takes it, but for arguments
 * that are gone because they are always filled in with one value: without these it takes it. When the narrowed schema takes one
 * and dispatch refuses it, then not for a value out of a list or range, or for an argument that has to be there or to stay away,
 * but for what keywords do not say: patterns, denials of patterns, which of the calls in a dispatcher are allowed, and what
 * takes more than the bounds of `table.ts` to see.
 */
export function modelView(policy: ToolPolicy, definition: JsonObject, disclosure: Disclosure): ModelView {
  const made = known.get(policy) ?? new Map<Disclosure, ModelView & { readonly source: JsonObject }>();
  known.set(policy, made);
  const before = made.get(disclosure);
  if (before?.source === definition) return before;
  const view = { ...viewOf(policy, definition, disclosure), source: definition };
  made.set(disclosure, view);
  return view;
}

function viewOf(policy: ToolPolicy, definition: JsonObject, disclosure: Disclosure): ModelView {
  const { schema } = policy.frame;
  const source = own(definition, 'inputSchema');
  if (schema === undefined || !isJsonObject(source))
    return { definition, possible: true, complete: source === undefined };
  try {
    const { inputSchema, ...about } = narrowed(policy, { schema, source }, disclosure);
    return { definition: inputSchema === source ? definition : { ...definition, inputSchema }, ...about };
  } catch (error) {
    if (error instanceof TooManyStates) return { definition, possible: true, complete: false };
    throw error;
  }
}

interface Source {
  readonly schema: ToolSchema;
  readonly source: JsonObject;
}

function narrowed(
  policy: ToolPolicy,
  { schema, source }: Source,
  disclosure: Disclosure,
): Omit<ModelView, 'definition'> & { readonly inputSchema: JsonObject } {
  const found = demandsOf(policy);
  const args = argumentsOf(policy, schema, found);
  const table = tableOf(policy, found, args);
  const demands = [...found.must, ...found.may];
  const closed = found.must.some(isClosed);
  const editor = new SchemaEditor(source);
  const lines = linesOf(policy, disclosure).map(({ path, text }) => ({ path, change: { line: text } }));
  const groups = groupsOf(policy);
  const changes = [
    ...lines,
    ...changesOf(table, demands, { closed, source }),
    ...looseChanges(schema, found.must, args),
    ...uncoveredChanges(schema, found.must),
    ...groups.changes,
  ];
  const edited = changes.reduce((at, { path, change }) => editor.edit(at, path, change), source);
  const whole = closed ? closedObject(edited) : edited;
  const inputSchema = withConditions(whole, [...conditionOf(table, demands), ...groups.conditions]);
  const possible =
    found.must.every(({ allow }) => allow.length > 0) &&
    table.allowed.every(({ choices }) => choices.length > 0);
  return { inputSchema, possible, complete: table.complete };
}

/** Whether every rule of a demand closes the world. */
function isClosed({ allow }: Demand): boolean {
  return allow.length > 0 && allow.every(({ cover }) => cover !== undefined);
}
