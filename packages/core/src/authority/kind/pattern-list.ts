/** What the kinds host, url and email share: a constraint is a list of patterns, each of which is a language. */
import {
  type DocList,
  type DocMap,
  type DocNode,
  type DocScalar,
  type Json,
  UsageError,
  entryOf,
} from '../../ground/index.js';
import { type Language, TooManyStates, unionAll } from '../automaton/index.js';
import type { PatternsConstraint } from './constraint.js';
import type { CompileContext, Place, ReadContext } from './context.js';
import type { Kind } from './kind.js';
import { textLeaves } from './leaves.js';
import { type Meanings, scalarsIn } from './meaning.js';
import { type GlobFault } from './path-tokens.js';
import { finding, inside, problem, ruleText } from './problems.js';

/** Names of these kinds: also the keys of their long forms, their places and their views. */
export type PatternName = 'host' | 'url' | 'email';

/** What such a kind consists of. */
export interface PatternParts<K extends PatternName> {
  readonly name: K;
  /** One line for the reference. */
  readonly help: string;
  /** What may stand there, in words. */
  readonly wanted: string;
  /** The canonical texts that a pattern in NFC matches, or what is wrong with it. */
  language(text: string, fold: boolean): Language | GlobFault;
  /** What is worth saying of a pattern that stands. */
  remark?(text: string): string | undefined;
}

/** Makes the kind. */
export function patternKind<K extends PatternName>(parts: PatternParts<K>): Kind<PatternsConstraint<K>> {
  const { name } = parts;
  const read = (
    ctx: ReadContext,
    node: DocNode,
    list: readonly DocNode[],
  ): PatternsConstraint<K> | undefined => {
    const patterns = readPatterns(parts, ctx, node, list);
    return patterns === undefined ? undefined : { kind: name, patterns };
  };
  return {
    name,
    help: parts.help,
    keys: { [name]: { help: 'A pattern or a list of patterns, for a raw argument.' } },
    onFields: false,
    read(node: DocMap, ctx: ReadContext): PatternsConstraint<K> | undefined {
      const value: DocNode = entryOf(node, name)?.value ?? node;
      return read(inside(ctx, name), value, value.kind === 'list' ? value.items : [value]);
    },
    short(
      ctx: ReadContext,
      node: DocList | DocScalar,
      list: readonly DocScalar[],
    ): PatternsConstraint<K> | undefined {
      return read(ctx, node, list);
    },
    toDocument(constraint: PatternsConstraint<K>, place: Place): Json {
      const list = [...constraint.patterns];
      return place === name ? list : { [name]: list };
    },
    meaning(constraint: PatternsConstraint<K>, ctx: CompileContext): Meanings {
      const fold = ctx.polarity === 'refuse';
      const languages = constraint.patterns.map((text) => sound(text, parts.language(text, fold)));
      return scalarsIn(name, textLeaves(unionAll(languages)));
    },
  };
}

/** The patterns, each once, as written; undefined, with problems. */
function readPatterns(
  parts: PatternParts<PatternName>,
  ctx: ReadContext,
  node: DocNode,
  list: readonly DocNode[],
): readonly string[] | undefined {
  if (list.length === 0) {
    return problem(ctx, node, { allowed: parts.wanted, message: 'an empty list admits nothing' });
  }
  const texts = list.map((item, i) => readPattern(parts, node === item ? ctx : inside(ctx, i), item));
  const good = texts.filter((text) => text !== undefined);
  return good.length < texts.length ? undefined : Object.freeze([...new Set(good)]);
}

function readPattern(parts: PatternParts<PatternName>, ctx: ReadContext, node: DocNode): string | undefined {
  const { name, wanted } = parts;
  if (node.kind !== 'scalar' || typeof node.value !== 'string') {
    return problem(ctx, node, { allowed: wanted, message: `a pattern of ${name} is a text` });
  }
  const text = ruleText(ctx, node, node.value);
  if (text === undefined) return undefined;
  const bad = faultIn(parts, text);
  if (bad !== undefined) {
    const message = `${bad.fault} in the ${name} ${JSON.stringify(text)}`;
    return problem(ctx, node, { found: bad.fault, allowed: bad.allowed, message });
  }
  const remark = parts.remark?.(text);
  if (remark !== undefined) finding(ctx, node, remark);
  return text;
}

function faultIn(parts: PatternParts<PatternName>, text: string): GlobFault | undefined {
  try {
    const language = parts.language(text, false);
    return 'fault' in language ? language : undefined;
  } catch (error) {
    if (!(error instanceof TooManyStates)) throw error;
    return { fault: error.message, allowed: 'a simpler pattern' };
  }
}

function sound(text: string, language: Language | GlobFault): Language {
  if ('fault' in language) throw new UsageError(`${language.fault} in ${JSON.stringify(text)}`);
  return language;
}
