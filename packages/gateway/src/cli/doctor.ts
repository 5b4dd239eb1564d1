/** `pawl doctor`: whether this machine has what Pawl, and a policy, need. */
import { readPolicy } from '../config/index.js';
import { type Command, type CommandInput, type ExitCode, Misuse, type Terminal, exit } from './command.js';
import { type Check, confinementChecks, nodeCheck, policyChecks, storeChecks } from './doctor-checks.js';
import { columns, visible } from './layout.js';
import { tellBadPolicy } from './problem.js';
import { storeOptions, storePlace } from './store-option.js';

/** The command. */
export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Checks whether this machine has what Pawl and a policy need.',
  usage: 'doctor [--policy P] [--store DIR] [--json]',
  example: 'pawl doctor --policy examples/quickstart/pawl.yaml',
  options: {
    ...storeOptions,
    policy: {
      type: 'string',
      help: 'checks what this policy demands as well; the store is the one beside it',
    },
    json: { type: 'boolean', help: 'one JSON object' },
  },
  run: doctor,
};

async function doctor(input: CommandInput, terminal: Terminal): Promise<ExitCode> {
  if (input.words.length > 0) throw new Misuse('doctor takes no words');
  const json = input.flag('json');
  const file = input.text('policy');
  const read = file === undefined ? undefined : readPolicy(file);
  if (read?.ok === false) return tellBadPolicy(read, json, terminal);
  const { folder } = storePlace(input);
  const checks = [
    nodeCheck(),
    ...(await storeChecks(folder)),
    ...(await confinementChecks()),
    ...(read === undefined ? [] : await policyChecks(read.policy, folder)),
  ];
  const ok = checks.every(({ state }) => state !== 'bad');
  terminal.out(json ? `${JSON.stringify({ ok, checks })}\n` : screen(checks));
  return ok ? exit.ok : exit.negative;
}

const words = { ok: 'ok', absent: 'absent', bad: 'MISSING' } as const;

function screen(checks: readonly Check[]): string {
  const rows = checks.map(({ name, state, text }) => [words[state], visible(name), visible(text, 500)]);
  return `${columns(rows).join('\n')}\n`;
}
