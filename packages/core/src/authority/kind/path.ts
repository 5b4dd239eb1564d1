/** path: a canonical absolute path that matches one of some globs. */
import { type DocMap, type DocNode, type Json, UsageError, entryOf } from '../../ground/index.js';
import { type Language, type Pattern, intersect, languageOf, pattern, unionAll } from '../automaton/index.js';
import type { PathConstraint } from './constraint.js';
import type { CompileContext, PathContext, Place, ReadContext } from './context.js';
import type { Kind } from './kind.js';
import { textLeaves } from './leaves.js';
import { type Meanings, scalarsIn } from './meaning.js';
import { remembering } from './memo.js';
import {
  type GlobPath,
  type GlobSegment,
  type GlobToken,
  followsName,
  parseGlob,
  segmentMatches,
} from './path-glob.js';
import { allPaths, anyPath, segmentChar, step, stepOf } from './path-language.js';
import { allDrivePaths, anyDrive } from './path-win32.js';
import { finding, inside, problem, ruleText } from './problems.js';

const globsWanted = 'a path, a glob, or a list of them';

/** A constraint of one or more globs; undefined, with problems. Serves redirections of commands too. */
export function pathGlobs(
  ctx: ReadContext,
  node: DocNode,
  list: readonly DocNode[],
): PathConstraint | undefined {
  if (list.length === 0)
    return problem(ctx, node, { allowed: globsWanted, message: 'an empty list admits nothing' });
  const globs = list.map((item, i) => globOf(node === item ? ctx : inside(ctx, i), item));
  const good = globs.filter((glob) => glob !== undefined);
  return good.length < globs.length ? undefined : { kind: 'path', globs: Object.freeze([...new Set(good)]) };
}

function globOf(ctx: ReadContext, node: DocNode): string | undefined {
  if (node.kind !== 'scalar' || typeof node.value !== 'string') {
    return problem(ctx, node, { allowed: globsWanted, message: 'a path is a text' });
  }
  const glob = ruleText(ctx, node, node.value);
  if (glob === undefined) return undefined;
  const parsed = parseGlob(glob, ctx.path.platform);
  if ('fault' in parsed) {
    return problem(ctx, node, {
      found: parsed.fault,
      allowed: parsed.allowed,
      message: `${parsed.fault} in the path ${JSON.stringify(glob)}`,
    });
  }
  for (const path of parsed) {
    const lacking = lackingBase(path, ctx.path);
    if (lacking !== undefined) return problem(ctx, node, lacking);
  }
  if (glob === '**')
    finding(
      ctx,
      node,
      `** alone means everything below the root of the server; ${everywhere(ctx)} means every path`,
    );
  return glob;
}

function everywhere(ctx: ReadContext): string {
  return ctx.path.platform === 'win32' ? '**/**' : '/**';
}

function lackingBase(
  path: GlobPath,
  ctx: PathContext,
): { readonly allowed: string; readonly message: string } | undefined {
  if (path.base === 'home' && ctx.home === undefined) {
    return {
      allowed: 'an absolute path, or `home` at the server',
      message: '~ has no meaning without the home of the server',
    };
  }
  if (path.base === 'root' && ctx.root === undefined) {
    return {
      allowed: 'an absolute path, **/ in front, or `root` at the server',
      message: 'a relative path has no meaning without the root of the server',
    };
  }
  return undefined;
}

function read(node: DocMap, ctx: ReadContext): PathConstraint | undefined {
  const value: DocNode = entryOf(node, 'path')?.value ?? node;
  return pathGlobs(inside(ctx, 'path'), value, value.kind === 'list' ? value.items : [value]);
}

function toDocument(constraint: PathConstraint, place: Place): Json {
  const globs = [...constraint.globs];
  return place === 'path' ? globs : { path: globs };
}

function meaning(constraint: PathConstraint, ctx: CompileContext): Meanings {
  const fold = ctx.polarity === 'refuse' || ctx.path.case === 'insensitive';
  return scalarsIn(
    'path',
    textLeaves(unionAll(constraint.globs.map((glob) => globLanguage(glob, ctx.path, fold)))),
  );
}

const known = remembering<Language>(8192);

/** The canonical paths that a glob matches. A glob that does not read in this context is a UsageError. */
export function globLanguage(glob: string, ctx: PathContext, fold: boolean): Language {
  return known(JSON.stringify([glob, fold, ctx.root, ctx.home, ctx.platform]), () => {
    const parsed = parseGlob(glob, ctx.platform);
    if ('fault' in parsed) throw new UsageError(`${parsed.fault} in the path ${JSON.stringify(glob)}`);
    return unionAll(
      parsed.map((path) =>
        ctx.platform === 'win32' ? driveLanguage(path, ctx, fold) : pathLanguage(path, ctx, fold),
      ),
    );
  });
}

function pathLanguage(path: GlobPath, ctx: PathContext, fold: boolean): Language {
  const base = path.base === '/' ? '/' : baseOf(path, ctx);
  const segments = [...literalSegments(base), ...path.segments];
  const language = languageOf(pathPattern(segments), { fold });
  return segments.some(reachesDots) ? intersect(language, allPaths) : language;
}

/** Wildcards match more than names there, and folding drives in capitals: what remains is what paths can be. */
function driveLanguage(path: GlobPath, ctx: PathContext, fold: boolean): Language {
  const base = path.base === '/' ? '' : (path.drive ?? baseOf(path, ctx));
  const cut = base.indexOf('/');
  const drive = base === '' ? anyDrive : pattern.literal(cut < 0 ? base : base.slice(0, cut));
  const segments = [...literalSegments(cut < 0 ? '' : base.slice(cut)), ...path.segments];
  return intersect(languageOf(pattern.sequence(drive, pathPattern(segments)), { fold }), allDrivePaths);
}

function baseOf(path: GlobPath, ctx: PathContext): string {
  const base = path.base === 'home' ? ctx.home : ctx.root;
  if (base === undefined) throw new UsageError('a relative path without the root or home of its server');
  return base;
}

/** No segment at all is the path `/`, not the empty text. */
function pathPattern(segments: readonly GlobSegment[]): Pattern {
  if (segments.some((segment) => segment !== 'deep'))
    return pattern.sequence(...segments.map(segmentPattern));
  return segments.length === 0 ? pattern.literal('/') : anyPath;
}

function literalSegments(base: string): GlobToken[][] {
  const names = base.split('/').filter((name) => name !== '');
  return names.map((name) => Array.from(name, (char) => ({ char })));
}

function segmentPattern(segment: GlobSegment): Pattern {
  if (segment === 'deep') return pattern.star(step);
  if (segment.length === 1 && segment[0] === 'run') return step;
  return stepOf(pattern.sequence(...segment.map(tokenPattern)));
}

const one = pattern.chars(segmentChar);
const run = pattern.star(one);

function tokenPattern(token: GlobToken): Pattern {
  if (token === 'run') return run;
  if (token === 'one') return one;
  if ('char' in token) return pattern.literal(token.char);
  return pattern.either(...token.oneOf.map((inner) => pattern.sequence(...inner.map(tokenPattern))));
}

/** Whether the segment's pattern also matches a name that no path has. */
function reachesDots(segment: GlobSegment): boolean {
  if (segment === 'deep' || (segment.length === 1 && segment[0] === 'run')) return false;
  return ['', '.', '..'].some((name) => segmentMatches(segment, name));
}

/**
 * A denial's globs apart: those that begin with two stars and a slash follow the name, so that for moves and command words
 * they judge the path named only; the others reach below.
 */
export function splitByName(constraint: PathConstraint): {
  readonly named?: PathConstraint;
  readonly below?: PathConstraint;
} {
  const named = constraint.globs.filter(followsName);
  const below = constraint.globs.filter((glob) => !followsName(glob));
  return {
    ...(named.length === 0 ? {} : { named: { kind: 'path', globs: named } }),
    ...(below.length === 0 ? {} : { below: { kind: 'path', globs: below } }),
  };
}

/** The kind `path`. */
export const path: Kind<PathConstraint> = {
  name: 'path',
  help: 'A path that one of some globs matches; relative ones are meant from the root of the server. Short on a path field: a glob, or a list.',
  keys: {
    path: { help: 'A glob or a list of globs, for a raw argument.' },
  },
  onFields: false,
  read,
  short: pathGlobs,
  toDocument,
  meaning,
};
