/** Programs that run other programs, or whatever they are told: a grant of one with free arguments grants everything. */
import { type Language, includes, pattern } from '../automaton/index.js';
import { commandsOf, programWords } from './command-language.js';
import { remembering } from './memo.js';
import type { ValueSet } from './set-types.js';

const launchers: readonly string[] = [
  'awk',
  'bash',
  'bun',
  'busybox',
  'chroot',
  'dash',
  'deno',
  'doas',
  'env',
  'exec',
  'expect',
  'find',
  'fish',
  'gawk',
  'ksh',
  'lua',
  'make',
  'node',
  'npx',
  'nsenter',
  'parallel',
  'perl',
  'php',
  'powershell',
  'pwsh',
  'python',
  'python3',
  'ruby',
  'script',
  'setsid',
  'sh',
  'ssh',
  'strace',
  'su',
  'sudo',
  'unshare',
  'watch',
  'xargs',
  'zsh',
];

const known = remembering<Language>(128);

function freely(launcher: string): Language {
  return known(launcher, () => commandsOf(pattern.empty, pattern.empty, programWords([launcher], false)));
}

/** The launchers of which a set of commands holds every use, whatever their words. */
export function freeLaunchers({ text }: ValueSet): readonly string[] {
  return launchers.filter((launcher) => includes(text, freely(launcher)));
}
