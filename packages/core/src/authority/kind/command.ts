/** command: a simple command by its program, its words, its assignments and its redirections. */
import type { Json } from '../../ground/index.js';
import {
  type Language,
  type Pattern,
  anything,
  intersect,
  pattern,
  union,
  unionAll,
} from '../automaton/index.js';
import {
  afterProgram,
  anyAssignments,
  anyRedirects,
  anyWords,
  assigning,
  assigningCommands,
  commandsOf,
  havingWord,
  positional,
  programWords,
  redirecting,
  redirectingNowhere,
  resolvedRedirects,
  subcommands,
  textsOf,
} from './command-language.js';
import { readCommandConstraint } from './command-constraint.js';
import type { CommandConstraint } from './constraint.js';
import type { CompileContext } from './context.js';
import type { Kind } from './kind.js';
import { textLeaves } from './leaves.js';
import { type Meanings, scalarsIn } from './meaning.js';
import { remembering } from './memo.js';
import { globLanguage } from './path.js';

const known = remembering<Language>(4096);

function meaning(constraint: CommandConstraint, ctx: CompileContext): Meanings {
  const { polarity, path, pathNamed = false } = ctx;
  const { root, home, platform } = path;
  const key = JSON.stringify([constraint, polarity, path.case, root, home, platform, pathNamed]);
  return scalarsIn('command', textLeaves(known(key, () => commandLanguage(constraint, ctx))));
}

/** Admitting: what is not mentioned is not there; refusing: it is free, but that assignments are refused unless mentioned. */
function commandLanguage(constraint: CommandConstraint, ctx: CompileContext): Language {
  const words = wordsOf(constraint, ctx.polarity === 'refuse');
  if (ctx.polarity === 'admit') {
    return commandsOf(admittedAssignments(constraint), admittedRedirects(constraint, ctx), words);
  }
  const met = [commandsOf(anyAssignments, anyRedirects, words), ...refusedParts(constraint, ctx)];
  const all = met.reduce(intersect);
  return constraint.env === undefined ? union(all, assigningCommands) : all;
}

function wordsOf({ program, sub, args, has }: CommandConstraint, refusing: boolean): Language {
  const rest = args === undefined ? anyWords : positional(args, refusing);
  const parts = [
    program === undefined ? anything : programWords(program, refusing),
    sub === undefined ? afterProgram(rest) : subcommands(sub, rest, refusing),
    has === undefined ? anything : havingWord(has, refusing),
  ];
  return parts.reduce(intersect);
}

function admittedAssignments({ env }: CommandConstraint): Pattern {
  if (env === undefined) return pattern.empty;
  return env === 'any' ? anyAssignments : pattern.star(assigning(namesOf(env, false)));
}

function namesOf(globs: readonly string[], fold: boolean): Language {
  return unionAll(globs.map((glob) => textsOf(glob, fold)));
}

const verbs = ['read', 'write'] as const;

function admittedRedirects({ redirect }: CommandConstraint, ctx: CompileContext): Pattern {
  if (redirect === undefined) return ctx.pathNamed === true ? resolvedRedirects : pattern.empty;
  const some = verbs.flatMap((verb) => {
    const globs = redirect[verb];
    return globs === undefined ? [] : [redirecting(verb, pathsOf(globs, ctx))];
  });
  return pattern.star(pattern.either(...some));
}

function pathsOf(globs: readonly string[], { path, polarity }: CompileContext): Language {
  const fold = polarity === 'refuse' || path.case === 'insensitive';
  return unionAll(globs.map((glob) => globLanguage(glob, path, fold)));
}

/** Commands of which some assignment, and some redirection, is among those named; one that is not resolved may be anywhere. */
function refusedParts({ env, redirect }: CommandConstraint, ctx: CompileContext): readonly Language[] {
  const parts: Language[] = [];
  if (env !== undefined && env !== 'any') {
    const some = pattern.sequence(anyAssignments, assigning(namesOf(env, true)), anyAssignments);
    parts.push(commandsOf(some, anyRedirects, anything));
  }
  const named = verbs.flatMap((verb) => {
    const globs = redirect?.[verb];
    return globs === undefined ? [] : [redirecting(verb, pathsOf(globs, ctx)), redirectingNowhere(verb)];
  });
  if (named.length > 0) {
    const some = pattern.sequence(anyRedirects, pattern.either(...named), anyRedirects);
    parts.push(commandsOf(anyAssignments, some, anything));
  }
  return parts;
}

function toDocument({ kind: _kind, env, redirect, ...lists }: CommandConstraint): Json {
  const copy = (list: readonly string[]): Json => [...list];
  const sides = Object.entries(redirect ?? {}).map(([verb, globs]) => [verb, copy(globs)] as const);
  return {
    ...Object.fromEntries(Object.entries(lists).map(([key, list]) => [key, copy(list)])),
    ...(env === undefined ? {} : { env: env === 'any' ? env : copy(env) }),
    ...(redirect === undefined ? {} : { redirect: Object.fromEntries(sides) }),
  };
}

/** The kind `command`. */
export const command: Kind<CommandConstraint> = {
  name: 'command',
  help: 'A command line of which every simple command meets all that is given; long form only.',
  keys: {
    program: {
      help: 'Programs as spelled: names with `*` and `?`, or whole paths; a denied name is denied in every folder.',
    },
    sub: {
      help: 'Subcommands after known global options, as `status` or `pr view`; of git, npm, docker, kubectl, cargo, go and gh.',
    },
    args: {
      help: 'Words by position, with `sub` those after it: `*` one word, `**` any number, else a text with `*` and `?`.',
    },
    has: { help: 'Some word after the program is one of these, for denials.' },
    env: { help: '`any`, or names that may be assigned before the command; not given: none may.' },
    redirect: {
      help: '`{ read, write }`: paths that redirections may read and write; not given: none, unless the rule names `path`.',
    },
  },
  onFields: false,
  read: readCommandConstraint,
  toDocument,
  meaning,
};
