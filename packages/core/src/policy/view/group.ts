/** Groups of arguments: `tmux:main` in one argument stands for what another one would say. */
import {
  type ArgumentPath,
  type Authority,
  type Box,
  type Scalar,
  type ValueSet,
  and,
  everythingSet,
  fingerprint,
  scalars,
} from '../../authority/index.js';
import { type AccessRow, defaultsOn, propertyAt } from '../../connector/index.js';
import type { JsonObject } from '../../ground/index.js';
import type { ToolPolicy } from '../tool-policy.js';
import { isCertain } from './demand.js';
import type { Change, Condition } from './edit.js';
import { escapedText, mostListed } from './set-schema.js';

/** What groups say of single arguments, and of all together. */
export interface GroupView {
  readonly changes: readonly Change[];
  readonly conditions: readonly Condition[];
}

/** The groups of one tool whose field has listed values, of which every rule says the same. */
export function groupsOf(policy: ToolPolicy): GroupView {
  const rows = policy.frame.table.accesses.filter(isCertain);
  const views = rows.flatMap((row) =>
    Object.keys(row.fields).flatMap((field) => groupView(policy, row, field) ?? []),
  );
  return {
    changes: views.flatMap(({ changes }) => changes),
    conditions: views.flatMap(({ conditions }) => conditions),
  };
}

type Source = AccessRow['fields'][string][number];

function groupView(policy: ToolPolicy, row: AccessRow, field: string): GroupView | undefined {
  const sources = row.fields[field] ?? [];
  const prefixed = sources.filter(({ prefix }) => prefix !== undefined);
  const values = prefixed.length === 0 ? undefined : allowedIn(policy, row, field);
  if (values === undefined || values.length === 0) return undefined;
  const patterns = patternsFor(policy, prefixed, namedIn(policy, { row, field, values }));
  if (patterns === undefined) return undefined;
  const changes = patterns.map(
    ({ path, within }): Change => ({ path, change: { keywords: { pattern: within } } }),
  );
  const [plain, other] = sources.filter(({ prefix }) => prefix === undefined);
  if (plain === undefined || other !== undefined || values.length < 2) return { changes, conditions: [] };
  const wildcard = wildcardOf(policy, field);
  const asks = !isOpen(policy, row, field) && isAsked(policy, row, { field, plain });
  return { changes, conditions: asks ? [conditionFor(plain.argument, patterns, wildcard)] : [] };
}

function wildcardOf({ frame }: ToolPolicy, field: string): Scalar | undefined {
  return frame.fields[field]?.vocabulary?.wildcard;
}

/** What may stand before the prefix. */
function namedIn(
  policy: ToolPolicy,
  {
    row,
    field,
    values,
  }: { readonly row: AccessRow; readonly field: string; readonly values: readonly Scalar[] },
): readonly Scalar[] {
  const wildcard = wildcardOf(policy, field);
  return wildcard !== undefined && isOpen(policy, row, field) ? [...values, wildcard] : values;
}

function patternsFor(
  policy: ToolPolicy,
  prefixed: readonly Source[],
  values: readonly Scalar[],
): readonly Pattern[] | undefined {
  if (!prefixed.every((source) => isText(policy, source))) return undefined;
  const patterns = prefixed.flatMap((source) => patternFor(values, source) ?? []);
  return patterns.length < prefixed.length ? undefined : patterns;
}

function isText({ frame }: ToolPolicy, { argument }: Source): boolean {
  const { types, nullable } = frame.schema === undefined ? {} : propertyAt(frame.schema, argument);
  return argument.length === 1 && nullable === false && types?.length === 1 && types[0] === 'string';
}

/** Whether a call that names nothing for the field is left to filling. */
function isAsked(
  { frame }: ToolPolicy,
  row: AccessRow,
  { field, plain }: { readonly field: string; readonly plain: Source },
): boolean {
  const said = Object.hasOwn(row.omitted, field) ? row.omitted[field] : undefined;
  const { argument } = plain;
  return (
    argument.length === 1 &&
    (said === 'everything' || (said === undefined && defaultsOn(frame, argument).length === 0))
  );
}

/** The values of a field that are allowed; undefined where they are not listed, or depend on other fields. */
function allowedIn(
  { authorities, frame }: ToolPolicy,
  row: AccessRow,
  field: string,
): readonly Scalar[] | undefined {
  const sets = authorities.factors.map((authority) => setIn(boxesOf(authority, { frame, row }), field));
  if (sets.includes(undefined)) return undefined;
  return scalars(sets.filter((set) => set !== undefined).reduce<ValueSet>(and, everythingSet), mostListed);
}

/** Whether whatever the wildcard stands for is allowed. */
function isOpen({ authorities, frame }: ToolPolicy, row: AccessRow, field: string): boolean {
  return authorities.factors.every((authority) =>
    boxesOf(authority, { frame, row }).every((box) => box.takesAll(field)),
  );
}

function boxesOf(
  authority: Authority,
  { frame, row }: Pick<ToolPolicy, 'frame'> & { readonly row: AccessRow },
): readonly Box[] {
  return (authority.bucket(frame.tool, row.verb)?.allow ?? []).map(({ box }) => box);
}

function setIn(boxes: readonly Box[], field: string): ValueSet | undefined {
  const sets = boxes.map((box) => box.setOf(field) ?? everythingSet);
  return new Set(sets.map(fingerprint)).size === 1 ? sets[0] : undefined;
}

interface Pattern {
  readonly path: ArgumentPath;
  /** Of texts that name an allowed value. */
  readonly naming: string;
  /** Of those, and of texts that name none. */
  readonly within: string;
}

function patternFor(
  values: readonly Scalar[],
  { argument, prefix = '' }: Source,
): readonly Pattern[] | undefined {
  const texts = values.filter((value) => typeof value === 'string');
  if (texts.length < values.length || texts.some((text) => `${text}${prefix}`.indexOf(prefix) < text.length))
    return undefined;
  const end = escapedText(prefix);
  const naming = `(?:${texts.map(escapedText).join('|')})${end}`;
  return [{ path: argument, naming: `^${naming}`, within: `^(?:${naming}|(?![\\s\\S]*${end}))` }];
}

/** The plain argument names a value, or one of the others does. */
function conditionFor(
  [plain = '']: ArgumentPath,
  patterns: readonly Pattern[],
  wildcard: Scalar | undefined,
): Condition {
  const naming = patterns.map(
    ({ path: [name = ''], naming: pattern }): JsonObject => ({
      properties: { [name]: { pattern } },
      required: [name],
    }),
  );
  const [only = {}, second] = naming;
  const named = wildcard === undefined ? {} : { properties: { [plain]: { not: { const: wildcard } } } };
  return { if: { ...named, required: [plain] }, else: second === undefined ? only : { anyOf: naming } };
}
