/** A naive reading of POLICY sections 3 and 4, which shares nothing with Pawl's own: what random policies are judged by. */
import type { Json, JsonObject } from '../packages/core/src/ground/index.js';
import type { Rule } from './random-policies.js';

/** Whether a pattern lets in or takes away. */
export type Polarity = 'admit' | 'refuse';
/** Where a constraint stands: on a raw argument or on a path field. */
export type Place = 'raw' | 'path';
/** Every name that a glob here has, in both cases, and one that none has. */
const names = ['a', 'A', 'b', 'B', 'k', 'K', 'w', 'W', 'x'];

/** A path as it is judged; the root of relative ones is `/w`. */
export function canonical(text: string): string {
  const segments: string[] = [];
  for (const segment of (text.startsWith('/') ? text : `/w/${text}`).split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return `/${segments.join('/')}`;
}

/** The path and enough of what may be beneath it: every glob here speaks of three more segments at most. */
export function beneath(top: string, depth = 4): readonly string[] {
  if (depth === 0) return [top];
  return [top, ...names.flatMap((name) => beneath(`${top === '/' ? '' : top}/${name}`, depth - 1))];
}

function globTest(text: string, polarity: Polarity): RegExp {
  const rooted = text.startsWith('/') || text.startsWith('**/') ? text : `/w/${text}`;
  const source = rooted
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) =>
      segment === '**'
        ? '(?:/[^/]+)*'
        : `/${segment
            .replaceAll('*', '[^/]*')
            .replaceAll(/\{(\w),(\w)\}/gu, '(?:$1|$2)')
            .replace(/^\[\^\/\]\*$/u, '[^/]+')}`,
    )
    .join('');
  return new RegExp(`^${source === '' ? '/' : source}$`, polarity === 'refuse' ? 'iu' : 'u');
}

function matches(globList: readonly string[], at: string, polarity: Polarity): boolean {
  return globList.some(
    (each) =>
      globTest(each, polarity).test(at === '/' ? '' : at) ||
      (at === '/' && globTest(each, polarity).test('/')),
  );
}

const flip = (polarity: Polarity): Polarity => (polarity === 'admit' ? 'refuse' : 'admit');
const fold = (one: Json): Json => (typeof one === 'string' ? one.toLowerCase() : one);

/** Whether a value that is no list meets a constraint. */
export function leafMeets(constraint: Json, leaf: Json, polarity: Polarity, place: Place): boolean {
  if (!Array.isArray(constraint)) return keyMeets(constraint as JsonObject, leaf, polarity, place);
  if (place === 'raw') return constraint.some((one: Json) => same(one, leaf, polarity));
  return typeof leaf === 'string' && matches(constraint as string[], canonical(leaf), polarity);
}

function same(one: Json, leaf: Json, polarity: Polarity): boolean {
  return polarity === 'admit' ? one === leaf : fold(one) === fold(leaf);
}

function keyMeets(constraint: JsonObject, leaf: Json, polarity: Polarity, place: Place): boolean {
  const { either, except, in: within, min, max, glob: pattern, path: globList } = constraint;
  if (either !== undefined) return (either as Json[]).some((one) => leafMeets(one, leaf, polarity, place));
  if (except !== undefined) {
    const inside = within === undefined || leafMeets(within, leaf, polarity, place);
    return inside && !leafMeets(except, leaf, flip(polarity), place);
  }
  if (globList !== undefined) return leafMeets(globList, leaf, polarity, 'path');
  if (pattern !== undefined) return textMeets(pattern as string, leaf, polarity);
  return typeof leaf === 'number' && leaf >= (min as number) && leaf <= (max as number);
}

function textMeets(pattern: string, leaf: Json, polarity: Polarity): boolean {
  const source = pattern.replaceAll('*', '.*').replaceAll('?', '.');
  return (
    typeof leaf === 'string' && new RegExp(`^${source}$`, polarity === 'refuse' ? 'isu' : 'su').test(leaf)
  );
}

/** Whether an argument meets a constraint; undefined: it is absent. */
function meetsRaw(constraint: Json, held: Json | undefined, polarity: Polarity): boolean {
  if (constraint === 'any') return true;
  if (constraint === 'present') return held !== undefined;
  if (constraint === 'absent') return held === undefined;
  const { optional } = constraint as Readonly<Record<string, Json | undefined>>;
  if (optional !== undefined) return held === undefined || meetsRaw(optional, held, polarity);
  if (held === undefined) return false;
  if (!Array.isArray(held)) return leafMeets(constraint, held, polarity, 'raw');
  const test = (leaf: Json): boolean => leafMeets(constraint, leaf, polarity, 'raw');
  return polarity === 'admit' ? held.every(test) : held.some(test);
}

/** Whether the raw arguments meet what a rule says of them, its closed world included. */
export function argumentsHold(rule: Rule, args: JsonObject, polarity: Polarity): boolean {
  const fields = Object.entries(rule.where ?? {}).filter(([key]) => key.startsWith('args.'));
  const holds = fields.every(([key, constraint]) => meetsRaw(constraint, args[key.slice(5)], polarity));
  if (polarity === 'refuse' || fields.length === 0 || rule.where?.['rest'] !== undefined) return holds;
  return holds && Object.keys(args).every((name) => Object.hasOwn(rule.where ?? {}, `args.${name}`));
}
