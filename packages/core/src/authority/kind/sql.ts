/** sql: statements of some sorts on some tables. */
import { type DocMap, type DocNode, type Json, entryOf } from '../../ground/index.js';
import { type Effect, effectHelp, effects, isEffect, isPlainName } from '../sql/index.js';
import type { SqlConstraint } from './constraint.js';
import type { CompileContext, ReadContext } from './context.js';
import type { Kind } from './kind.js';
import { textLeaves } from './leaves.js';
import { type Meanings, scalarsIn } from './meaning.js';
import { finding, inside, problem, ruleText, textMember } from './problems.js';
import { sqlLanguage, tableFault, tablesWanted } from './sql-language.js';

const statementsWanted = effects.join(', ');

function read(node: DocMap, ctx: ReadContext): SqlConstraint | undefined {
  const before = ctx.problems.length;
  const schema = readSchema(node, ctx);
  const statements = readList(node, ctx, 'statements', readStatement);
  const tables = readList(node, ctx, 'tables', (at, item, text) => readTable(at, item, text, schema));
  if (ctx.problems.length > before) return undefined;
  return {
    kind: 'sql',
    ...(statements === undefined ? {} : { statements }),
    ...(tables === undefined ? {} : { tables }),
    ...(schema === undefined ? {} : { schema }),
  };
}

function readSchema(node: DocMap, ctx: ReadContext): string | undefined {
  const schema = textMember(ctx, node, 'schema');
  if (schema === undefined || (isPlainName(schema) && !/[*?]/u.test(schema))) return schema;
  return problem(inside(ctx, 'schema'), entryOf(node, 'schema')?.value ?? node, {
    allowed: 'the name of one schema',
    message: 'schema says which one names without a schema are in',
  });
}

type ReadItem<T> = (ctx: ReadContext, item: DocNode, text: string) => T | undefined;

/** The texts of a member, one or a list of them, each once; undefined: not given, or problems were pushed. */
function readList<T>(
  node: DocMap,
  ctx: ReadContext,
  key: 'statements' | 'tables',
  readItem: ReadItem<T>,
): readonly T[] | undefined {
  const value = entryOf(node, key)?.value;
  if (value === undefined) return undefined;
  const at = inside(ctx, key);
  const items: readonly DocNode[] = value.kind === 'list' ? value.items : [value];
  const allowed = key === 'tables' ? tablesWanted : statementsWanted;
  if (items.length === 0) return problem(at, value, { allowed, message: 'an empty list admits nothing' });
  const found = items.map((item, i) => {
    const here = value === item ? at : inside(at, i);
    if (item.kind !== 'scalar' || typeof item.value !== 'string') {
      return problem(here, item, { allowed, message: `${key} are texts` });
    }
    const text = ruleText(here, item, item.value);
    return text === undefined ? undefined : readItem(here, item, text);
  });
  return Object.freeze([...new Set(found.filter((each) => each !== undefined))]);
}

function readStatement(ctx: ReadContext, item: DocNode, text: string): Effect | undefined {
  if (isEffect(text)) return text;
  return problem(ctx, item, { allowed: statementsWanted, message: `there are no statements of that sort` });
}

function readTable(
  ctx: ReadContext,
  item: DocNode,
  text: string,
  schema: string | undefined,
): string | undefined {
  const bad = tableFault(text, schema);
  if (bad !== undefined) {
    const message = `${bad.fault} in the table ${JSON.stringify(text)}`;
    return problem(ctx, item, { found: bad.fault, allowed: bad.allowed, message });
  }
  if (ctx.polarity === 'admit' && /[A-Z]/u.test(text)) {
    finding(ctx, item, 'names without quotes are lower case in SQL: this one is admitted only in quotes');
  }
  return text;
}

function toDocument({ statements, tables, schema }: SqlConstraint): Json {
  return {
    ...(statements === undefined ? {} : { statements: [...statements] }),
    ...(tables === undefined ? {} : { tables: [...tables] }),
    ...(schema === undefined ? {} : { schema }),
  };
}

function meaning(constraint: SqlConstraint, ctx: CompileContext): Meanings {
  const { statements, tables, schema } = constraint;
  const terms = {
    ...(statements === undefined ? {} : { statements }),
    ...(tables === undefined ? {} : { tables }),
    ...(schema === undefined ? {} : { schema }),
  };
  return scalarsIn('sql', textLeaves(sqlLanguage(terms, ctx.polarity === 'refuse')));
}

/** The kind `sql`. */
export const sql: Kind<SqlConstraint> = {
  name: 'sql',
  help: 'SQL that is understood, and of which each statement does what is listed to tables that are listed. No short form.',
  keys: {
    statements: {
      help: `What statements may do: ${effects.map((effect) => `\`${effect}\` (${effectHelp[effect].help.replace(/\.$/u, '').toLowerCase()})`).join(', ')}.`,
      words: effects,
    },
    tables: { help: '`SCHEMA.TABLE` with `*` and `?`, or a list of them. Not given: any.' },
    schema: {
      help: 'The schema of names without one; not given: such names are not admitted, and denials take them for any.',
    },
  },
  onFields: false,
  read,
  toDocument,
  meaning,
};
