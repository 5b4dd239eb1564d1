/** One line for people and models about what keywords of a schema cannot say: globs, hosts, commands and so on. */
import {
  type Authority,
  type FieldSet,
  and,
  includes,
  presentSet,
  scalars,
  typeSet,
  viewAt,
} from '../../authority/index.js';
import { type AccessRow, argumentName } from '../../connector/index.js';
import type { ArgumentPath } from '../../authority/index.js';
import type { ToolPolicy } from '../tool-policy.js';
import { mostListed } from './set-schema.js';

/** How much is told: see `disclose` of the document. */
export type Disclosure = 'names' | 'values' | undefined;

/** A line at an argument. */
export interface Line {
  readonly path: ArgumentPath;
  readonly text: string;
}

/** Longest line, in code points; and the longest list of a policy's values that is told without being asked for. */
const longestLine = 200;
const shortList = 8;

/** The lines for the arguments of one tool. Denials are not told: what they name is nothing to look for. */
export function linesOf(policy: ToolPolicy, disclosure: Disclosure): readonly Line[] {
  const notes = new Map<string, { path: ArgumentPath; parts: Set<string> }>();
  for (const authority of policy.authorities.factors) {
    for (const { path, field, texts } of patternsIn(policy, authority)) {
      const name = argumentName(path);
      const known = notes.get(name) ?? { path, parts: new Set<string>() };
      notes.set(name, known);
      known.parts.add(partOf({ authority, path, field, texts }, disclosure));
    }
  }
  return [...notes.values()].map(({ path, parts }) => ({ path, text: shortened([...parts].join('; ')) }));
}

interface Pattern {
  readonly path: ArgumentPath;
  /** Name of the field, as rules say it. */
  readonly field: string;
  /** What the rules say of it, each once. */
  readonly texts: readonly string[];
}

function partOf(
  { authority, path, field, texts }: Pattern & { readonly authority: Authority },
  disclosure: Disclosure,
): string {
  const isCeiling = authority.layer !== 'policy';
  const of = field === argumentName(path) || field === path.at(-1) ? '' : ` ${field}`;
  const list = texts.join(', ');
  const told =
    disclosure === 'values' ||
    (disclosure === undefined && (isCeiling || list.split(', ').length <= shortList));
  if (!told)
    return `Limited by the ${isCeiling ? authority.layer : 'policy'}${of === '' ? '' : ` (${field})`}`;
  return `${isCeiling ? 'Only within' : 'Allowed'}${of}: ${list}`;
}

function shortened(text: string): string {
  const points = Array.from(text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' '));
  return points.length <= longestLine ? points.join('') : `${points.slice(0, longestLine - 1).join('')}…`;
}

/** What every rule of one authority limits by a pattern. */
function patternsIn({ frame }: ToolPolicy, authority: Authority): readonly Pattern[] {
  const rows: readonly (AccessRow | undefined)[] =
    frame.table.accesses.length === 0 ? [undefined] : frame.table.accesses;
  return rows.flatMap((row) => {
    const allow = authority.bucket(frame.tool, row?.verb ?? frame.table.verb)?.allow ?? [];
    const boxes = allow
      .map(({ box }) => box)
      .filter(({ fields }) => fields.every((field) => stands(row, field)));
    const keys = new Set(boxes.flatMap(({ fields }) => fields.map(({ key }) => key)));
    return [...keys].flatMap((key) => {
      const fields = boxes.map((box) => box.fields.find((field) => field.key === key));
      const told = fields.filter((field) => field !== undefined);
      const [first] = told;
      if (
        first === undefined ||
        told.length < fields.length ||
        !told.some((field) => isPattern(frame, row, field))
      )
        return [];
      const texts = [...new Set(told.map(({ text }) => text))];
      const field = first.path === undefined ? key : argumentName(first.path);
      return pathsOf(row, first).map((path) => ({ path, field, texts }));
    });
  });
}

function stands(row: AccessRow | undefined, { path, key, ifCarried }: FieldSet): boolean {
  return path !== undefined || ifCarried || (row !== undefined && Object.hasOwn(row.fields, key));
}

function pathsOf(row: AccessRow | undefined, { key, path }: FieldSet): readonly ArgumentPath[] {
  if (path !== undefined) return [path];
  return (row?.fields[key] ?? [])
    .filter(({ prefix }) => prefix === undefined)
    .map(({ argument }) => argument);
}

/** Whether keywords leave something of it unsaid. */
function isPattern({ fields }: ToolPolicy['frame'], row: AccessRow | undefined, field: FieldSet): boolean {
  const { key, path, set } = field;
  if (includes(set, presentSet)) return false;
  const view = path === undefined ? viewAt(fields[key]?.kind ?? 'oneOf') : (field.view ?? 'raw');
  if (view !== 'raw') return true;
  if (path === undefined && row?.fields[key]?.some(({ joined }) => joined !== undefined) === true)
    return true;
  const texts = and(set, typeSet('string'));
  return !includes(texts, typeSet('string')) && scalars(texts, mostListed) === undefined;
}
