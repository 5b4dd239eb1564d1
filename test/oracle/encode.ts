/** A policy of the fragment as conditions on calls: a naive reading of POLICY sections 2 to 4, which shares nothing with Pawl's own. */
import {
  type Json,
  type JsonObject,
  isJsonArray,
  isJsonObject,
} from '../../packages/core/src/ground/index.js';
import type { Policy, Rule } from '../random-policies.js';
import { type Argument, type Formula, always, and, is, never, not, or } from './formula.js';
import { type Regex, any, either, inSegment, plus, sequence, star, text } from './regex.js';

/** The one tool that the policies speak of. */
export interface Tool {
  readonly name: string;
  readonly args: readonly Argument[];
  /** The argument that the connector field `path` is read from; as canonical paths, of which `/` is the empty text. */
  readonly path?: string;
}

/** A policy with what its agent's ceiling says. */
export interface Limited extends Policy {
  /** Constraints of a ceiling, by field. */
  readonly ceiling?: Readonly<Record<string, Json>>;
}

/** Levels, the freest first. */
export const levels = ['permit', 'session', 'once'] as const;
/** One of them. */
export type Level = (typeof levels)[number];

type Polarity = 'admit' | 'refuse';
const flip = (polarity: Polarity): Polarity => (polarity === 'admit' ? 'refuse' : 'admit');

/** When a call is admitted at this level or a freer one. */
export function admitted(policy: Limited, tool: Tool, level: Level): Formula {
  const atLeast = (own: Level): boolean => levels.indexOf(own) <= levels.indexOf(level);
  const allowed = policy.allow.filter((rule) => atLeast(rule.ask ?? 'permit'));
  const capped = policy.ask.filter((rule) => !atLeast(rule.ask ?? 'once'));
  return and(
    or(...allowed.map((rule) => whole(rule, tool, 'admit'))),
    ...[...capped, ...policy.deny].map((rule) => not(whole(rule, tool, 'refuse'))),
    ...Object.entries(policy.ceiling ?? {}).map(([field, one]) => onField(field, one, tool, 'admit')),
    ...tool.args.map(({ name }) => (isConstrained(policy, name) ? not(is(name, 'dirty')) : always)),
  );
}

/** When NEW admits a call more freely than OLD, one condition a level. */
export function gains(old: Limited, next: Limited, tool: Tool): readonly Formula[] {
  return levels.map((level) => and(admitted(next, tool, level), not(admitted(old, tool, level))));
}

function isConstrained(policy: Limited, name: string): boolean {
  const rules = [...policy.allow, ...policy.ask, ...policy.deny, { where: policy.ceiling ?? {} }];
  return rules.some(({ where = {} }) => {
    const one = where[`args.${name}`];
    return one !== undefined && one !== 'any' && one !== 'present';
  });
}

function whole({ where = {} }: Rule, tool: Tool, polarity: Polarity): Formula {
  const fields = Object.entries(where).filter(([field]) => field !== 'rest');
  const named = fields.map(([field, one]) => onField(field, one, tool, polarity));
  const closed =
    polarity === 'admit' &&
    where['rest'] === undefined &&
    fields.some(([field]) => field.startsWith('args.'));
  const others = tool.args.filter(
    ({ name }) => where[`args.${name}`] === undefined && (name !== tool.path || where['path'] === undefined),
  );
  return and(...named, ...(closed ? others.map(({ name }) => is(name, 'missing')) : []));
}

function onField(field: string, one: Json, { path }: Tool, polarity: Polarity): Formula {
  if (field === 'path') return path === undefined ? never : onPath(path, one, polarity);
  return constraint(field.slice('args.'.length), one, polarity);
}

function constraint(of: string, one: Json, polarity: Polarity): Formula {
  if (one === 'any') return always;
  if (one === 'present') return not(is(of, 'missing'));
  if (one === 'absent') return is(of, 'missing');
  if (isJsonArray(one)) return or(...one.map((each) => scalar(of, each, polarity)));
  return isJsonObject(one) ? keyed(of, one, polarity) : scalar(of, one, polarity);
}

function scalar(of: string, one: Json, polarity: Polarity): Formula {
  if (typeof one === 'string') return texts(of, text(one, polarity === 'refuse'));
  if (typeof one === 'number') return and(is(of, 'number'), { kind: 'compare', of, how: '=', with: one });
  return is(of, one === true ? 'true' : one === false ? 'false' : 'null');
}

function texts(of: string, regex: Regex): Formula {
  return and(is(of, 'text'), { kind: 'matches', of, regex });
}

function keyed(of: string, one: JsonObject, polarity: Polarity): Formula {
  const { optional, either: some, all, in: within, except } = one;
  const inner = (each: Json): Formula => constraint(of, each, polarity);
  if (optional !== undefined) return or(is(of, 'missing'), inner(optional));
  if (some !== undefined) return or(...list(some).map(inner));
  if (all !== undefined) return and(...list(all).map(inner));
  if (except !== undefined) {
    const inside = within === undefined ? not(is(of, 'missing')) : inner(within);
    return and(inside, not(constraint(of, except, flip(polarity))));
  }
  return and(...Object.entries(one).map(([key, value]) => condition(of, key, value, polarity)));
}

const list = (value: Json): readonly Json[] => (isJsonArray(value) ? value : [value]);

const bounds = { min: '>=', max: '<=', above: '>', below: '<' } as const;

function condition(of: string, key: string, value: Json | undefined, polarity: Polarity): Formula {
  if (key === 'integer') return and(is(of, 'number'), { kind: 'whole', of });
  if (typeof value === 'string') return texts(of, wordRegex(key, value, polarity === 'refuse'));
  if (typeof value !== 'number') throw new Error(`the oracle does not know ${key}`);
  if (key === 'maxLength') return and(is(of, 'text'), { kind: 'longest', of, most: value });
  const how = Object.entries(bounds).find(([name]) => name === key)?.[1];
  if (how === undefined) throw new Error(`the oracle does not know ${key}`);
  return and(is(of, 'number'), { kind: 'compare', of, how, with: value });
}

function wordRegex(key: string, word: string, folded: boolean): Regex {
  if (key === 'is') return text(word, folded);
  if (key === 'prefix') return sequence(text(word, folded), star(any));
  if (key === 'suffix') return sequence(star(any), text(word, folded));
  if (key !== 'glob') throw new Error(`the oracle does not know ${key}`);
  return sequence(...Array.from(word, (char) => globChar(char, any, folded)));
}

function globChar(char: string, wild: Regex, folded: boolean): Regex {
  return char === '*' ? star(wild) : char === '?' ? wild : text(char, folded);
}

// --- paths ---

const slash = text('/', false);
const segment = plus(inSegment);

function onPath(of: string, one: Json, polarity: Polarity): Formula {
  if (isJsonObject(one)) {
    const { in: within = ['/**'], except = [] } = one;
    return and(onPath(of, within, polarity), not(onPath(of, except, flip(polarity))));
  }
  return or(
    ...list(one).map((glob) =>
      texts(of, pathGlob(typeof glob === 'string' ? glob : '', polarity === 'refuse')),
    ),
  );
}

/** Of an absolute glob, or one that begins with two stars. */
function pathGlob(glob: string, folded: boolean): Regex {
  const parts = glob.split('/').filter((part) => part !== '');
  return sequence(
    ...parts.map((part) =>
      part === '**'
        ? star(sequence(slash, segment))
        : sequence(slash, part === '*' ? segment : segmentGlob(part, folded)),
    ),
  );
}

function segmentGlob(part: string, folded: boolean): Regex {
  const [before = '', alternatives, after = ''] = part.split(/[{}]/u);
  const chars = (of: string): Regex =>
    sequence(...Array.from(of, (char) => globChar(char, inSegment, folded)));
  if (alternatives === undefined) return chars(before);
  return sequence(chars(before), either(...alternatives.split(',').map(chars)), chars(after));
}
