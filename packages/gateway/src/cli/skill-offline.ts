/** Signing, verifying and looking at skills: no daemon, no store, no network. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import {
  type Contents,
  type SkillManifest,
  type SkillRefusal,
  type Trust,
  type Verified,
  isRefusal,
  nodeOf,
  readFolder,
  readManifest,
  readSigningKey,
  readTrust,
  signContents,
  signatureFile,
  systemClock,
  trustFact,
  verifyContents,
} from '@pawl/core';
import { parseDocument, readPolicy, readYaml } from '../config/index.js';
import { skillFolder } from '../power/index.js';
import { type CommandInput, type ExitCode, Misuse, type Terminal, exit, need } from './command.js';
import { tellBadPolicy } from './problem.js';

/** `skill sign`: writes `skill.oms.sig` into the folder, in one step. */
export async function signSkill(input: CommandInput, folder: string, terminal: Terminal): Promise<ExitCode> {
  const json = input.flag('json');
  const path = need(input, 'key');
  const pem = textOf(path);
  const key = pem === undefined ? 'unreadable' : readSigningKey(pem);
  if (typeof key === 'string') {
    const what = key === 'algorithm' ? 'is of an algorithm that signs nothing here' : 'is no private key';
    const message = `${path} ${what}; make one with pawl keys issue --signing`;
    return tell(terminal, json, { code: 'invalid_key', message });
  }
  const contents = await readFolder(skillFolder(folder));
  if (isRefusal(contents)) return tell(terminal, json, contents);
  const manifest = readManifest(contents.files, readYaml);
  if (isRefusal(manifest)) return tell(terminal, json, manifest);
  const { name } = manifest.frontmatter;
  const signed = signContents(contents, name, key);
  if (isRefusal(signed)) return tell(terminal, json, signed);
  const file = join(folder, signatureFile);
  const unwritten = written(folder, signed.bundle);
  if (unwritten !== undefined)
    return tell(terminal, json, { code: 'unwritable', message: `${file} cannot be written: ${unwritten}` });
  const files = contents.files.size;
  const { id } = key.publicKey;
  terminal.out(
    json
      ? `${JSON.stringify({ name, file, key: id, files })}\n`
      : `${name}: ${files} files are signed in ${file} by the key ${id}\n`,
  );
  return exit.ok;
}

/** Puts the signature in place in one step, or says why not; then nothing is left behind. */
function written(folder: string, bundle: string): string | undefined {
  const fresh = join(folder, `.${signatureFile}.${process.pid}`);
  try {
    writeFileSync(fresh, bundle, { mode: 0o644, flag: 'wx' });
    renameSync(fresh, join(folder, signatureFile));
    return undefined;
  } catch (error) {
    rmSync(fresh, { force: true });
    return error instanceof Error ? error.message : String(error);
  }
}

/** `skill verify`: exit 0 verified, 1 refused. */
export async function verifySkillFolder(
  input: CommandInput,
  folder: string,
  terminal: Terminal,
): Promise<ExitCode> {
  const json = input.flag('json');
  const trust = trustOf(input, terminal);
  if (typeof trust === 'number') return trust;
  const contents = await readFolder(skillFolder(folder));
  const verified = isRefusal(contents) ? contents : verifyContents(contents, trust, systemClock.wall());
  if (isRefusal(verified)) return tellRefused(terminal, json, verified);
  const manifest = readManifest(verified.files, readYaml);
  const named = mayBeCalled(verified, manifest);
  if (named !== undefined) return tellRefused(terminal, json, named);
  const bad = isRefusal(manifest) ? manifest : undefined;
  const name = isRefusal(manifest) ? basename(resolve(folder)) : manifest.frontmatter.name;
  terminal.out(
    json ? `${JSON.stringify(verifiedView(name, verified, bad))}\n` : verifiedText(name, verified, bad),
  );
  return exit.ok;
}

function verifiedView(
  name: string,
  { by, root, files, subject }: Verified,
  bad: SkillRefusal | undefined,
): object {
  const more = bad === undefined ? {} : { manifest: { reason: bad.reason, message: bad.message } };
  return { verified: true, name, subject, ...(by && { signer: by }), root, files: files.size, ...more };
}

function verifiedText(name: string, { by, files }: Verified, bad: SkillRefusal | undefined): string {
  const who = by?.subject ?? by?.name ?? by?.key ?? 'nobody';
  const more = bad === undefined ? '' : `  it does not load: ${bad.message}\n`;
  return `${name}: verified, ${files.size} files signed by ${who}\n${more}`;
}

/** A skill whose name cannot be read is one only for signers of any name. */
function mayBeCalled(verified: Verified, manifest: SkillManifest | SkillRefusal): SkillRefusal | undefined {
  return verified.mayBeCalled(isRefusal(manifest) ? '' : manifest.frontmatter.name);
}

function tellRefused(terminal: Terminal, json: boolean, refusal: SkillRefusal): ExitCode {
  const { code, reason, message, file } = refusal;
  const answer = { verified: false, code, reason, message, ...(file === undefined ? {} : { file }) };
  terminal.out(json ? `${JSON.stringify(answer)}\n` : `refused (${code}, ${reason}): ${message}\n`);
  return exit.negative;
}

/** The trust file of `--trust`, or of the policy; the exit code after what is wrong was told. */
function trustOf(input: CommandInput, terminal: Terminal): Trust | ExitCode {
  const json = input.flag('json');
  const file = input.text('trust');
  const policy = input.text('policy');
  if (file === undefined && policy === undefined) throw new Misuse('--trust or --policy is missing');
  if (file === undefined) return trustOfPolicy(policy ?? '', json, terminal);
  const text = textOf(file);
  const parsed = text === undefined ? undefined : parseDocument(text, file);
  if (parsed === undefined)
    return tell(terminal, json, { code: 'invalid_trust', message: `${file} cannot be read` });
  const read = parsed.ok ? readTrust(parsed.root) : { trust: undefined, problems: parsed.problems };
  if (read.trust !== undefined) return read.trust;
  return tellBadPolicy({ ok: false, file, problems: read.problems }, json, terminal);
}

function trustOfPolicy(policy: string, json: boolean, terminal: Terminal): Trust | ExitCode {
  const read = readPolicy(policy);
  if (!read.ok) return tellBadPolicy(read, json, terminal);
  const plain = read.policy.facts.get(trustFact);
  const trust = plain === undefined ? undefined : readTrust(nodeOf(plain, { line: 1, column: 1 })).trust;
  if (trust !== undefined) return trust;
  const message = `${policy} names no trust file; say skills: { trust: FILE }, or --trust FILE`;
  return tell(terminal, json, { code: 'invalid_trust', message });
}

/** `skill inspect`: what a skill says of itself, whoever wrote it. */
export async function inspectSkill(
  input: CommandInput,
  folder: string,
  terminal: Terminal,
): Promise<ExitCode> {
  const json = input.flag('json');
  const contents = await readFolder(skillFolder(folder));
  if (isRefusal(contents)) return tellRefused(terminal, json, contents);
  const manifest = readManifest(contents.files, readYaml);
  if (isRefusal(manifest)) return tellRefused(terminal, json, manifest);
  const view = inspected(contents, manifest);
  terminal.out(json ? `${JSON.stringify(view)}\n` : `${inspectedLines(view).join('\n')}\n`);
  return exit.ok;
}

interface Inspected {
  readonly name: string;
  readonly description: string;
  readonly signed: boolean;
  readonly files: readonly string[];
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly tools: Readonly<
    Record<string, { readonly needs: readonly string[]; readonly run?: string; readonly module?: string }>
  >;
  readonly allowedTools?: readonly string[];
  readonly unknownKeys: readonly string[];
}

function inspected({ files, signature }: Contents, manifest: SkillManifest): Inspected {
  const { name, description, allowedTools, unknown } = manifest.frontmatter;
  return {
    name,
    description,
    signed: signature !== undefined,
    files: [...files.keys()].sort(),
    capabilities: Object.fromEntries(manifest.capabilities.map((each) => [each.name, each.rule])),
    tools: Object.fromEntries(
      manifest.tools.map(({ name: tool, needs, run, as }) => [
        tool,
        as === 'module' ? { needs, module: run } : { needs, run },
      ]),
    ),
    ...(allowedTools === undefined ? {} : { allowedTools: allowedTools.map(({ text }) => text) }),
    unknownKeys: unknown,
  };
}

function inspectedLines(view: Inspected): readonly string[] {
  const { name, description, signed, files, capabilities, tools, allowedTools, unknownKeys } = view;
  return [
    `${name}: ${description}`,
    `  ${files.length} files, ${signed ? 'with a signature that was not verified' : 'unsigned'}`,
    ...Object.entries(capabilities).map(([each, rule]) => `  asks for ${each}: ${JSON.stringify(rule)}`),
    ...Object.entries(tools).map(
      ([tool, { needs, run, module }]) =>
        `  tool ${tool} ${module === undefined ? `runs ${run ?? ''}` : `is the module ${module}`} and needs ${needs.join(', ') || 'nothing'}`,
    ),
    ...(allowedTools === undefined ? [] : [`  allowed-tools: ${allowedTools.join(' ') || 'none'}`]),
    ...(unknownKeys.length === 0 ? [] : [`  keys that mean nothing here: ${unknownKeys.join(', ')}`]),
  ];
}

function tell(
  terminal: Terminal,
  json: boolean,
  problem: { readonly code: string; readonly message: string; readonly reason?: string },
): ExitCode {
  const { code, message, reason } = problem;
  const error = { code, ...(reason === undefined ? {} : { reason }), message };
  terminal.err(json ? `${JSON.stringify({ error })}\n` : `pawl skill: ${message}\n`);
  return exit.invalid;
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
