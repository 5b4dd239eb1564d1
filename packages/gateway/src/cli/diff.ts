/** `pawl diff`: what a change of policy would newly allow: a proof that it is nothing, or a call that shows it. */
import { comparePolicies, judgeCall } from '@pawl/core';
import { type LoadedPolicy, compileRead, formatProblem, readPolicy } from '../config/index.js';
import { toolsOption } from './catalog-option.js';
import { type Command, type CommandInput, type ExitCode, Misuse, type Terminal, exit } from './command.js';
import { type DiffView, diffText, diffView } from './diff-view.js';
import { tellBadPolicy } from './problem.js';

/** The command. */
export const diffCommand: Command = {
  name: 'diff',
  summary: 'Says what NEW would allow that OLD does not: nothing, proved, or a call that shows it.',
  usage: 'diff OLD NEW [--tools DIR | --tools-old DIR --tools-new DIR] [--json]',
  example: 'pawl diff examples/quickstart/pawl.yaml examples/quickstart/pawl.yaml',
  options: {
    tools: { type: 'string', help: 'folder with one <server>.json a server: a tools/list answer' },
    'tools-old': { type: 'string', help: 'the same for OLD alone' },
    'tools-new': { type: 'string', help: 'the same for NEW alone' },
    json: { type: 'boolean', help: 'one JSON object' },
  },
  run: diff,
};

async function diff(input: CommandInput, terminal: Terminal): Promise<ExitCode> {
  const [oldFile, newFile] = input.words;
  if (oldFile === undefined || newFile === undefined) throw new Misuse('OLD or NEW is missing');
  const old = load(input, terminal, 'old', oldFile);
  if (old === 'bad') return exit.invalid;
  const next = load(input, terminal, 'new', newFile);
  if (next === 'bad') return exit.invalid;
  const begun = performance.now();
  const comparison = comparePolicies({ old: old.policy, next: next.policy, judge: judgeCall });
  const ms = Math.round((performance.now() - begun) * 10) / 10;
  const findings = next.findings.map((finding) => formatProblem(newFile, finding));
  const schemas = [...next.policy.servers.values()].every(({ tools }) => tools === undefined) ? 'none' : 'known';
  const view: DiffView = diffView(comparison, { findings, ms, schemas });
  terminal.out(input.flag('json') ? `${JSON.stringify(view)}\n` : diffText(view));
  return view.relation === 'equal' || view.relation === 'attenuation' ? exit.ok : exit.negative;
}

function load(
  input: CommandInput,
  terminal: Terminal,
  side: 'old' | 'new',
  file: string,
): LoadedPolicy | 'bad' {
  const own = `tools-${side}` as const;
  const tools = toolsOption(input, terminal, input.text(own) === undefined ? 'tools' : own);
  if (tools === 'bad') return 'bad';
  const read = readPolicy(file);
  const loaded = read.ok ? compileRead(read.policy, { tools, vanishedTool: 'problem' }) : read;
  if (loaded.ok) return loaded;
  tellBadPolicy(loaded, input.flag('json'), terminal);
  return 'bad';
}
