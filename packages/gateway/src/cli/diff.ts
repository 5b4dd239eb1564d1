/** `pawl diff`: what a change of policy would newly allow: a proof that it is nothing, or a call that shows it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type CompiledPolicy,
  type Json,
  certificateFaults,
  comparePolicies,
  judgeCall,
  lintPolicy,
  parseJson,
} from '@pawl/core';
import { type LoadedPolicy, compileRead, formatProblem, readPolicy } from '../config/index.js';
import { type StoredAuthority, readAuthority } from '../store/index.js';
import { toolsOption } from './catalog-option.js';
import { type Command, type CommandInput, type ExitCode, Misuse, type Terminal, exit } from './command.js';
import { type DiffExtras, diffText, diffView } from './diff-view.js';
import { tellBadPolicy } from './problem.js';

/** The command. */
export const diffCommand: Command = {
  name: 'diff',
  summary: 'Says what NEW would allow that OLD does not: nothing, proved, or a call that shows it.',
  usage:
    'diff OLD NEW [--tools DIR | --tools-old DIR --tools-new DIR] [--store S] [--certificate FILE | --check-certificate FILE] [--json]',
  example: 'pawl diff examples/quickstart/pawl.yaml examples/quickstart/pawl.yaml',
  options: {
    tools: { type: 'string', help: 'folder with one <server>.json a server: a tools/list answer' },
    'tools-old': { type: 'string', help: 'the same for OLD alone' },
    'tools-new': { type: 'string', help: 'the same for NEW alone' },
    store: {
      type: 'string',
      help: 'folder of a store: executors that it knows are not new, and what is stored for them counts',
    },
    certificate: { type: 'string', help: 'where the proof of an attenuation is written' },
    'check-certificate': { type: 'string', help: 'a proof to check, instead of making one' },
    json: { type: 'boolean', help: 'one JSON object' },
  },
  run: diff,
};

async function diff(input: CommandInput, terminal: Terminal): Promise<ExitCode> {
  const [oldFile, newFile] = input.words;
  if (oldFile === undefined || newFile === undefined) throw new Misuse('OLD or NEW is missing');
  const stored = await storedIn(input, terminal);
  if (stored === 'bad') return exit.invalid;
  const { declared } = stored;
  const old = load(input, terminal, { side: 'old', file: oldFile, declared });
  if (old === 'bad') return exit.invalid;
  const next = load(input, terminal, { side: 'new', file: newFile, declared, before: old.policy });
  if (next === 'bad') return exit.invalid;
  const checked = input.text('check-certificate');
  if (checked !== undefined) return checkFile(checked, { old, next }, terminal);
  return compared({ old, next, newFile, known: stored.executors }, input, terminal);
}

/** What is compared. */
interface Sides {
  readonly old: LoadedPolicy;
  readonly next: LoadedPolicy;
  readonly newFile: string;
  readonly known: StoredAuthority['executors'];
}

function compared({ old, next, newFile, known }: Sides, input: CommandInput, terminal: Terminal): ExitCode {
  const begun = performance.now();
  const comparison = comparePolicies({
    old: old.policy,
    next: next.policy,
    judge: judgeCall,
    known: new Set(known),
  });
  const ms = Math.round((performance.now() - begun) * 10) / 10;
  const findings = [...next.findings, ...lintPolicy(next.read.document, next.policy)].map((finding) =>
    formatProblem(newFile, finding),
  );
  const schemas = [...next.policy.servers.values()].every(({ tools }) => tools === undefined)
    ? 'none'
    : 'known';
  const kept = input.text('certificate');
  if (kept !== undefined && !keep(kept, comparison.certificate, terminal)) return exit.invalid;
  const extras: DiffExtras = { findings, ms, schemas };
  const view = diffView(comparison, extras);
  terminal.out(input.flag('json') ? `${JSON.stringify(view)}\n` : diffText(comparison, extras));
  return view.relation === 'equal' || view.relation === 'attenuation' ? exit.ok : exit.negative;
}

/** What the store knows that was named; nothing where none was. `bad` after the reason was told. */
async function storedIn(input: CommandInput, terminal: Terminal): Promise<StoredAuthority | 'bad'> {
  const folder = input.text('store');
  if (folder === undefined) return { executors: [], declared: [] };
  try {
    return await readAuthority(resolve(folder));
  } catch (error) {
    terminal.err(`pawl diff: --store: ${error instanceof Error ? error.message : String(error)}\n`);
    return 'bad';
  }
}

/** One of both documents, with what is stored beside it. */
interface Side {
  readonly side: 'old' | 'new';
  readonly file: string;
  readonly declared: StoredAuthority['declared'];
  /** Compiled already: what both have in common is made once. */
  readonly before?: CompiledPolicy;
}

function load(
  input: CommandInput,
  terminal: Terminal,
  { side, file, declared, before }: Side,
): LoadedPolicy | 'bad' {
  const own = `tools-${side}` as const;
  const tools = toolsOption(input, terminal, input.text(own) === undefined ? 'tools' : own);
  if (tools === 'bad') return 'bad';
  const read = readPolicy(file);
  const options = { tools, declared, vanishedTool: 'problem', ...(before && { before }) } as const;
  const loaded = read.ok ? compileRead(read.policy, options) : read;
  if (loaded.ok) return loaded;
  tellBadPolicy(loaded, input.flag('json'), terminal);
  return 'bad';
}

/** Writes the certificate; false after the reason why not was told. */
function keep(file: string, certificate: Json | undefined, terminal: Terminal): boolean {
  if (certificate === undefined) {
    terminal.err('no certificate: NEW is no proved attenuation of OLD\n');
    return true;
  }
  try {
    writeFileSync(file, `${JSON.stringify(certificate)}\n`);
    return true;
  } catch (error) {
    terminal.err(`${file}: cannot be written: ${error instanceof Error ? error.message : String(error)}\n`);
    return false;
  }
}

/** Checks a certificate, and compares outright what no certificate holds. Exit 0 when NEW is a proved attenuation. */
function checkFile(
  file: string,
  { old, next }: { readonly old: LoadedPolicy; readonly next: LoadedPolicy },
  terminal: Terminal,
): ExitCode {
  const read = readCertificate(file);
  if (read === undefined) {
    terminal.err(`${file}: found no JSON; allowed here: a file that diff --certificate wrote\n`);
    return exit.invalid;
  }
  const faults = certificateFaults(read, { old: old.policy, next: next.policy, judge: judgeCall });
  for (const fault of faults) terminal.out(`${fault}\n`);
  terminal.out(faults.length === 0 ? 'the certificate holds\n' : 'the certificate does not hold\n');
  return faults.length === 0 ? exit.ok : exit.negative;
}

function readCertificate(file: string): Json | undefined {
  try {
    const limits = { bytes: mostBytes, depth: 512, items: mostBytes, members: mostBytes };
    const parsed = parseJson(readFileSync(file, 'utf8'), limits);
    return parsed.ok ? parsed.value : undefined;
  } catch {
    return undefined;
  }
}

const mostBytes = 256 * 1024 * 1024;
