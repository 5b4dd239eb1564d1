/** text: a text that meets every member given; lengths in code points. */
import { type DocMap, type DocNode, type Json, entryOf } from '../../ground/index.js';
import { type Language, type Pattern, anything, intersect, languageOf, pattern } from '../automaton/index.js';
import type { TextConstraint } from './constraint.js';
import { type CompileContext, type ReadContext, viewAt } from './context.js';
import type { Kind } from './kind.js';
import { textLeaves } from './leaves.js';
import { type Meanings, scalarsIn } from './meaning.js';
import { remembering } from './memo.js';
import { countMember, inside, problem, ruleText, textMember } from './problems.js';

function read(node: DocMap, ctx: ReadContext): TextConstraint | undefined {
  const before = ctx.problems.length;
  const found: { -readonly [K in keyof TextConstraint]?: TextConstraint[K] } = {};
  const is = entryOf(node, 'is')?.value;
  if (is !== undefined) found.is = readIs(inside(ctx, 'is'), is);
  for (const key of ['prefix', 'suffix', 'glob'] as const) {
    const text = textMember(ctx, node, key);
    if (text !== undefined) found[key] = text;
  }
  const maxLength = countMember(ctx, node, 'maxLength');
  if (maxLength !== undefined) found.maxLength = maxLength;
  return ctx.problems.length > before ? undefined : { ...found, kind: 'text' };
}

function readIs(ctx: ReadContext, node: DocNode): readonly string[] {
  const items = node.kind === 'list' ? node.items : [node];
  if (items.length === 0)
    problem(ctx, node, { allowed: 'a text or a list of texts', message: 'an empty list admits nothing' });
  const texts: string[] = [];
  for (const item of items) {
    const text =
      item.kind === 'scalar' && typeof item.value === 'string' ? ruleText(ctx, item, item.value) : undefined;
    if (text !== undefined) texts.push(text);
    else if (item.kind !== 'scalar' || typeof item.value !== 'string') {
      problem(ctx, item, { allowed: 'a text or a list of texts', message: 'is compares texts' });
    }
  }
  return Object.freeze([...new Set(texts)]);
}

function toDocument(constraint: TextConstraint): Json {
  const { kind: _kind, is, ...members } = constraint;
  return is === undefined ? members : { is: [...is], ...members };
}

function meaning(constraint: TextConstraint, ctx: CompileContext): Meanings {
  return scalarsIn(viewAt(ctx.place), textLeaves(textLanguage(constraint, ctx.polarity === 'refuse')));
}

const known = remembering<Language>(8192);

/** The texts that meet every member given. */
function textLanguage(constraint: TextConstraint, fold: boolean): Language {
  return known(JSON.stringify([constraint, fold]), () => build(constraint, fold));
}

function build(constraint: TextConstraint, fold: boolean): Language {
  const parts: Pattern[] = [];
  const { is, prefix, suffix, glob, maxLength } = constraint;
  if (is !== undefined) parts.push(pattern.words(is));
  if (prefix !== undefined) parts.push(pattern.sequence(pattern.literal(prefix), pattern.anything));
  if (suffix !== undefined) parts.push(pattern.sequence(pattern.anything, pattern.literal(suffix)));
  if (glob !== undefined) parts.push(globPattern(glob));
  if (maxLength !== undefined) parts.push(pattern.upTo(pattern.anyChar, maxLength));
  return parts.map((part) => languageOf(part, { fold })).reduce(intersect, anything);
}

/** `*` any characters, line breaks and `/` too; `?` one code point; everything else itself. */
function globPattern(glob: string): Pattern {
  const parts = Array.from(glob, (char) => {
    if (char === '*') return pattern.anything;
    return char === '?' ? pattern.anyChar : pattern.literal(char);
  });
  return pattern.sequence(...parts);
}

/** The kind `text`. */
export const text: Kind<TextConstraint> = {
  name: 'text',
  help: 'A text that meets all that is given, compared as a whole.',
  keys: {
    is: { help: 'Exactly this text, or one of a list.' },
    prefix: { help: 'Begins with this.' },
    suffix: { help: 'Ends with this.' },
    glob: { help: '`*` any characters, `?` one; everything else is itself.' },
    maxLength: { help: 'At most so many characters (code points).' },
  },
  onFields: false,
  read,
  toDocument,
  meaning,
};
