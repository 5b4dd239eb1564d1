/** Reading a constraint of kind command out of a document. */
import { type DocMap, type DocNode, entryOf } from '../../ground/index.js';
import { globalOptions } from './command-options.js';
import { holdsControl } from './command-text.js';
import type { CommandConstraint } from './constraint.js';
import type { ReadContext } from './context.js';
import { pathGlobs } from './path.js';
import { inside, problem, ruleText } from './problems.js';

type Found = { -readonly [K in keyof CommandConstraint]?: CommandConstraint[K] };

/** Reads a mapping of the kind's keys; undefined: problems were pushed. */
export function readCommandConstraint(node: DocMap, ctx: ReadContext): CommandConstraint | undefined {
  const before = ctx.problems.length;
  const found: Found = {};
  for (const key of ['program', 'sub', 'args', 'has'] as const) {
    const value = entryOf(node, key)?.value;
    const list = value && readTexts(inside(ctx, key), value, wanted[key]);
    if (list !== undefined) found[key] = list;
  }
  checkPrograms(node, ctx, found);
  const env = entryOf(node, 'env')?.value;
  const names = env && readEnv(inside(ctx, 'env'), env);
  if (names !== undefined) found.env = names;
  const redirect = entryOf(node, 'redirect')?.value;
  const sides = redirect && readRedirect(inside(ctx, 'redirect'), redirect);
  if (sides !== undefined) found.redirect = sides;
  return ctx.problems.length > before ? undefined : { ...found, kind: 'command' };
}

const wanted = {
  program: 'names of programs, or their paths',
  sub: 'subcommands',
  args: 'words: "*" is one, "**" any number',
  has: 'words',
} as const;

function readTexts(ctx: ReadContext, node: DocNode, allowed: string): readonly string[] | undefined {
  const items = node.kind === 'list' ? node.items : [node];
  if (items.length === 0) {
    return problem(ctx, node, {
      allowed: `at least one of ${allowed}`,
      message: 'an empty list admits nothing',
    });
  }
  const texts = items.map((item, i) => readText(node === item ? ctx : inside(ctx, i), item, allowed));
  const good = texts.filter((text) => text !== undefined);
  return good.length < texts.length ? undefined : Object.freeze(good);
}

function readText(ctx: ReadContext, item: DocNode, allowed: string): string | undefined {
  if (item.kind !== 'scalar' || typeof item.value !== 'string') {
    return problem(ctx, item, {
      allowed: `${allowed}, as texts (quote numbers)`,
      message: 'words are texts',
    });
  }
  const text = ruleText(ctx, item, item.value);
  if (text === undefined || !holdsControl(text)) return text;
  return problem(ctx, item, { allowed, message: 'no word of a command holds a control character' });
}

/** A program is one word, and a subcommand is known of few programs only. */
function checkPrograms(node: DocMap, ctx: ReadContext, { program = [], sub }: Found): void {
  const at = entryOf(node, 'program')?.value ?? node;
  const odd = program.find((name) => name === '' || /\s/u.test(name));
  if (odd !== undefined) {
    const message = `${JSON.stringify(odd)} is no program: further words go to sub or args`;
    problem(inside(ctx, 'program'), at, { found: JSON.stringify(odd), allowed: wanted.program, message });
  }
  if (sub === undefined) return;
  const foreign = program.find(
    (name) => !/[*?]/u.test(name) && !globalOptions.has(name.slice(name.lastIndexOf('/') + 1)),
  );
  if (foreign === undefined) return;
  const allowed = `${[...globalOptions.keys()].join(', ')}; of others write args`;
  const message = `subcommands of ${foreign} are not known`;
  problem(inside(ctx, 'program'), at, { found: foreign, allowed, message });
}

function readEnv(ctx: ReadContext, node: DocNode): CommandConstraint['env'] {
  if (node.kind === 'scalar' && node.value === 'any') return 'any';
  return readTexts(ctx, node, 'names of variables, or any');
}

function readRedirect(ctx: ReadContext, node: DocNode): CommandConstraint['redirect'] {
  const allowed = '{ read: paths, write: paths }, one of them at least';
  if (node.kind !== 'map' || node.entries.length === 0) {
    return problem(ctx, node, { allowed, message: 'redirect says what may be read and written' });
  }
  const found: { read?: readonly string[]; write?: readonly string[] } = {};
  for (const { key, keyAt, value } of node.entries) {
    if (key !== 'read' && key !== 'write') {
      problem(ctx, { kind: 'scalar', at: keyAt, value: key }, { allowed, message: `unknown key ${key}` });
      continue;
    }
    const globs = pathGlobs(inside(ctx, key), value, value.kind === 'list' ? value.items : [value]);
    if (globs !== undefined) found[key] = globs.globs;
  }
  return found;
}
