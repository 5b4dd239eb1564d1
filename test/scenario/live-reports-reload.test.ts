/** Failure reports about reloads and revocations. Told through the running gateway. */
import { rmSync, writeFileSync } from 'node:fs';
import type { JsonObject } from '@pawl/core';
import { describe, expect, test } from 'vitest';
import { readPolicy } from '../../packages/gateway/src/config/index.js';
import { Triggers } from '../../packages/gateway/src/cli/triggers.js';
import { type House, openHouse } from './live/house.js';
import { type Program, echoes, runs } from './live/programs.js';

const servers = 'servers: { s: { command: s-mcp } }';
const agent = (rules: string): string => `
pawl: 1
${servers}
agents: { a: ${rules} }
`;
const lists = { run_command: echoes('command'), read_file: echoes('path') };
const running = (policy: string): Promise<House> => openHouse({ policy, programs: { 's-mcp': () => lists } });
const ls: [string, JsonObject] = ['s/run_command', { command: 'ls' }];
const whole = agent('{ allow: [ { tools: [s/*] } ] }');

describe('[P.reports.live] reloads', () => {
  test('R134: a denial that a reload brings holds for the next call of an open session', async () => {
    const house = await running(whole);
    const session = await house.session('a');
    expect((await session.call(...ls)).code).toBeUndefined();
    const denying = agent('{ allow: [ { tools: [s/*] } ], deny: [ { tools: [s/run_command] } ] }');
    expect(await house.reload(denying)).toMatchObject({ kind: 'activated' });
    expect((await session.call(...ls)).code).toMatch(/^(?:denied|no_such_cap)$/u);
    expect((await session.call('s/read_file', { path: 'x' })).code).toBeUndefined();
  });

  test('R135: a policy that allows nothing takes effect at once', async () => {
    const house = await running(whole);
    const session = await house.session('a');
    const read: [string, JsonObject] = ['s/read_file', { path: '/srv/data/a.txt' }];
    expect((await session.call(...read)).code).toBeUndefined();
    expect(await house.reload(agent('{ allow: [] }'))).toMatchObject({ kind: 'activated' });
    expect((await session.call(...read)).code).toBeDefined();
    expect(await session.tools()).toEqual([]);
  });

  const two = (more: string, rules: string): string => `
pawl: 1
servers: { s: { command: s-mcp }, ${more} }
agents:
  a: { allow: [ { tools: [s/*] } ] }
  b: { allow: [ ${rules} ] }
`;

  test('R136: a server that a reload adds is there with its tools and their grants at once', async () => {
    const programs = { 's-mcp': () => lists, 'notes-mcp': () => ({ search: echoes('q') }) };
    const rules = '{ tools: [s/read_file] }';
    const house = await openHouse({ policy: two('', rules), programs });
    const session = await house.session('b');
    await session.tools();
    const added = two('notes: { command: notes-mcp }', `${rules}, { tools: [notes/search] }`);
    const answer = await house.reload(added, { bumpEpoch: true, reissue: true });
    expect(answer).toMatchObject({ kind: 'activated', moved: ['b'] });
    expect((await session.call('notes/search', { q: 'x' })).code).toBeUndefined();
  });

  test('R137: a call that runs on one server is not hurt by a change of another', async () => {
    let finish = (_text: string): void => undefined;
    const job = new Promise<string>((resolve) => (finish = resolve));
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const long = runs(() => (begin(), job), 'n');
    const programs = { 's-mcp': () => ({ long_job: long }), 'b-mcp': () => ({ x: echoes() }) };
    const of = (mode: string): string =>
      two(`b: { command: b-mcp, env: { MODE: ${mode} } }`, '{ tools: [b/x] }');
    const house = await openHouse({ policy: of('old'), programs });
    const [a, b] = [await house.session('a'), await house.session('b')];
    const underway = a.call('s/long_job', { n: '1' });
    await begun;
    expect(await house.reload(of('new'), { bumpEpoch: true })).toMatchObject({ moved: ['b'] });
    finish('done');
    expect(await underway).toMatchObject({ text: 'done' });
    expect((await a.call('s/long_job', { n: '2' })).text).toBe('done');
    expect((await b.call('b/x')).code).toBe('no_such_cap');
  });

  test('R138: calls beside reloads that change nothing are never refused', async () => {
    const house = await running(whole);
    const session = await house.session('a');
    const refused: string[] = [];
    let over = false;
    const calling = (async (): Promise<number> => {
      for (let made = 0; ; made += 1) {
        const { code } = await session.call('s/read_file', { path: '/srv/data/a.txt' });
        if (code !== undefined) refused.push(code);
        if (over) return made;
      }
    })();
    const kinds = new Set<string>();
    for (let n = 0; n < 6; n += 1) {
      const described = whole.replace('{ allow', `{ description: the ${n}th, allow`);
      kinds.add((await house.reload(described)).kind);
    }
    over = true;
    expect(await calling).toBeGreaterThan(6);
    expect(refused).toEqual([]);
    expect([...kinds].sort()).not.toContain('refused');
  });

  test('R139: of two reloads at once the last document is in force, whole', async () => {
    const house = await running(whole);
    const session = await house.session('a');
    const second = agent('{ allow: [ { tools: [s/run_command] }, { tools: [s/read_file] } ] }');
    const third = agent('{ allow: [ { tools: [s/read_file] } ] }');
    await Promise.all([house.reload(second), house.reload(third)]);
    expect((await session.call(...ls)).code).toBeDefined();
    expect((await session.call('s/read_file', { path: 'x' })).code).toBeUndefined();
    expect(await house.operate('reload', {})).toMatchObject({ kind: 'same' });
  });

  test('R140: rules for neighbouring tools both hold, in any order', async () => {
    const [one, other] = ['{ tools: [s/run_command] }', '{ tools: [s/read_file] }'];
    const house = await running(agent(`{ allow: [ ${one}, ${other} ] }`));
    const session = await house.session('a');
    const both = async (): Promise<readonly (string | undefined)[]> => [
      (await session.call(...ls)).code,
      (await session.call('s/read_file', { path: 'x' })).code,
    ];
    expect(await both()).toEqual([undefined, undefined]);
    const turned = await house.reload(agent(`{ allow: [ ${other}, ${one} ] }`));
    expect(turned).toMatchObject({ kind: 'activated', comparison: { relation: 'equal' } });
    expect(await both()).toEqual([undefined, undefined]);
  });

  test('R141: a document that is made anew while the gateway runs is read by itself, and its absence is told', async () => {
    const house = await running(whole);
    const session = await house.session('a');
    const told: string[] = [];
    const triggers = new Triggers((line) => void told.push(line));
    rmSync(house.file);
    triggers.begin(house.daemon);
    await expect(house.operate('reload', {})).resolves.toMatchObject({ kind: 'invalid' });
    expect((await session.call(...ls)).code).toBeUndefined();
    writeFileSync(house.file, agent('{ allow: [ { tools: [s/read_file] } ] }'));
    while ((await session.call(...ls)).code === undefined)
      await new Promise((resolve) => setTimeout(resolve, 10));
    triggers.close();
    expect(told.join('\n')).toContain('reload (watch)');
  });
});

describe('[P.reports.live] revocations', () => {
  test('R142: the next call under a key that was revoked is refused', async () => {
    const house = await running(whole);
    const key = await house.key('a');
    const session = await house.enter(key);
    expect((await session.call(...ls)).code).toBeUndefined();
    await house.operate('keysRevoke', { id: key.id as never });
    expect((await session.call(...ls)).code).toBeDefined();
    await (await house.enter(key)).ended;
  });

  test('R143: what is revoked does not authorise, however good the key is that is presented', async () => {
    const house = await running(whole);
    const key = await house.key('a');
    const session = await house.enter(key);
    await session.call(...ls);
    await house.operate('revoke', { kind: 'executor', id: 'a' as never });
    expect((await session.call(...ls)).code).toBeDefined();
    const again = await house.enter(key);
    expect((await again.call(...ls)).code).toBeDefined();
  });

  test('R144: an agent that leaves the document takes its keys, sessions and instances with it', async () => {
    const both = `
pawl: 1
${servers}
agents: { a: { allow: [ { tools: [s/*] } ] }, u1: { allow: [ { tools: [s/*] } ] } }
instances: { u1/x: {} }
`;
    const house = await running(both);
    const key = await house.key('u1/x');
    const session = await house.enter(key);
    expect((await session.call(...ls)).code).toBeUndefined();
    expect(await house.reload(whole)).toMatchObject({ kind: 'activated' });
    expect((await session.call(...ls)).code).toBeDefined();
    const later = await house.enter(key);
    expect((await later.call(...ls)).code).toBeDefined();
  });

  test('R145: a credential of a server that was replaced is never sent again', async () => {
    const sent: string[] = [];
    const program: Program = ({ TOKEN = '' }) => ({
      create_issue: runs(() => (sent.push(TOKEN), 'made'), 'title'),
    });
    const of = (token: string): string =>
      whole.replace('{ command: s-mcp }', `{ command: s-mcp, env: { TOKEN: ${token} } }`);
    const house = await openHouse({ policy: of('old'), programs: { 's-mcp': program } });
    const session = await house.session('a');
    await session.call('s/create_issue', { title: 'x' });
    await house.reload(of('new'), { bumpEpoch: true, reissue: true });
    const fresh = await house.session('a');
    for (const each of [session, fresh, session]) await each.call('s/create_issue', { title: 'x' });
    expect(sent).toEqual(['old', 'new', 'new', 'new']);
  });

  test('R146: what is no longer listed is refused when it is used, whenever it was installed', async () => {
    const rule = (names: string): string =>
      agent(`{ allow: [ { tools: [s/enable_extension], where: { args.name: [${names}] } } ] }`);
    const programs = { 's-mcp': () => ({ enable_extension: echoes('name') }) };
    const house = await openHouse({ policy: rule('e1, e2'), programs });
    const session = await house.session('a');
    expect((await session.call('s/enable_extension', { name: 'e1' })).code).toBeUndefined();
    await house.reload(rule('e2'));
    expect((await session.call('s/enable_extension', { name: 'e1' })).code).toBe('not_permitted');
    expect((await session.call('s/enable_extension', { name: 'e2' })).code).toBeUndefined();
  });
});

describe('[P.reports.live] documents that cannot be read', () => {
  const denying = agent('{ allow: [ { tools: [s/*] } ], deny: [ { tools: [s/run_command] } ] }');
  const refused = async (house: House): Promise<boolean> => {
    const session = await house.session('a');
    return (await session.call(...ls)).code !== undefined;
  };

  test('R191: a document that is cut in the middle is damaged, not missing: what it denied stays denied', async () => {
    const house = await running(denying);
    expect(await house.reload(denying.slice(0, denying.indexOf('deny') + 8))).toMatchObject({
      kind: 'invalid',
    });
    expect(await refused(house)).toBe(true);
    await expect(running(denying.slice(0, 60))).rejects.toThrow();
  });

  test('R192: a document in another encoding is an error that says where, and nothing of it is taken', async () => {
    const house = await running(denying);
    writeFileSync(house.file, Buffer.from(whole, 'utf16le'));
    const answer = await house.operate('reload', {});
    expect(answer).toMatchObject({ kind: 'invalid', problems: [expect.anything()] });
    expect(readPolicy(house.file)).toMatchObject({ ok: false });
    expect(await refused(house)).toBe(true);
  });

  test('R193: one rule that is wrong is named with its line, and the generation in force stays', async () => {
    const house = await running(denying);
    const wrong = agent('{ allow: [ { tools: [s/read_file] },\n  { tools: ["Bash(mkdir*)"] } ] }');
    const answer = await house.reload(wrong);
    expect(answer).toMatchObject({ kind: 'invalid', problems: [{ at: { line: 5 } }] });
    expect(JSON.stringify(answer)).toContain('Bash(mkdir*)');
    expect(await refused(house)).toBe(true);
    const [{ number } = { number: 0 }] = (await house.operate('status', {})).generations;
    expect(number).toBe(1);
  });
});
