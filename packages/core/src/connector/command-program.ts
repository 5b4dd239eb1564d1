/** What programs do with the paths among their words: a closed table (POLICY section 4, command). */
import type { Verb } from '../authority/index.js';

/** What is said of one program. */
export interface ProgramTable {
  /** What it does with a word that is a path; none: its words are no paths. */
  readonly verbs: readonly Verb[];
  /** Options that let it do more: with a word that begins with one of them it counts as any program. */
  readonly unless?: readonly string[];
}

/** What any program may do with its words. */
export const anything: ProgramTable = { verbs: ['read', 'write', 'delete'] };

const reading: ProgramTable = { verbs: ['read'] };
const payload: ProgramTable = { verbs: [] };

/** Programs that do less than that, by name as spelled. Those that can be told to write or to run something say how. */
export const programs: ReadonlyMap<string, ProgramTable> = new Map<string, ProgramTable>([
  ...['ls', 'cat', 'head', 'tail', 'wc', 'stat', 'du', 'cmp', 'cut', 'nl', 'tac', 'rev', 'comm', 'paste'].map(
    (name) => [name, reading] as const,
  ),
  ...[
    'grep',
    'egrep',
    'fgrep',
    'od',
    'hexdump',
    'strings',
    'readlink',
    'realpath',
    'dirname',
    'basename',
  ].map((name) => [name, reading] as const),
  ...['md5sum', 'sha1sum', 'sha256sum', 'sha512sum', 'cksum', 'cd', 'pwd', 'test', '['].map(
    (name) => [name, reading] as const,
  ),
  ['diff', { ...reading, unless: ['--output'] }],
  ['tree', { ...reading, unless: ['-o'] }],
  ['find', { ...reading, unless: ['-delete', '-exec', '-ok', '-fls', '-fprint'] }],
  ['rg', { ...reading, unless: ['--pre', '--hostname-bin'] }],
  ['jq', reading],
  ['mkdir', { verbs: ['write'] }],
  ['touch', { verbs: ['write'] }],
  ['rmdir', { verbs: ['delete'] }],
  ['echo', payload],
  ['printf', payload],
  ['true', payload],
  ['false', payload],
]);

/** An option whose value is text: not a path, whatever stands in it. */
export interface PayloadOption {
  readonly program: string;
  /** The subcommand, which is the first word that is no option. */
  readonly sub: string;
  /** The value is the next word. */
  readonly apart: readonly string[];
  /** The value stands in the same word, behind this. */
  readonly joined: readonly string[];
}

/** Options with text. */
export const payloadOptions: readonly PayloadOption[] = ['commit', 'tag', 'merge', 'notes', 'stash'].map(
  (sub) => ({
    program: 'git',
    sub,
    apart: ['-m', '--message', ...(sub === 'commit' ? ['-am'] : [])],
    joined: ['-m', '--message=', ...(sub === 'commit' ? ['-am'] : [])],
  }),
);
