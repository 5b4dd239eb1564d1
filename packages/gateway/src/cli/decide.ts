/** `pawl decide`: judges recorded calls against a policy without starting any server. */
import { readFileSync } from 'node:fs';
import { Counter, systemClock } from '@pawl/core';
import { compileRead, readPolicy } from '../config/index.js';
import { lineOf, objectIn } from './call-line.js';
import { toolsOption } from './catalog-option.js';
import { executorDefaults } from './executor-default.js';
import { type Command, type CommandInput, type ExitCode, type Terminal, exit, need } from './command.js';
import { type DecideLine, type Verdict, judgeLine } from './judge.js';
import { tellBadPolicy, tellFindings } from './problem.js';

/** The command. */
export const decideCommand: Command = {
  name: 'decide',
  summary: 'Judges calls from a file: permit, ask or deny, with the reason.',
  usage:
    'decide --policy P --calls C.jsonl [--tools DIR] [--agent A] [--instance I] [--assume-consent] [--json]',
  example: 'pawl decide --policy examples/quickstart/pawl.yaml --calls examples/quickstart/calls.jsonl',
  options: {
    policy: { type: 'string', help: 'the policy document' },
    calls: { type: 'string', help: 'one JSON object a line: id, tool, args (or raw, or message)' },
    tools: { type: 'string', help: 'folder with one <server>.json a server: a tools/list answer' },
    agent: { type: 'string', help: 'agent of lines that name none' },
    instance: { type: 'string', help: 'instance of lines that name none' },
    'assume-consent': { type: 'boolean', help: 'ask becomes permit' },
    json: { type: 'boolean', help: 'one JSON object a line' },
  },
  run: decide,
};

async function decide(input: CommandInput, terminal: Terminal): Promise<ExitCode> {
  const json = input.flag('json');
  const policyFile = need(input, 'policy');
  const callsFile = need(input, 'calls');
  const tools = toolsOption(input, terminal);
  if (tools === 'bad') return exit.invalid;
  const read = readPolicy(policyFile);
  if (!read.ok) return tellBadPolicy(read, json, terminal);
  const loaded = compileRead(read.policy, { tools, vanishedTool: 'problem' });
  if (!loaded.ok) return tellBadPolicy(loaded, json, terminal);
  const lines = readLines(callsFile, terminal);
  if (lines === undefined) return exit.invalid;
  if (!json) tellFindings(policyFile, loaded.findings, terminal);
  // All lines are judged on one day.
  const start = systemClock.wall();
  const context = {
    policy: loaded.policy,
    assumeConsent: input.flag('assume-consent'),
    limits: new Counter({ clock: { wall: () => start } }),
    ...executorDefaults(input, loaded.policy),
  };
  terminal.out(lines.map((line) => `${print(judgeLine(context, line).verdict, json)}\n`).join(''));
  return exit.ok;
}

function readLines(file: string, terminal: Terminal): readonly DecideLine[] | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    terminal.err(`${file}: cannot be read\n`);
    return undefined;
  }
  const lines: DecideLine[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const object = objectIn(line);
    const read = object && lineOf(object);
    if (read === undefined) {
      terminal.err(
        `${file}:${index + 1}:1: found no object with "id" and "tool" or "message", all but "id" and "args" texts\n`,
      );
      return undefined;
    }
    lines.push(read);
  }
  return lines;
}

function print(verdict: Verdict, json: boolean): string {
  if (json) return JSON.stringify(verdict);
  const { id, decision, code, layer, constraint, message } = verdict;
  const why = [code, layer, constraint].filter((part) => part !== undefined).join(' ');
  return `${typeof id === 'string' ? id : JSON.stringify(id)} ${decision}${why === '' ? '' : ` ${why}`}${message === undefined ? '' : `: ${message}`}`;
}
