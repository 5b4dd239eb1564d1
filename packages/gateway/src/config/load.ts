/** Loading a policy: the file, what it captures from other files, and its meaning for given tools. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import {
  type CompiledPolicy,
  type Declaration,
  type Digest,
  type Json,
  type LoadProblem,
  type PolicyDocument,
  type Position,
  type ToolCatalog,
  type Work,
  canonicalPath,
  compileInSteps,
  compilePolicy,
  parseJson,
  readDocument,
  readTrust,
  trustFact,
} from '@pawl/core';
import { loadProblem } from './problem.js';
import { parseDocument } from './yaml.js';

/** A document that was read; not yet compiled. */
export interface ReadPolicy {
  /** As given. */
  readonly file: string;
  /** Absolute folder of the file. */
  readonly folder: string;
  readonly text: string;
  readonly document: PolicyDocument;
  readonly facts: ReadonlyMap<string, Json>;
  readonly findings: readonly LoadProblem[];
  /** Of the document without its neutral keys, where it was made while reading: `document.plain` is empty then. */
  readonly digest?: Digest;
}

/** Everything wrong with a policy. */
export interface BadPolicy {
  readonly ok: false;
  readonly file: string;
  readonly problems: readonly LoadProblem[];
}

const start: Position = Object.freeze({ line: 1, column: 1 });

/** Reads a policy file and the facts that it names. */
export function readPolicy(file: string): { readonly ok: true; readonly policy: ReadPolicy } | BadPolicy {
  const text = readText(file);
  if (text === undefined)
    return bad(file, [loadProblem(start, '', whyUnreadable(file), 'a policy document')]);
  return readPolicyText(file, text);
}

/** Reads a policy from its text; `file` is where it is said to stand. */
export function readPolicyText(
  file: string,
  text: string,
): { readonly ok: true; readonly policy: ReadPolicy } | BadPolicy {
  const parsed = parseDocument(text, file);
  if (!parsed.ok) return bad(file, parsed.problems);
  const { document, problems, findings } = readDocument(parsed.root);
  if (document === undefined) return bad(file, problems);
  const folder = dirname(resolve(file));
  const facts = readFacts(document, folder);
  if ('problems' in facts) return bad(file, facts.problems);
  return { ok: true, policy: { file, folder, text, document, facts: facts.facts, findings } };
}

/** A policy with everything that it captured, as it was read once. */
export interface CapturedPolicy {
  readonly document: string;
  /** Absolute. */
  readonly folder: string;
  readonly facts: ReadonlyMap<string, Json>;
}

/** Reads a policy that was captured before: no file is opened. `file` is where it is said to stand. */
export function readCaptured(
  file: string,
  { document: text, folder, facts }: CapturedPolicy,
): { readonly ok: true; readonly policy: ReadPolicy } | BadPolicy {
  const parsed = parseDocument(text, file);
  if (!parsed.ok) return bad(file, parsed.problems);
  const { document, problems, findings } = readDocument(parsed.root);
  if (document === undefined) return bad(file, problems);
  return { ok: true, policy: { file, folder, text, document, facts, findings } };
}

/** What a policy is compiled for. */
export interface CompileOptions {
  readonly tools: ToolCatalog;
  readonly protectedPaths?: readonly string[];
  /** Entries of ceilings and narrowings that are stored beside the document; none unless told. */
  readonly declared?: readonly Declaration[];
  readonly vanishedTool: 'problem' | 'finding';
}

/** A compiled policy with the findings of reading and compiling. */
export interface LoadedPolicy {
  readonly ok: true;
  readonly read: ReadPolicy;
  readonly policy: CompiledPolicy;
  readonly findings: readonly LoadProblem[];
}

/** Compiles what was read. */
export function compileRead(read: ReadPolicy, options: CompileOptions): LoadedPolicy | BadPolicy {
  return loaded(read, compilePolicy(inputOf(read, options)));
}

/** As {@link compileRead}, with rests in between. */
export function* compileReadInSteps(
  read: ReadPolicy,
  options: CompileOptions,
): Work<LoadedPolicy | BadPolicy> {
  return loaded(read, yield* compileInSteps(inputOf(read, options)));
}

function inputOf(read: ReadPolicy, options: CompileOptions): Parameters<typeof compilePolicy>[0] {
  const folder = canonicalPath(read.folder, { case: 'sensitive', platform: 'posix' });
  return {
    document: read.document,
    tools: options.tools,
    facts: read.facts,
    protectedPaths: options.protectedPaths ?? [],
    declared: options.declared ?? [],
    vanishedTool: options.vanishedTool,
    ...(folder.ok ? { folder: folder.path } : {}),
  };
}

function loaded(read: ReadPolicy, compiled: ReturnType<typeof compilePolicy>): LoadedPolicy | BadPolicy {
  if (compiled.policy === undefined) return bad(read.file, compiled.problems);
  return { ok: true, read, policy: compiled.policy, findings: [...read.findings, ...compiled.findings] };
}

function readFacts(
  document: PolicyDocument,
  folder: string,
): { readonly facts: ReadonlyMap<string, Json> } | { readonly problems: readonly LoadProblem[] } {
  const facts = new Map<string, Json>();
  const problems: LoadProblem[] = [];
  for (const [name, { file, at }] of document.facts) {
    const text = readText(resolve(folder, file));
    const read = text === undefined ? undefined : parseJson(text);
    const wrong =
      name === trustFact && read?.ok === true ? trustProblem(text ?? '', { file, at }) : undefined;
    if (wrong !== undefined) problems.push(wrong);
    else if (read?.ok === true) facts.set(name, read.value);
    else {
      const found =
        read === undefined ? `${file}, which cannot be read` : `${file}, which holds ${read.found}`;
      const path = name === trustFact ? name : `facts.${name}`;
      problems.push(loadProblem(at, path, found, 'a JSON file beside the document'));
    }
  }
  return problems.length > 0 ? { problems } : { facts };
}

/** The first thing wrong with a trust file, told where the policy names it. */
function trustProblem(
  text: string,
  { file, at }: { readonly file: string; readonly at: Position },
): LoadProblem | undefined {
  const parsed = parseDocument(text, file);
  const [problem] = parsed.ok ? readTrust(parsed.root).problems : parsed.problems;
  if (problem === undefined) return undefined;
  const where = `${file}:${problem.at.line}:${problem.at.column} ${problem.path}`;
  return loadProblem(at, trustFact, `${where}: ${problem.found}`, problem.allowed);
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** What stands where a file should be, as far as one may look. */
function whyUnreadable(file: string): string {
  try {
    return statSync(file).isDirectory() ? 'a folder' : 'a file that cannot be read';
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return isAbsent ? 'no file of this name' : 'a file that cannot be read';
  }
}

function bad(file: string, problems: readonly LoadProblem[]): BadPolicy {
  return { ok: false, file, problems };
}
