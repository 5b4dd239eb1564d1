/** Conditions on the arguments of a call, as the oracle states them: printed as SMT-LIB, and decided for one call. */
import type { Json } from '../../packages/core/src/ground/index.js';
import { type Regex, joined, matches, smtRegex } from './regex.js';

/** What an argument can be. `dirty`: a text that is not in normal form C, which every constraint refuses. */
export const tags = ['missing', 'text', 'number', 'true', 'false', 'null', 'dirty'] as const;
/** One of them. */
export type Tag = (typeof tags)[number];

/** A condition; `of` names the argument. */
export type Formula =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Formula[] }
  | { readonly kind: 'not'; readonly part: Formula }
  | { readonly kind: 'tag'; readonly of: string; readonly tag: Tag }
  | { readonly kind: 'matches'; readonly of: string; readonly regex: Regex }
  | { readonly kind: 'longest'; readonly of: string; readonly most: number }
  | { readonly kind: 'compare'; readonly of: string; readonly how: Comparison; readonly with: number }
  | { readonly kind: 'whole'; readonly of: string };
/** Of a number with a bound. */
export type Comparison = '<' | '<=' | '=' | '>=' | '>';

/** All of them. */
export const and = (...parts: readonly Formula[]): Formula => ({ kind: 'and', parts });
/** Some of them. */
export const or = (...parts: readonly Formula[]): Formula => ({ kind: 'or', parts });
/** Not so. */
export const not = (part: Formula): Formula => ({ kind: 'not', part });
/** Always. */
export const always: Formula = and();
/** Never. */
export const never: Formula = or();
/** The argument is of this kind. */
export const is = (of: string, tag: Tag): Formula => ({ kind: 'tag', of, tag });

/** SMT-LIB; arguments are declared by {@link declarations}. */
export function smt(formula: Formula): string {
  switch (formula.kind) {
    case 'and':
      return joined('and', formula.parts.map(smt), 'true');
    case 'or':
      return joined('or', formula.parts.map(smt), 'false');
    case 'not':
      return `(not ${smt(formula.part)})`;
    case 'tag':
      return `(= ${formula.of}_tag ${tags.indexOf(formula.tag)})`;
    case 'matches':
      return `(str.in_re ${formula.of}_text ${smtRegex(formula.regex)})`;
    case 'longest':
      return `(<= (str.len ${formula.of}_text) ${formula.most})`;
    case 'compare':
      return `(${formula.how} ${formula.of}_number ${smtNumber(formula.with)})`;
    case 'whole':
      break;
  }
  return `(is_int ${formula.of}_number)`;
}

function smtNumber(value: number): string {
  return value < 0 ? `(- ${smtNumber(-value)})` : Number.isInteger(value) ? `${value}.0` : String(value);
}

/** What an argument can be in calls of a tool. */
export interface Argument {
  readonly name: string;
  readonly tags: readonly Tag[];
  /** What its texts match. */
  readonly texts: Regex;
}

/** Declares arguments, and says what they can be. */
export function declarations(args: readonly Argument[]): string {
  return args
    .map(({ name, tags: own, texts }) =>
      [
        `(declare-const ${name}_tag Int)`,
        `(declare-const ${name}_text String)`,
        `(declare-const ${name}_number Real)`,
        `(assert ${smt(or(...own.map((tag) => is(name, tag))))})`,
        `(assert ${smt({ kind: 'matches', of: name, regex: texts })})`,
      ].join('\n'),
    )
    .join('\n');
}

/** Arguments of one call; one that is not there is missing. */
export type Arguments = Readonly<Record<string, Json | undefined>>;

/** Decides for one call. */
export function holds(formula: Formula, args: Arguments): boolean {
  switch (formula.kind) {
    case 'and':
      return formula.parts.every((part) => holds(part, args));
    case 'or':
      return formula.parts.some((part) => holds(part, args));
    case 'not':
      return !holds(formula.part, args);
    case 'tag':
      return tagOf(args[formula.of]) === formula.tag;
    case 'matches':
    case 'longest':
    case 'compare':
    case 'whole':
      break;
  }
  return holdsOf(formula, args[formula.of]);
}

function holdsOf(
  formula: Extract<Formula, { readonly kind: 'matches' | 'longest' | 'compare' | 'whole' }>,
  value: Json | undefined,
): boolean {
  switch (formula.kind) {
    case 'matches':
      return typeof value === 'string' && matches(formula.regex, value);
    case 'longest':
      return typeof value === 'string' && Array.from(value).length <= formula.most;
    case 'compare':
      return typeof value === 'number' && compared(formula.how, value, formula.with);
    case 'whole':
      break;
  }
  return Number.isInteger(value);
}

function compared(how: Comparison, value: number, bound: number): boolean {
  switch (how) {
    case '<':
      return value < bound;
    case '<=':
      return value <= bound;
    case '=':
      return value === bound;
    case '>=':
      return value >= bound;
    case '>':
      break;
  }
  return value > bound;
}

function tagOf(value: Json | undefined): Tag {
  if (value === undefined) return 'missing';
  if (typeof value === 'string') return value === value.normalize('NFC') ? 'text' : 'dirty';
  if (typeof value === 'number') return 'number';
  return value === true ? 'true' : value === false ? 'false' : 'null';
}
