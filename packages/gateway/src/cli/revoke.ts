/** `pawl revoke`: ends a capability, a session, an executor or a key for good. */
import { type RevokedView, revocationOf } from '../control/index.js';
import { type Command, type CommandInput, type ExitCode, Misuse, type Terminal, exit } from './command.js';
import { onStore, operate, tellProblem } from './operate.js';
import { storeOptions, storePlace } from './store-option.js';

const kinds = ['capability', 'session', 'executor', 'key'] as const;

/** The command. */
export const revokeCommand: Command = {
  name: 'revoke',
  summary: 'Ends a capability, a session, an executor or a key for good; calls in flight are cancelled.',
  usage: 'revoke (capability|session|executor|key) ID [--store DIR | --policy P] [--json]',
  example: 'pawl revoke executor reporter --policy examples/quickstart/pawl.yaml',
  options: { ...storeOptions, json: { type: 'boolean', help: 'one JSON object' } },
  run: revoke,
};

async function revoke(input: CommandInput, terminal: Terminal): Promise<ExitCode> {
  const [what, id, extra] = input.words;
  const kind = kinds.find((each) => each === what);
  if (kind === undefined) throw new Misuse(`say what to revoke: ${kinds.join(', ')}`);
  if (id === undefined || extra !== undefined) throw new Misuse(`name one ID of a ${kind}`);
  if (!/^[\x21-\x7e]{1,200}$/u.test(id)) throw new Misuse('ID is none: at most 200 visible characters');
  const json = input.flag('json');
  const place = storePlace(input);
  const revocation = revocationOf(kind, id);
  const answer = await operate(place, 'revoke', revocation, () =>
    onStore(place, {}, (operations) => operations.revoke(revocation)),
  );
  if (!answer.ok) return tellProblem('revoke', answer.error, json, terminal);
  terminal.out(json ? `${JSON.stringify(answer.value)}\n` : `${textOf(answer.value)}\n`);
  return exit.ok;
}

function textOf({ subject, id, changed, known }: RevokedView): string {
  if (!changed) return `${subject} ${id} was revoked before`;
  const doubt = known ? '' : `; nothing of this id is known now: see that it is spelled right`;
  return `${subject} ${id} is revoked; nothing authorises by it any more${doubt}`;
}
