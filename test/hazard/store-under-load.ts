/**
 * A process that writes to a store as fast as it can and says on stdout, one line each, what the store acknowledged:
 * `open`, `record CALL`, `generation N`, `key ID`, `refused CALL`, `healed`.
 */
import { fakeSource } from '../fake-reload.js';
import { writeSync } from 'node:fs';
import { type IntentRecord, mintId, parseAgentName, sha256 } from '@pawl/core';
import { type Store, openStore } from '../../packages/gateway/src/store/index.js';

const [folder = '', bodySize = '20'] = process.argv.slice(2);
const agent = parseAgentName('reporter')!;
const run = `${process.pid}-${Date.now()}`;
let count = 0;

/** Synchronous, so that what was said was said before the process could be killed. */
function say(line: string): void {
  writeSync(1, `${line}\n`);
}

function intent(call: string): IntentRecord {
  return {
    type: 'intent',
    verdict: 'permit',
    level: 'permit',
    rules: ['agents.reporter.allow[0]'],
    call: mintId.call(call),
  };
}

async function call(store: Store): Promise<void> {
  const id = `${run}-${(count += 1)}`;
  try {
    await store.audit.append(intent(id), { content: 'x'.repeat(Number(bodySize)) }).durable;
  } catch {
    say(`refused ${id}`);
    while (!store.audit.healthy()) await new Promise((resolve) => setTimeout(resolve, 10));
    return say('healed');
  }
  say(`record ${id}`);
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
  store.audit.note({ type: 'settlement', call: mintId.call(id), outcome: 'ok', milliseconds: 1 });
}

async function calls(store: Store): Promise<never> {
  for (;;) await call(store);
}

async function changes(store: Store): Promise<never> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
    try {
      await change(store);
    } catch {
      say('refused change');
    }
  }
}

async function change(store: Store): Promise<void> {
  const number = ((await store.generations.current())?.number ?? 0) + 1;
  await store.generations.put({
    number,
    hash: sha256(`${number}`),
    source: fakeSource('x'),
    epochs: Object.fromEntries([[agent, number]]),
  });
  say(`generation ${number}`);
  const id = mintId.key(`${run}-${number}`);
  await store.keys.issue({ id, salt: '00', hash: 'ab', agent, issuedAt: number });
  say(`key ${id}`);
}

// The end of its input is the order to end at once, without closing anything.
process.stdin.on('end', () => process.exit(7)).resume();
// A write beyond the limit of a file's size fails instead of ending the process.
process.on('SIGXFSZ', () => undefined);
const store = await openStore(folder);
say('open');
await Promise.all([changes(store), ...Array.from({ length: 16 }, () => calls(store))]);
