/** `pawl connect`: the stdio shim that MCP clients start. */
import { runShim } from '../mcp/index.js';
import { readKeyFile } from '../identity/index.js';
import { type Command, type CommandInput, type ExitCode, type Terminal, exit, need } from './command.js';

/** The command. */
export const connectCommand: Command = {
  name: 'connect',
  summary: 'Joins an MCP client on stdio to the running gateway, with a key.',
  usage: 'connect --key FILE',
  example: 'pawl connect --key examples/quickstart/.pawl/reporter.key.json',
  options: {
    key: { type: 'string', help: 'key file of an agent (see pawl keys issue); nobody else may read it' },
  },
  run: connect,
};

async function connect(input: CommandInput, terminal: Terminal): Promise<ExitCode> {
  const path = need(input, 'key');
  const read = readKeyFile(path);
  if (!read.ok) {
    terminal.err(`pawl connect: ${path}: ${read.why}\n`);
    return exit.invalid;
  }
  const code = await runShim({
    socket: read.file.agents,
    key: read.file.key,
    input: process.stdin,
    output: process.stdout,
    complain: (line) => terminal.err(`${line}\n`),
  });
  return code === 0 ? exit.ok : exit.negative;
}
