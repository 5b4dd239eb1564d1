/** One effect of a statement on one table, and its canonical text. */
import { reserved } from './words.js';

/** What a statement does, in one line each for the reference; in the order in which documents list them. */
export const effectHelp = {
  select: { help: 'Reads rows.' },
  insert: { help: 'Adds rows.' },
  update: { help: 'Changes rows, or locks them.' },
  delete: { help: 'Removes rows.' },
  ddl: { help: 'Makes, changes or drops what holds rows.' },
  admin: { help: 'Privileges, maintenance, locks.' },
  transaction: { help: 'Begins or ends a transaction.' },
} as const;

/** What a statement does to a table. */
export type Effect = keyof typeof effectHelp;

/** Every effect. */
export const effects: readonly Effect[] = Object.freeze(
  (Object.keys(effectHelp) as readonly string[]).filter(isEffect),
);

/** Whether the word names an effect. */
export function isEffect(word: string): word is Effect {
  return Object.hasOwn(effectHelp, word);
}

/** A table as a text names it. */
export interface TableName {
  /** Undefined: the text leaves it to the database. */
  readonly schema: string | undefined;
  readonly name: string;
}

/** Most bytes of a name: beyond them databases cut it, so that it means another one. */
const mostBytes = 63;

/** Characters that no name of a table may have, each as an interval of code points; blanks other than U+0020 are among them. */
export const neverInNames: readonly (readonly [number, number])[] = [
  [0, 0x1f],
  [0x22, 0x22],
  [0x2e, 0x2e],
  [0x5b, 0x5d],
  [0x60, 0x60],
  [0x7f, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200f],
  [0x2028, 0x202f],
  [0x205f, 0x206f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];

/** Whether a name of a table, or of a schema, can be told from others: no quote, dot, backslash, bracket or invisible character, no blank at an end. */
export function isPlainName(name: string): boolean {
  const points = Array.from(name, (char) => char.codePointAt(0) ?? 0);
  const bytes = points.reduce((sum, point) => sum + bytesOf(point), 0);
  if (name === '' || name.startsWith(' ') || name.endsWith(' ') || bytes > mostBytes) return false;
  return points.every((point) => neverInNames.every(([low, high]) => point < low || point > high));
}

/** Bytes of a code point in UTF-8. */
function bytesOf(point: number): number {
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}

/** `select public.users`, `select users` where the text gives no schema, `select` where the statement has no table. */
export function accessText(effect: Effect, table?: TableName): string {
  if (table === undefined) return effect;
  return table.schema === undefined ? `${effect} ${table.name}` : `${effect} ${table.schema}.${table.name}`;
}

/** A statement that has exactly the access of a canonical text, and no other. */
export function statementOf(text: string): string {
  const cut = text.indexOf(' ');
  const effect = cut < 0 ? text : text.slice(0, cut);
  if (!isEffect(effect)) return text;
  return cut < 0
    ? bare[effect]
    : onTable[effect](
        text
          .slice(cut + 1)
          .split('.')
          .map(spelled)
          .join('.'),
      );
}

const bare: Readonly<Record<Effect, string>> = {
  select: 'SELECT 1',
  insert: '',
  update: '',
  delete: '',
  ddl: 'CREATE SCHEMA s',
  admin: 'VACUUM',
  transaction: 'COMMIT',
};

const onTable: Readonly<Record<Effect, (table: string) => string>> = {
  select: (table) => `SELECT 1 FROM ${table}`,
  insert: (table) => `INSERT INTO ${table} DEFAULT VALUES`,
  update: (table) => `UPDATE ${table} SET c = 1`,
  delete: (table) => `DELETE FROM ${table}`,
  ddl: (table) => `ALTER TABLE ${table} ADD c int`,
  admin: (table) => `VACUUM ${table}`,
  transaction: () => 'COMMIT',
};

function spelled(name: string): string {
  return /^[a-z_][a-z0-9_]*$/u.test(name) && !reserved.has(name) ? name : `"${name}"`;
}
