/** Constraints on the fields of connectors that hold the values seen. */
import { type Json, readJson } from '@pawl/core';
import { type PathValue, pathGlobs } from './path-values.js';

/** A value of a field in one access, as records tell it. */
export type FieldValue = PathValue;

/** A constraint for the values seen; undefined where none can be made from what records tell. At most `most` are listed where something shorter holds them. */
export function fieldConstraintOf(
  kind: string,
  values: readonly FieldValue[],
  most: number,
): Json | undefined {
  const texts = [...new Set(values.map(({ path }) => path))].sort();
  switch (kind) {
    case 'path':
      return [...pathGlobs(values, most)];
    case 'url':
      return urlPatterns(texts, most);
    case 'host':
      return texts;
    case 'email':
      return texts.length <= most
        ? texts
        : [...new Set(texts.map((text) => `*@${text.slice(text.lastIndexOf('@') + 1)}`))].sort();
    case 'oneOf':
      return texts.flatMap(scalarsOf);
    case 'sql':
      return statements(texts);
    case 'command':
      return commands(texts, most);
    default:
      return undefined;
  }
}

/** Records tell scalars that are no texts as JSON, and texts as they are: `7` may have been either. */
function scalarsOf(text: string): readonly Json[] {
  const value = readJson(text);
  const plain = typeof value === 'number' || typeof value === 'boolean' || value === null;
  return plain ? [text, value] : [text];
}

function urlPatterns(texts: readonly string[], most: number): Json {
  const urls = texts.map((text) => ({ text, url: URL.canParse(text) ? new URL(text) : undefined }));
  const exact = [
    ...new Set(urls.map(({ text, url }) => (url === undefined || url.host === '' ? text : patternOf(url)))),
  ];
  if (exact.length <= most) return exact;
  const origins = urls.map(({ text, url }) =>
    url === undefined || url.host === '' ? text : `${url.protocol}//${url.host}`,
  );
  return [...new Set(origins)];
}

/** Query and fragment are free anyway. */
function patternOf({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname.replaceAll(/[*?{}[\]\\]/gu, String.raw`\$&`)}`;
}

/** `select public.users` in records is the statement and the table. */
function statements(texts: readonly string[]): Json | undefined {
  const tables = new Map<string, string[]>();
  for (const text of texts) {
    const [statement = '', ...rest] = text.split(' ');
    const list = tables.get(statement) ?? [];
    tables.set(statement, list);
    if (rest.length > 0) list.push(rest.join(' '));
  }
  return [...tables].map(([statement, names]) => ({
    statements: [statement],
    ...(names.length === 0 ? {} : { tables: names }),
    ...(names.some((name) => !name.includes('.')) ? { schema: 'public' } : {}),
  }));
}

/** Words that stand for themselves, in commands without quotes and redirections. */
const plainCommand = /^[\w./:=@%+,-]+(?: [\w./:=@%+,-]+)*$/u;

function commands(texts: readonly string[], most: number): Json | undefined {
  if (!texts.every((text) => plainCommand.test(text))) return undefined;
  const lists = texts.map((text) => text.split(' '));
  const programs = [...new Set(lists.map(([program = '']) => program))];
  if (lists.length > most || lists.some((words) => words.length < 2)) return { program: programs };
  return lists.map(([program = '', ...args]): Json => ({ program: [program], args }));
}
