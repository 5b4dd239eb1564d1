/** The command line: finds the command, reads its options, turns the outcome into an exit code. */
import { approveCommand } from './approve.js';
import { auditCommand } from './audit.js';
import { type Command, type ExitCode, Misuse, type Terminal, exit, readInput } from './command.js';
import { ceilingCommand, narrowCommand } from './ceiling.js';
import { connectCommand } from './connect.js';
import { decideCommand } from './decide.js';
import { diffCommand } from './diff.js';
import { doctorCommand } from './doctor.js';
import { explainCommand } from './explain.js';
import { freezeCommand, thawCommand } from './freeze.js';
import { grantCommand } from './grant.js';
import { keysCommand } from './keys.js';
import { lintCommand } from './lint.js';
import { pinsCommand } from './pins-command.js';
import { reloadCommand } from './reload.js';
import { revokeCommand } from './revoke.js';
import { runCommand } from './run.js';
import { secretsCommand } from './secrets.js';
import { skillCommand } from './skill.js';
import { statusCommand } from './status.js';
import { testCommand } from './test.js';
import { wrapCommand } from './wrap.js';

const commands: readonly Command[] = [
  runCommand,
  connectCommand,
  wrapCommand,
  decideCommand,
  testCommand,
  diffCommand,
  lintCommand,
  statusCommand,
  reloadCommand,
  revokeCommand,
  freezeCommand,
  thawCommand,
  approveCommand,
  ceilingCommand,
  narrowCommand,
  pinsCommand,
  keysCommand,
  secretsCommand,
  skillCommand,
  auditCommand,
  doctorCommand,
  explainCommand,
  grantCommand,
];

/** Runs one command line (without the program's name) and answers the exit code. Never throws. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [name = 'help', ...rest] = argv;
  if (['help', '--help', '-h'].includes(name)) {
    terminal.out(overview());
    return exit.ok;
  }
  const command = commands.find((each) => each.name === name);
  if (command === undefined) {
    terminal.err(`pawl: no command ${JSON.stringify(name)}\n\n${overview()}`);
    return exit.usage;
  }
  const asksHelp = rest
    .slice(0, rest.includes('--') ? rest.indexOf('--') : undefined)
    .some((word) => word === '--help' || word === '-h');
  if (asksHelp) {
    terminal.out(help(command));
    return exit.ok;
  }
  try {
    return await command.run(readInput(command.options, rest), terminal);
  } catch (error) {
    if (!(error instanceof Misuse)) {
      terminal.err(
        `pawl ${name}: internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
      );
      return exit.internal;
    }
    terminal.err(`pawl ${name}: ${error.message}\n\n${help(command)}`);
    return exit.usage;
  }
}

function overview(): string {
  const width = Math.max(...commands.map((command) => command.name.length));
  const lines = commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`);
  return `pawl: a gate for the tool calls of AI agents\n\n${lines.join('\n')}\n\npawl COMMAND --help tells more.\n`;
}

function help(command: Command): string {
  const options = Object.entries(command.options).map(
    ([name, { type, help: text }]) =>
      `  --${`${name}${type === 'string' ? ' VALUE' : ''}`.padEnd(22)} ${text}`,
  );
  return `${command.summary}\n\nusage:   pawl ${command.usage}\nexample: ${command.example}\n\n${options.join('\n')}\n`;
}
