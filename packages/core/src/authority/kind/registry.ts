/** All kinds. A new kind: its file, its type in the union, a case and a row here. */
import type { Json } from '../../ground/index.js';
import { all, either } from './all-either.js';
import type { Constraint } from './constraint.js';
import type { CompileContext, Place } from './context.js';
import { except } from './except.js';
import { items } from './items.js';
import type { Kind } from './kind.js';
import type { Meanings } from './meaning.js';
import { number } from './number.js';
import { oneOf } from './one-of.js';
import { optional } from './optional.js';
import { path } from './path.js';
import { presence } from './presence.js';
import { text } from './text.js';

/** What reading needs of each kind: its keys and its reader. */
export const kinds: readonly Pick<Kind<Constraint>, 'name' | 'keys' | 'onFields' | 'read'>[] = [
  oneOf,
  number,
  text,
  path,
  presence,
  optional,
  all,
  either,
  except,
  items,
];

/** Kinds of the language that this version does not build, with the keys of their long forms. */
export const kindsToCome: ReadonlyMap<string, readonly string[]> = new Map([
  ['host', ['host']],
  ['url', ['url']],
  ['email', ['email']],
  ['command', ['program', 'sub', 'args', 'has', 'env', 'redirect']],
  ['sql', ['statements', 'tables', 'schema']],
  ['single', ['single']],
]);

/** Calls back with the constraint and its own kind. */
function withKind<R>(constraint: Constraint, use: <C extends Constraint>(kind: Kind<C>, own: C) => R): R {
  switch (constraint.kind) {
    case 'oneOf':
      return use(oneOf, constraint);
    case 'number':
      return use(number, constraint);
    case 'text':
      return use(text, constraint);
    case 'path':
      return use(path, constraint);
    case 'presence':
      return use(presence, constraint);
    case 'optional':
      return use(optional, constraint);
    case 'all':
      return use(all, constraint);
    case 'either':
      return use(either, constraint);
    case 'except':
      return use(except, constraint);
    case 'items':
      break;
  }
  return use(items, constraint);
}

/** The constraint as plain JSON that reads back as itself at the same place. */
export function constraintToDocument(constraint: Constraint, place: Place): Json {
  return withKind(constraint, (kind, own) => kind.toDocument(own, place, constraintToDocument));
}

/** The single values that meet the constraint. Throws TooManyStates. */
export function meaningOf(constraint: Constraint, ctx: CompileContext): Meanings {
  return withKind(constraint, (kind, own) => kind.meaning(own, ctx, meaningOf));
}
