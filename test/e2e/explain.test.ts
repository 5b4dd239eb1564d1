/** `pawl explain` and `pawl grant suggest` on calls that a running gateway mediated: live, offline, and after the policy changed. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@pawl/core';
import { describe, expect, test } from 'vitest';
import { type Here, everybody, started } from './daemon.js';
import { pawlHere, serverProgram, temporaryFolder } from './gateway.js';
import { call } from './post.js';

interface Told {
  readonly [member: string]: unknown;
  readonly verdict: string;
}

const document = (root: string, glob: string): object => ({
  pawl: 1,
  servers: {
    files: {
      command: process.execPath,
      args: [serverProgram('filesystem'), root],
      connector: 'filesystem',
      root,
    },
  },
  agents: {
    a: {
      ceiling: { filesystem: { path: [join(root, '**')] } },
      allow: [
        { tools: ['files/read_text_file'], where: { path: [glob, '/etc/hostname'] } },
        { tools: ['files/write_file'], where: { path: 'out/**' }, ask: 'once' },
      ],
      deny: [{ where: { path: '**/.env' } }],
    },
  },
});

async function gatewayWith(
  glob = 'pub/**',
): Promise<{ here: Here; root: string; ask: (tool: string, args: JsonObject) => Promise<string> }> {
  const folder = temporaryFolder();
  const root = join(folder, 'data');
  mkdirSync(join(root, 'pub'), { recursive: true });
  writeFileSync(join(root, 'pub', 'a.txt'), 'a');
  const here = await started({
    folder,
    policy: document(root, glob),
    says: () => everybody('attenuation', 'a'),
  });
  const agent = await here.issueKey('a');
  const ask = async (tool: string, args: JsonObject): Promise<string> => {
    const answer = (await call(agent, `files__${tool}`, args)) as unknown as {
      _meta?: { 'pawl/refusal'?: { id: string } };
    };
    return answer._meta?.['pawl/refusal']?.id ?? 'permitted';
  };
  return { here, root, ask };
}

async function told(here: Here, id: string): Promise<Told> {
  const { code, out } = await here.ask('explain', id, '--json');
  expect(code).toBe(0);
  return JSON.parse(out) as Told;
}

describe('[P.cli.explain] pawl explain', { timeout: 180_000 }, () => {
  test('tells of a refusal what the judging generation says, also after the policy changed and offline', async () => {
    const { here, root, ask } = await gatewayWith();
    const id = await ask('read_text_file', { path: 'secret/x' });
    const again = await ask('read_text_file', { path: 'secret/x' });
    here.write(document(root, 'other/**'));
    expect(await here.ask('reload')).toMatchObject({ code: 0 });
    const live = await told(here, id);
    expect(live).toMatchObject({
      verdict: 'deny',
      code: 'not_permitted',
      constraint: 'path',
      executor: 'a',
      tool: 'files/read_text_file',
      generation: { number: 1, inForce: 2 },
      arguments: { path: 'secret/x' },
      rules: [{ rule: 'agents.a.allow[0]', line: 1 }],
      change: { path: 'agents.a.allow[0].where.path' },
    });
    expect(JSON.stringify(live['rules'])).toContain('pub/**');
    expect(await told(here, again)).toMatchObject({ code: 'not_permitted', repeated: 2 });
    expect((await here.ask('explain', again)).out).toContain(
      'answered from memory: refused so for the 2nd time',
    );
    await here.close();
    expect(await told(here, id)).toEqual(live);
    const { out } = await here.ask('explain', id);
    expect(out).toContain('agents.a.allow[0] (line 1): allow path pub/**, /etc/hostname: fails in path');
    expect(out).toContain('in force now: 2');
  });

  test('tells of a permit its rules and end, by call, by number and by ask', async () => {
    const { here, ask } = await gatewayWith();
    expect(await ask('read_text_file', { path: 'pub/a.txt' })).toBe('permitted');
    const { out } = await here.ask('audit', 'show', '--json');
    const intent = out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { seq: number; record: { type: string; call: string } })
      .find(({ record }) => record.type === 'intent')!;
    const explained = await told(here, intent.record.call);
    expect(explained).toMatchObject({ verdict: 'permit', end: { outcome: 'ok' }, seq: intent.seq });
    expect(await told(here, String(intent.seq))).toEqual(explained);
    const asked = await ask('write_file', { path: 'out/x', content: 'a secret sentence' });
    const waiting = await told(here, asked);
    expect(waiting).toMatchObject({ verdict: 'ask', change: { path: 'agents.a.allow[1].ask' } });
    expect(JSON.stringify(waiting)).not.toContain('a secret sentence');
    expect(await told(here, String(waiting['approval']))).toEqual(waiting);
  });

  test('exits 1 for an id that is nowhere, and 2 without one', async () => {
    const { here } = await gatewayWith();
    for (const id of ['c_aaaaaaaaaaaaaaaa', 'a_aaaaaaaaaaaaaaaa', '9999', '0']) {
      const { code, out, err } = await here.ask('explain', id);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toContain(`no call ${id}`);
    }
    expect(await here.ask('explain')).toMatchObject({ code: 2 });
    expect(await here.ask('explain', 'two', 'words')).toMatchObject({ code: 2 });
  });
});

describe('[P.cli.suggest] pawl grant suggest', { timeout: 180_000 }, () => {
  test('prints what the calls made so far need, live and offline, and a document that diff proves to be no wider', async () => {
    const { here, root, ask } = await gatewayWith();
    expect(await here.ask('grant', 'suggest')).toMatchObject({ code: 1, out: '' });
    await ask('read_text_file', { path: 'pub/a.txt' });
    await ask('read_text_file', { path: 'pub/.env' });
    await ask('read_text_file', { path: 'secret/x' });
    const list = `agents:
  a:
    # holds 1 different call; tried on generation 1
    allow:
      - tools: [files/read_text_file]
        where: { path: [${join(root, 'pub/a.txt')}] }
`;
    expect(await here.ask('grant', 'suggest')).toEqual({ code: 0, out: list, err: '' });
    const wide = await here.ask('grant', 'suggest', '--refused', '--agent', 'a', '--since', '1h', '--json');
    expect(JSON.parse(wide.out)).toMatchObject({
      agents: {
        a: {
          calls: 2,
          left: [],
          allow: [{ where: { path: [join(root, 'pub/a.txt'), join(root, 'secret/x')] } }],
        },
      },
    });
    expect(await here.ask('grant', 'suggest', '--since', '2999-01-01')).toMatchObject({ code: 1 });
    expect(await here.ask('grant', 'suggest', '--agent', 'b')).toMatchObject({ code: 1 });
    await here.close();
    expect(await here.ask('grant', 'suggest')).toEqual({ code: 0, out: list, err: '' });
    const { out } = await here.ask('grant', 'suggest', '--document');
    const suggested = join(here.store, '..', 'suggested.json');
    writeFileSync(suggested, out);
    const { code, out: compared } = await pawlHere('diff', here.policy, suggested);
    expect({ code, compared }).toMatchObject({
      code: 0,
      compared: expect.stringContaining('a: attenuation') as string,
    });
  });

  test('exits 2 for what it cannot read', async () => {
    for (const words of [
      [],
      ['suggest', 'more'],
      ['suggest', '--since', 'yesterday'],
      ['suggest', '--agent', 'a b'],
    ])
      expect(await pawlHere('grant', ...words)).toMatchObject({ code: 2 });
  });
});
