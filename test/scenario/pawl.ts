/** `pawl decide` and `pawl lint` in process, on the files of one case. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json } from '@pawl/core';
import { onTestFinished } from 'vitest';
import { type Command, readInput } from '../../packages/gateway/src/cli/command.js';
import { decideCommand } from '../../packages/gateway/src/cli/decide.js';
import { diffCommand } from '../../packages/gateway/src/cli/diff.js';
import { lintCommand } from '../../packages/gateway/src/cli/lint.js';

/** A tool as its server lists it. */
export interface Tool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: Json;
}

/** The files of one case. */
export interface Files {
  readonly policy: string;
  /** One `<server>.json` each; undefined: the command is given no `--tools`. */
  readonly tools?: Readonly<Record<string, readonly Tool[]>>;
  /** Beside the document. */
  readonly files?: Readonly<Record<string, string>>;
}

/** What a command left behind. */
export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs `decide --json`; a line that is no text is written as JSON. */
export async function decide(
  files: Files,
  lines: readonly unknown[],
  options: readonly string[] = ['--json'],
): Promise<Outcome> {
  const folder = folderOf(files);
  const calls = join(folder, 'calls.jsonl');
  writeFileSync(
    calls,
    lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
  );
  return command(decideCommand, [...filesOf(folder, files), '--calls', calls, ...options]);
}

/** Runs `lint`. */
export async function lint(files: Files, options: readonly string[] = []): Promise<Outcome> {
  return command(lintCommand, [...filesOf(folderOf(files), files), ...options]);
}

/** Two documents and what surrounds each. */
export interface Pair {
  readonly old: Files;
  readonly next: Files;
}

/** Runs `diff --json` on OLD and NEW. */
export async function diff({ old, next }: Pair, options: readonly string[] = ['--json']): Promise<Outcome> {
  const [one, two] = [folderOf(old), folderOf(next)];
  const tools = (folder: string, side: string, files: Files): readonly string[] =>
    files.tools === undefined ? [] : [`--tools-${side}`, join(folder, 'tools')];
  const files = [join(one, 'policy.yaml'), join(two, 'policy.yaml')];
  return command(diffCommand, [...files, ...tools(one, 'old', old), ...tools(two, 'new', next), ...options]);
}

async function command(which: Command, argv: readonly string[]): Promise<Outcome> {
  const [out, err]: [string[], string[]] = [[], []];
  const terminal = { out: (text: string) => void out.push(text), err: (text: string) => void err.push(text) };
  const code = await which.run(readInput(which.options, argv), terminal);
  return { code, out: out.join(''), err: err.join('') };
}

function folderOf({ policy, tools, files }: Files): string {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-scenario-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'policy.yaml'), policy);
  for (const [name, text] of Object.entries(files ?? {})) writeFileSync(join(folder, name), text);
  if (tools !== undefined) mkdirSync(join(folder, 'tools'));
  for (const [server, list] of Object.entries(tools ?? {})) {
    writeFileSync(join(folder, 'tools', `${server}.json`), JSON.stringify({ tools: list }));
  }
  return folder;
}

function filesOf(folder: string, { tools }: Files): readonly string[] {
  return [
    '--policy',
    join(folder, 'policy.yaml'),
    ...(tools === undefined ? [] : ['--tools', join(folder, 'tools')]),
  ];
}
