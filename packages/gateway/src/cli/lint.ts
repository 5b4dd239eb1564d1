/** `pawl lint`: load errors and findings of a policy. */
import { lintPolicy } from '@pawl/core';
import { compileRead, formatProblem, readPolicy } from '../config/index.js';
import { type Command, type CommandInput, type ExitCode, Misuse, type Terminal, exit } from './command.js';
import { toolsOption } from './catalog-option.js';
import { tellBadPolicy } from './problem.js';

/** The command. */
export const lintCommand: Command = {
  name: 'lint',
  summary: 'Checks a policy: load errors, and findings worth knowing.',
  usage: 'lint POLICY [--tools DIR] [--strict] [--json]',
  example: 'pawl lint examples/quickstart/pawl.yaml',
  options: {
    policy: { type: 'string', help: 'the policy, instead of the word POLICY' },
    tools: { type: 'string', help: 'folder with one <server>.json a server: a tools/list answer' },
    strict: { type: 'boolean', help: 'findings exit 1' },
    json: { type: 'boolean', help: 'one JSON line a finding; load errors as one line on stderr' },
  },
  run: lint,
};

async function lint(input: CommandInput, terminal: Terminal): Promise<ExitCode> {
  const file = input.text('policy') ?? input.words[0];
  if (file === undefined) throw new Misuse('POLICY is missing');
  const json = input.flag('json');
  const tools = toolsOption(input, terminal);
  if (tools === 'bad') return exit.invalid;
  const read = readPolicy(file);
  if (!read.ok) return tellBadPolicy(read, json, terminal);
  const loaded = compileRead(read.policy, { tools, vanishedTool: 'problem' });
  if (!loaded.ok) return tellBadPolicy(loaded, json, terminal);
  const findings = [...loaded.findings, ...lintPolicy(loaded.read.document, loaded.policy)];
  for (const finding of findings) {
    const { at, message } = finding;
    const line = json
      ? JSON.stringify({ file, line: at.line, column: at.column, message })
      : formatProblem(file, finding);
    terminal.out(`${line}\n`);
  }
  if (!json && findings.length === 0) terminal.out(`${file}: no findings\n`);
  return input.flag('strict') && findings.length > 0 ? exit.negative : exit.ok;
}
