/** All kinds. A new kind: its file, its type in the union, and its row here. */
import type { DocList, DocScalar, Json } from '../../ground/index.js';
import { all, either } from './all-either.js';
import { command } from './command.js';
import type { Constraint, KindName } from './constraint.js';
import type { CompileContext, Place, ReadContext } from './context.js';
import { email } from './email.js';
import { except } from './except.js';
import { host } from './host.js';
import { items } from './items.js';
import type { Kind } from './kind.js';
import type { Meanings } from './meaning.js';
import { number } from './number.js';
import { oneOf } from './one-of.js';
import { problem } from './problems.js';
import { optional } from './optional.js';
import { path } from './path.js';
import { presence } from './presence.js';
import { single } from './single.js';
import { sql } from './sql.js';
import { text } from './text.js';
import { url } from './url.js';

/** Every kind by its name. */
const registry: { readonly [K in KindName]: Kind<Extract<Constraint, { kind: K }>> } = {
  oneOf,
  number,
  text,
  path,
  host,
  url,
  email,
  command,
  sql,
  single,
  presence,
  optional,
  all,
  either,
  except,
  items,
};

/** What reading needs of each kind: its keys and its readers. */
export const kinds: readonly Pick<
  Kind<Constraint>,
  'name' | 'help' | 'keys' | 'onFields' | 'read' | 'short'
>[] = Object.values(registry);

/** Reads the short form of the place: of a field that of its kind, exact values of a raw argument. */
export function readShort(
  ctx: ReadContext,
  node: DocList | DocScalar,
  list: readonly DocScalar[],
): Constraint | undefined {
  const kind: Pick<Kind<Constraint>, 'short'> = registry[ctx.place === 'raw' ? 'oneOf' : ctx.place];
  if (kind.short !== undefined) return kind.short(ctx, node, list);
  return problem(ctx, node, {
    allowed: 'the long form',
    message: `a constraint on ${ctx.place} has no short form`,
  });
}

function kindOf<C extends Constraint>(constraint: C): Kind<C> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the row under a kind's name is for its constraints
  return registry[constraint.kind] as unknown as Kind<C>;
}

/** The constraint as plain JSON that reads back as itself at the same place. */
export function constraintToDocument(constraint: Constraint, place: Place): Json {
  return kindOf(constraint).toDocument(constraint, place, constraintToDocument);
}

/** The single values that meet the constraint. Throws TooManyStates. */
export function meaningOf(constraint: Constraint, ctx: CompileContext): Meanings {
  return kindOf(constraint).meaning(constraint, ctx, meaningOf);
}
