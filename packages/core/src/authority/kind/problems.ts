/** Pushing problems and findings, and reading the simple parts of a constraint. */
import { type DocEntry, type DocMap, type DocNode, entryOf, nodeInWords } from '../../ground/index.js';
import type { Polarity, ReadContext } from './context.js';

/** What is said about one problem. */
export interface ProblemText {
  readonly found?: string;
  readonly allowed: string;
  readonly message: string;
}

/** Pushes a problem at the node; gives undefined so that readers can return it. */
export function problem(ctx: ReadContext, node: DocNode, text: ProblemText): undefined {
  const found = text.found ?? nodeInWords(node);
  ctx.problems.push({ at: node.at, path: ctx.docPath, found, allowed: text.allowed, message: text.message });
  return undefined;
}

/** Pushes a finding at the node. */
export function finding(ctx: ReadContext, node: DocNode, message: string): void {
  ctx.findings.push({ at: node.at, path: ctx.docPath, message });
}

/** The context of a member or an item of the node that the context is for. */
export function inside(ctx: ReadContext, step: string | number): ReadContext {
  const docPath = typeof step === 'number' ? `${ctx.docPath}[${step}]` : `${ctx.docPath}.${step}`;
  return { ...ctx, docPath };
}

/** The other polarity. */
export function flipped(polarity: Polarity): Polarity {
  return polarity === 'admit' ? 'refuse' : 'admit';
}

const loneSurrogate = /\p{Surrogate}/u;

/** A text of a rule in NFC (with a finding if it was not); undefined, with a problem: a lone surrogate or U+0000 is in it. */
export function ruleText(ctx: ReadContext, node: DocNode, text: string): string | undefined {
  if (text.includes('\u0000') || loneSurrogate.test(text)) {
    return problem(ctx, node, {
      allowed: 'a text without U+0000 and without lone surrogates',
      message: 'no value with U+0000 or a lone surrogate is ever admitted, so a rule cannot name one',
    });
  }
  const normal = text.normalize('NFC');
  if (normal !== text) finding(ctx, node, 'the text was normalised to NFC');
  return normal;
}

/** The member's text in NFC; undefined: not given, or (with a problem) not a text. */
export function textMember(ctx: ReadContext, map: DocMap, key: string): string | undefined {
  const entry = entryOf(map, key);
  if (entry === undefined) return undefined;
  const at = inside(ctx, key);
  const { value } = entry;
  if (value.kind === 'scalar' && typeof value.value === 'string') return ruleText(at, value, value.value);
  return problem(at, value, { allowed: 'a text', message: `${key} is a text` });
}

/** The member's finite number; undefined: not given, or (with a problem) not one. */
export function numberMember(ctx: ReadContext, map: DocMap, key: string): number | undefined {
  const entry = entryOf(map, key);
  if (entry === undefined) return undefined;
  const { value } = entry;
  if (value.kind === 'scalar' && typeof value.value === 'number' && Number.isFinite(value.value))
    return value.value;
  return problem(inside(ctx, key), value, { allowed: 'a finite number', message: `${key} is a number` });
}

/** The member's whole number, 0 or more; undefined: not given, or (with a problem) not one. */
export function countMember(ctx: ReadContext, map: DocMap, key: string): number | undefined {
  const entry = entryOf(map, key);
  const value = numberMember(ctx, map, key);
  if (entry === undefined || value === undefined) return undefined;
  if (Number.isSafeInteger(value) && value >= 0) return value;
  return problem(inside(ctx, key), entry.value, {
    allowed: 'a whole number, 0 or more',
    message: `${key} is a count`,
  });
}

/** A member that must be there when its kind's other keys are. */
export function needed(ctx: ReadContext, map: DocMap, key: string): DocEntry | undefined {
  const entry = entryOf(map, key);
  return entry ?? problem(ctx, map, { allowed: key, message: `${key} is missing` });
}
