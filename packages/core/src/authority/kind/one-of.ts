/** oneOf: exactly one of some scalars. */
import {
  type DocList,
  type DocMap,
  type DocNode,
  type DocScalar,
  type Json,
  entryOf,
} from '../../ground/index.js';
import { type Language, languageOf, pattern } from '../automaton/index.js';
import type { OneOfConstraint } from './constraint.js';
import { type CompileContext, type Place, type ReadContext, viewAt } from './context.js';
import type { Kind } from './kind.js';
import { scalarLeaves } from './leaves.js';
import { type Meanings, scalarsIn } from './meaning.js';
import { remembering } from './memo.js';
import { inside, problem, ruleText } from './problems.js';
import type { Scalar } from './value.js';

const scalarsWanted = 'texts, finite numbers, true, false or null';

/** A constraint on exactly these values; undefined, with a problem: none, or one that no call can send. */
function oneOfValues(
  ctx: ReadContext,
  node: DocList | DocScalar,
  items: readonly DocScalar[],
): OneOfConstraint | undefined {
  if (items.length === 0) {
    return problem(ctx, node, { allowed: scalarsWanted, message: 'an empty list admits nothing' });
  }
  const values = items.map((item, i) => scalarOf(node === item ? ctx : inside(ctx, i), item));
  const good = values.filter((value) => value !== undefined);
  if (good.length < values.length || !inVocabulary(ctx, node, good)) return undefined;
  return { kind: 'oneOf', values: Object.freeze([...new Set(good)]) };
}

/** Whether a declared field knows the values; if not, a problem says which it does not. */
function inVocabulary(ctx: ReadContext, node: DocNode, values: readonly Scalar[]): boolean {
  if (ctx.place !== 'oneOf' || ctx.vocabulary === undefined) return true;
  const { values: known, wildcard } = ctx.vocabulary;
  const odd = values.find((value) => !known.includes(value));
  if (odd === undefined) return true;
  const found = JSON.stringify(odd);
  const allowed = known.map((value) => JSON.stringify(value)).join(', ');
  if (odd === wildcard) {
    const message = `${found} stands for every value, which only a field that no rule constrains holds`;
    problem(ctx, node, { found, allowed: `${allowed}, or any`, message });
  } else problem(ctx, node, { found, allowed, message: `the field has no value ${found}` });
  return false;
}

function scalarOf(ctx: ReadContext, item: DocScalar): Scalar | undefined {
  const { value } = item;
  if (typeof value === 'string') return ruleText(ctx, item, value);
  if (typeof value !== 'number') return value;
  if (Number.isFinite(value)) return value + 0;
  return problem(ctx, item, { allowed: scalarsWanted, message: 'JSON has no such number' });
}

function read(node: DocMap, ctx: ReadContext): OneOfConstraint | undefined {
  const list = entryOf(node, 'oneOf')?.value ?? node;
  const at = inside(ctx, 'oneOf');
  if (list.kind === 'scalar') return oneOfValues(at, list, [list]);
  const items = list.kind === 'list' ? list.items.filter((item) => item.kind === 'scalar') : [];
  if (list.kind === 'map' || items.length < list.items.length) {
    return problem(at, list, { allowed: `a list of ${scalarsWanted}`, message: 'oneOf lists scalars' });
  }
  return oneOfValues(at, list, items);
}

function toDocument(constraint: OneOfConstraint, _place: Place): Json {
  return [...constraint.values];
}

const known = remembering<Language>(8192);

function meaning(constraint: OneOfConstraint, ctx: CompileContext): Meanings {
  const texts = constraint.values.filter((value) => typeof value === 'string');
  const fold = ctx.polarity === 'refuse';
  const language = known(JSON.stringify([texts, fold]), () => languageOf(pattern.words(texts), { fold }));
  return scalarsIn(viewAt(ctx.place), scalarLeaves(constraint.values, language));
}

/** The kind `oneOf`. */
export const oneOf: Kind<OneOfConstraint> = {
  name: 'oneOf',
  help: 'Exactly one of some scalars; types are strict (`"1"` is not `1`). Short: a scalar, or a list of them.',
  keys: {
    oneOf: { help: 'A scalar or a list of texts, numbers, `true`, `false`, `null`.' },
  },
  onFields: false,
  read,
  short: oneOfValues,
  toDocument,
  meaning,
};
