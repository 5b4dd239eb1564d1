/** Canonical texts of SQL (`select public.users`) as languages: all of them, and those that a constraint means. */
import {
  type Language,
  type Pattern,
  charset,
  complementChars,
  intersect,
  languageOf,
  pattern,
} from '../automaton/index.js';
import { type Effect, effects, isPlainName, neverInNames } from '../sql/index.js';
import { remembering } from './memo.js';
import { type GlobFault, fault } from './path-tokens.js';

const blank = pattern.literal(' ');
const dot = pattern.literal('.');
const char = pattern.chars(complementChars(charset(neverInNames.map(([low, high]) => [low, high]))));
const inner = pattern.chars(
  complementChars(
    charset([...neverInNames.map(([low, high]): [number, number] => [low, high]), [0x20, 0x20]]),
  ),
);
/** A name neither begins nor ends with a blank. */
const name = pattern.sequence(inner, pattern.optional(pattern.sequence(pattern.star(char), inner)));
const allUnqualified = languageOf(name);
const allQualified = languageOf(pattern.sequence(name, dot, name));

const onTables: readonly Effect[] = effects.filter((effect) => effect !== 'transaction');
/** Statements that need no table. Of those in `harmless` a list of tables says nothing, the others may reach any. */
const bare = ['select', 'transaction', 'ddl', 'admin'];
const harmless = ['select', 'transaction'];

/** Every canonical text; names that are too long are in it, too. */
export const allSql: Language = languageOf(
  pattern.either(
    pattern.words(bare),
    pattern.sequence(
      pattern.words(onTables),
      blank,
      pattern.either(pattern.within(allQualified), pattern.within(allUnqualified)),
    ),
  ),
);

/** What a pattern of tables may be, in words. */
export const tablesWanted =
  'SCHEMA.TABLE, in both * is any run of characters and ? any one; TABLE alone where `schema` says which is meant';

/** What a constraint says. */
export interface SqlTerms {
  /** At least one. */
  readonly statements?: readonly Effect[];
  /** At least one. */
  readonly tables?: readonly string[];
  readonly schema?: string;
}

/** What is wrong with a pattern of tables; undefined: nothing. */
export function tableFault(text: string, schema: string | undefined): GlobFault | undefined {
  const parts = text.split('.');
  if (parts.length > 2) return fault('more than one dot', tablesWanted);
  if (!parts.every((part) => isPlainName(part.replaceAll(/[*?]/gu, 'x')))) {
    return fault('a name that no table has', `${tablesWanted}; no quotes, brackets, or blanks at an end`);
  }
  if (parts.length === 1 && schema === undefined) return fault('no schema', tablesWanted);
  return undefined;
}

const known = remembering<Language>(8192);

/**
 * The canonical texts that are meant. Admitting, a text without schema is meant only where `schema` says which it has;
 * refusing, also where it might have one that is meant. Statements without a table, DDL and admin ones, are meant only by
 * terms without `tables`, refusing by all.
 */
export function sqlLanguage(terms: SqlTerms, refusing: boolean): Language {
  return known(JSON.stringify([terms, refusing]), () => build(terms, refusing));
}

function build(terms: SqlTerms, refusing: boolean): Language {
  const said = terms.statements ?? effects;
  const alone = bare.filter((word) => said.some((effect) => effect === word));
  const free = alone.filter((word) => {
    if (terms.tables === undefined) return true;
    return harmless.includes(word) ? !refusing : refusing;
  });
  const table = pattern.sequence(
    pattern.words(said.filter((effect) => onTables.includes(effect))),
    blank,
    pattern.either(...tablePatterns(terms, refusing)),
  );
  return languageOf(pattern.either(pattern.words(free), table));
}

function tablePatterns({ tables, schema }: SqlTerms, refusing: boolean): readonly Pattern[] {
  return (tables ?? ['*.*']).flatMap((text) => {
    const [first = '', second] = text.split('.');
    const [space, table] = second === undefined ? [schema ?? '*', first] : [first, second];
    const spaces = languageOf(globPattern(space), { fold: refusing });
    const tables = languageOf(globPattern(table), { fold: refusing });
    const qualified = pattern.sequence(pattern.within(spaces), dot, pattern.within(tables));
    const found = [pattern.within(intersect(languageOf(qualified), allQualified))];
    const unqualified = schema === undefined ? refusing : spaces.test(schema);
    if (unqualified) found.push(pattern.within(intersect(tables, allUnqualified)));
    return found;
  });
}

function globPattern(glob: string): Pattern {
  const parts = Array.from(glob, (each) => {
    if (each === '*') return pattern.star(char);
    return each === '?' ? char : pattern.literal(each);
  });
  return pattern.sequence(...parts);
}
