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
import { Lines } from './position.js';
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
  /** An earlier policy: what of it is made of the very same is taken over. Changes no answer. */
  readonly before?: CompiledPolicy;
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
    ...(options.before === undefined ? {} : { before: options.before }),
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
    const fact = readFact(resolve(folder, file), file, name === trustFact);
    if (fact.ok) facts.set(name, fact.value);
    else problems.push(badFact(name, at, fact));
  }
  return problems.length > 0 ? { problems } : { facts };
}

/** What was found instead of a fact: at a place of its own file where that could be read. */
interface BadFact {
  readonly ok: false;
  readonly file: string;
  readonly at?: Position;
  readonly found: string;
  readonly allowed?: string;
}

/** `path` is what is opened, `file` what people are told. */
function readFact(
  path: string,
  file: string,
  isTrust: boolean,
): { readonly ok: true; readonly value: Json } | BadFact {
  const text = readText(path);
  if (text === undefined) return { ok: false, file, found: whyUnreadable(path) };
  const read = parseJson(text);
  if (read.ok) return (isTrust ? badTrust(text, file) : undefined) ?? read;
  return { ok: false, file, at: new Lines(text).at(read.at), found: read.found };
}

/** The first thing wrong with a trust file. */
function badTrust(text: string, file: string): BadFact | undefined {
  const parsed = parseDocument(text, file);
  const [problem] = parsed.ok ? readTrust(parsed.root).problems : parsed.problems;
  return problem && { ok: false, file, at: problem.at, found: problem.found, allowed: problem.allowed };
}

function badFact(name: string, at: Position, bad: BadFact): LoadProblem {
  const { file, at: inside, found, allowed = 'a file that holds one JSON value' } = bad;
  const isTrust = name === trustFact;
  const what = isTrust ? 'trust file' : `fact ${name}`;
  const place = inside === undefined ? file : `${file}:${inside.line}:${inside.column}`;
  const message = `the ${what} cannot be read: ${place}: found ${found}; allowed here: ${allowed}`;
  return { at, path: isTrust ? trustFact : `facts.${name}`, found, allowed, message };
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
