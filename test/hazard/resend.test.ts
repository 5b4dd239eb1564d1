/** A server that dies in a call, through the real gateway: what reaches it afterwards, and what the log says of it. */
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { started } from '../e2e/daemon.js';
import { fakeServer, recorded, recordedCalls, temporaryFolder } from '../e2e/gateway.js';
import { call, refusalOf, textOf } from '../e2e/post.js';
import { type Asked, scriptedServer } from '../mcp/scripted-server.js';

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

describe('over HTTP', { timeout: 60_000 }, () => {
  const isCall = ({ message }: Asked): boolean => message['method'] === 'tools/call';

  test.each([true, false])(
    '[P.dispatch.never-resent] [P.upstream.http-handover] a call whose connection broke is posted once more: %s, as its row says',
    async (idempotent) => {
      const server = await scriptedServer({
        script: (asked) => {
          if (!isCall(asked) || server.of('tools/call').length > 1) return false;
          asked.response.socket?.destroy();
          return true;
        },
      });
      onTestFinished(() => server.close());
      const connectors = { far: { tools: { go: { verb: 'write', idempotent } }, unlisted: 'raw' } };
      const here = await started({
        folder: temporaryFolder(),
        policy: {
          pawl: 1,
          servers: { far: { url: server.url, connector: 'far' } },
          connectors,
          agents: { a: { allow: [{ tools: ['far/go'] }] } },
        },
      });
      const answer = await call(await here.issueKey('a'), 'far__go', {});
      if (idempotent) expect(textOf(answer)).toBe('done');
      else expect(refusalOf(answer)).toBe('outcome_unknown');
      expect(server.of('tools/call')).toHaveLength(idempotent ? 2 : 1);
    },
  );

  test('[P.upstream.http-handover] a call that was not sent costs nothing of its limit, one that was lost does', async () => {
    const first = await scriptedServer();
    const port = Number(new URL(first.url).port);
    const here = await started({
      folder: temporaryFolder(),
      policy: {
        pawl: 1,
        servers: { far: { url: first.url } },
        agents: {
          a: {
            allow: [{ tools: ['far/go'] }],
            limits: { few: { tools: ['far/go'], uses: 2, per: 'session' } },
          },
        },
      },
    });
    const agent = await here.issueKey('a');
    expect(textOf(await call(agent, 'far__go', {}))).toBe('done');
    await first.close();
    for (let at = 0; at < 3; at += 1)
      expect(refusalOf(await call(agent, 'far__go', {}))).toBe('upstream_gone');
    const again = await scriptedServer({
      port,
      script: (asked) => isCall(asked) && asked.response.socket?.destroy() !== undefined,
    });
    onTestFinished(() => again.close());
    await expect
      .poll(async () => refusalOf(await call(agent, 'far__go', {})), { timeout: 20_000, interval: 200 })
      .toBe('outcome_unknown');
    expect(refusalOf(await call(agent, 'far__go', {}))).toBe('limit_used_up');
    expect(again.of('tools/call')).toHaveLength(1);
  });
});
