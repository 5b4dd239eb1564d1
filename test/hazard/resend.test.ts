/** A server that dies in a call, through the real gateway: what reaches it afterwards, and what the log says of it. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { started } from '../e2e/daemon.js';
import { fakeServer, recorded, recordedCalls, temporaryFolder } from '../e2e/gateway.js';
import { call, refusalOf, textOf } from '../e2e/post.js';

test.each([true, false])(
  '[P.dispatch.never-resent] a call in which its server died is sent once more to the next process: %s, as its row says',
  async (idempotent) => {
    const folder = temporaryFolder();
    const log = join(folder, 'calls.jsonl');
    const here = await started({
      folder,
      policy: {
        pawl: 1,
        servers: {
          mortal: {
            command: process.execPath,
            args: recorded(log, fakeServer),
            env: { DIE_ONCE: join(folder, 'died') },
            connector: 'mortals',
          },
        },
        connectors: { mortals: { tools: { die: { verb: 'write', idempotent } }, unlisted: 'raw' } },
        agents: { a: { allow: [{ tools: ['mortal/die'] }] } },
      },
    });
    const agent = await here.issueKey('a');
    const answer = await call(agent, 'mortal__die', {});
    if (idempotent) expect(textOf(answer)).toBe('alive again');
    else expect(refusalOf(answer)).toBe('outcome_unknown');
    const { out } = await here.ask('audit', 'show', '--json');
    const resends = out.split('\n').filter((line) => line.includes('"event":"resend"'));
    expect([recordedCalls(log).length, resends.length]).toEqual(idempotent ? [2, 1] : [1, 0]);
    expect(await here.ask('audit', 'verify')).toMatchObject({ code: 0 });
  },
  60_000,
);
