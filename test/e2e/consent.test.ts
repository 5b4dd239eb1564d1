/** Asking and counting through the running gateway: the agent on one side, the operator on the other. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recorded, recordedCalls, serverProgram, startGateway, temporaryFolder } from './gateway.js';
import { call, refusalOf, textOf } from './post.js';

const entity = (name: string): object => ({ entities: [{ name, entityType: 'note', observations: [] }] });

function policyIn(folder: string, more: object = {}, consent: object = {}): { policy: object; log: string } {
  const log = join(folder, 'calls.jsonl');
  const policy = {
    pawl: 1,
    servers: {
      memory: {
        command: process.execPath,
        args: recorded(log, serverProgram('memory')),
        env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
      },
    },
    ...consent,
    agents: {
      worker: {
        allow: [{ tools: ['memory/create_entities'], ask: 'once' }, { tools: ['memory/read_graph'] }],
        ...more,
      },
    },
  };
  return { policy, log };
}

function idIn(text: string): string {
  return /a_[a-z2-7]{16}/u.exec(text)?.[0] ?? 'no id';
}

test('[P.ask.answered] [P.ask.retry] [P.ask.approval-used] a call asks, an operator approves it, and the same call goes through once', async () => {
  const folder = temporaryFolder();
  const { policy, log } = policyIn(folder);
  const gateway = await startGateway({ folder, policy });
  const { authorization } = await gateway.issueKey('worker');
  const to = { url: gateway.url, authorization };
  const asked = await call(to, 'memory__create_entities', entity('one') as never);
  expect(refusalOf(asked)).toBe('consent_required');
  const id = idIn(textOf(asked));
  const list = await gateway.ask('approve', '--list');
  expect(list).toMatchObject({ code: 0 });
  expect(list.out).toContain(id);
  expect(list.out).toContain('worker, for one call');
  expect(list.out).toContain('"name":"one"');
  const given = await gateway.ask('approve', id);
  expect(given).toMatchObject({ code: 0 });
  expect(given.out).toContain('approved for this one call: worker may memory__create_entities');
  expect((await gateway.ask('approve', id)).code).toBe(1);
  expect(refusalOf(await call(to, 'memory__create_entities', entity('two') as never))).toBe(
    'consent_required',
  );
  expect(refusalOf(await call(to, 'memory__create_entities', entity('one') as never))).toBeUndefined();
  expect(refusalOf(await call(to, 'memory__create_entities', entity('one') as never))).toBe(
    'consent_required',
  );
  expect(recordedCalls(log).map((each) => each.arguments)).toEqual([entity('one')]);
  const { out } = await gateway.ask('audit', 'show', '--json');
  expect(out).toContain('"event":"approval_given"');
  expect(out).toMatch(new RegExp(`"approval":"${id}"[^\\n]*"type":"intent"`, 'u'));
  expect(await gateway.ask('audit', 'verify')).toMatchObject({ code: 0 });
  await gateway.stop();
}, 60_000);

test('[P.ask.answered] an operator refuses, and nothing reaches the server', async () => {
  const folder = temporaryFolder();
  const { policy, log } = policyIn(folder);
  const gateway = await startGateway({ folder, policy });
  const { authorization } = await gateway.issueKey('worker');
  const to = { url: gateway.url, authorization };
  const id = idIn(textOf(await call(to, 'memory__create_entities', entity('one') as never)));
  expect(await gateway.ask('approve', id, '--refuse')).toMatchObject({ code: 0 });
  expect(refusalOf(await call(to, 'memory__create_entities', entity('one') as never))).toBe(
    'consent_refused',
  );
  expect((await gateway.ask('approve')).out).toBe('nothing waits for an approval\n');
  expect(recordedCalls(log)).toEqual([]);
  await gateway.stop();
}, 60_000);

test('[P.ask.expires] an ask that nobody answers in time expires, and can not be approved afterwards', async () => {
  const folder = temporaryFolder();
  const { policy } = policyIn(folder, {}, { consent: { expires: '300ms' } });
  const gateway = await startGateway({ folder, policy });
  const { authorization } = await gateway.issueKey('worker');
  const to = { url: gateway.url, authorization };
  const first = await call(to, 'memory__create_entities', entity('one') as never);
  const id = idIn(textOf(first));
  const until = async (code: string): Promise<void> => {
    for (let tries = 0; tries < 100; tries += 1) {
      if (refusalOf(await call(to, 'memory__create_entities', entity('one') as never)) === code) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`never answered ${code}`);
  };
  await until('consent_expired');
  const late = await gateway.ask('approve', id);
  expect(late.code).toBe(1);
  expect(late.err).toContain(`there is no ask ${id}`);
  await until('consent_required');
  await gateway.stop();
}, 60_000);

test('[P.ask.own] a key of an agent is nothing on the control socket, and the agents socket knows no approve', async () => {
  const folder = temporaryFolder();
  const { policy } = policyIn(folder);
  const gateway = await startGateway({ folder, policy });
  const { authorization } = await gateway.issueKey('worker');
  const to = { url: gateway.url, authorization };
  const id = idIn(textOf(await call(to, 'memory__create_entities', entity('one') as never)));
  const post = (path: string): Promise<Response> =>
    fetch(new URL(path, gateway.url), {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ id, says: 'yes' }),
    });
  expect((await post('/v1/approve')).ok).toBe(false);
  expect(refusalOf(await call(to, 'memory__create_entities', entity('one') as never))).toBe(
    'consent_required',
  );
  await gateway.stop();
}, 60_000);

test('[P.limit.kept] a limit of a day goes on after a restart', async () => {
  const folder = temporaryFolder();
  const limits = { reads: { tools: ['memory/read_graph'], uses: 3, per: 'day' } };
  const { policy } = policyIn(folder, { limits });
  const first = await startGateway({ folder, policy });
  const key = await first.issueKey('worker');
  const read = (url: string): Promise<unknown> =>
    call({ url, authorization: key.authorization }, 'memory__read_graph', {}).then(refusalOf);
  expect([await read(first.url), await read(first.url)]).toEqual([undefined, undefined]);
  await first.stop();
  const second = await startGateway({ folder, policy });
  expect([await read(second.url), await read(second.url)]).toEqual([undefined, 'limit_used_up']);
  expect(await second.ask('audit', 'verify')).toMatchObject({ code: 0 });
  await second.stop();
}, 60_000);
