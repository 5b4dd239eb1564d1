/** What programs of skills can reach: what their tool needs and was granted, and nothing else. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { executorId, isRefusal, parseAgentName } from '@pawl/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { skillRunner } from '../../packages/gateway/src/cli/skill-runner.js';
import { describeWithSandbox } from '../bubblewrap.js';
import { World } from '../dispatch/world.js';
import { MemoryFolder, entriesOf, newKey, signed } from './signed.js';

const agent = executorId(parseAgentName('a')!);
const text = { type: 'string' };
const path = { type: 'object', properties: { path: text }, required: ['path'] };
const catalog = {
  files: {
    read_text_file: path,
    list_directory: path,
    directory_tree: path,
    write_file: { type: 'object', properties: { path: text, content: text }, required: ['path', 'content'] },
    create_directory: path,
    move_file: {
      type: 'object',
      properties: { source: text, destination: text },
      required: ['source', 'destination'],
    },
  },
  web: { fetch_json: { type: 'object', properties: { url: text }, required: ['url'] } },
  shell: { run_command: { type: 'object', properties: { command: text }, required: ['command'] } },
};

interface Rule {
  readonly tools: readonly string[];
  readonly where?: object;
}

/** A folder of the base mounted on another one; undefined where that cannot be done. */
function mounted(from: string, at: string): string | undefined {
  const path = join(base, at);
  mkdirSync(path, { recursive: true });
  return spawnSync('mount', ['--bind', join(base, from), path]).status === 0 ? path : undefined;
}

let base = '';
let servers: Server[] = [];
let worlds: World[] = [];

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'pawl-skill-')));
  for (const folder of ['in', 'out', 'other', 'store']) mkdirSync(join(base, folder));
  writeFileSync(join(base, 'in/plan.txt'), 'the plan');
  writeFileSync(join(base, 'in/.env'), 'SECRET=1');
  writeFileSync(join(base, 'out/old.txt'), 'old');
  writeFileSync(join(base, 'other/key.txt'), 'the key');
});
afterEach(async () => {
  for (const { skills } of worlds) skills.shelf.unload(agent, 'worker');
  worlds = [];
  // What they held is closed by then, and the next test finds no descriptors of this one.
  await new Promise((later) => setImmediate(later));
  rmSync(base, { recursive: true, force: true });
  for (const server of servers) server.close();
  servers = [];
});

/** What a test's policy says beside what the skill asks for. */
interface Beside {
  readonly deny?: readonly object[];
  readonly allow?: readonly object[];
  readonly limits?: object;
  /** More of the server of files. */
  readonly server?: object;
  readonly protectedPaths?: readonly string[];
  /** What each tool needs; one tool that needs everything unless told. */
  readonly tools?: Readonly<Record<string, readonly string[]>>;
  /** The tool is this JavaScript module instead of a program. */
  readonly module?: string;
}

/** A world in which a skill with one tool is loaded; everything that it asks for is allowed and granted, less what stands beside. */
async function loaded(
  capabilities: Readonly<Record<string, Rule>>,
  script: string,
  beside: Beside = {},
): Promise<{
  readonly world: World;
  readonly call: () => Promise<string>;
  readonly findings: () => readonly string[];
  readonly policyWith: (rules: readonly object[]) => string;
}> {
  const rules = Object.values(capabilities);
  const policyWith = (granted: readonly object[]): string =>
    JSON.stringify({
      pawl: 1,
      servers: {
        files: { command: 'f', connector: 'filesystem', root: base, ...beside.server },
        web: { command: 'w', connector: 'fetch' },
        shell: { command: 's', connector: 'shell' },
      },
      agents: {
        a: {
          allow: beside.allow ?? rules,
          deny: beside.deny ?? [],
          limits: beside.limits ?? {},
          skills: { worker: { grant: granted, mode: 'fail_visible' } },
        },
      },
    });
  const key = newKey();
  const trust = {
    keys: { [key.publicKey.id]: { publicKey: key.publicKey.pem, name: 'team', skills: ['*'] } },
  };
  const runner = skillRunner({ folder: join(base, 'store'), log: () => undefined });
  const { protectedPaths = [], tools = { work: Object.keys(capabilities) } } = beside;
  const world = new World({ policy: policyWith(rules), tools: catalog, runner, trust, protectedPaths });
  worlds.push(world);
  const manifest = {
    'pawl-skill': 1,
    capabilities,
    tools: Object.fromEntries(
      Object.entries(tools).map(([name, needs]) => {
        const answers = beside.module === undefined ? { run: 'work.sh' } : { module: 'work.js' };
        return [name, { description: 'Works.', needs, ...answers }];
      }),
    ),
  };
  const bytes = new TextEncoder().encode(`#!/bin/sh\n${script}\n`);
  const files = {
    'SKILL.md': '---\nname: worker\ndescription: Works.\n---\n\nWork.\n',
    'pawl-skill.json': JSON.stringify(manifest),
    'work.sh': { bytes, size: bytes.length, mode: 0o755 },
    ...(beside.module === undefined ? {} : { 'work.js': beside.module }),
  };
  const folder = new MemoryFolder(await signed(entriesOf(files), key));
  const skill = await world.skills.load({ folder, executor: agent });
  if (isRefusal(skill)) throw new Error(skill.message);
  return {
    world,
    call: async () => textOf(await world.call('a', 'skill-worker__work', {})),
    findings: () => world.skills.findings(skill),
    policyWith,
  };
}

function textOf(outcome: Awaited<ReturnType<World['call']>>): string {
  if (outcome.kind === 'refused') {
    const { refusal } = outcome;
    const constraint = 'constraint' in refusal ? ` ${refusal.constraint ?? ''}` : '';
    return `${refusal.code}${constraint}`;
  }
  const { members } = outcome.value as { readonly members?: string };
  const { content } = (members === undefined ? outcome.value : JSON.parse(`{${members}}`)) as {
    readonly content: readonly { readonly text: string }[];
  };
  return content[0]?.text ?? '';
}

const reading = (): Rule => ({ tools: ['files/read_text_file'], where: { path: `${base}/in/**` } });
const writing = (): Rule => ({ tools: ['files/write_file'], where: { path: `${base}/out/**` } });
const everything = (folder: string): Rule[] =>
  ['read_text_file', 'list_directory', 'directory_tree', 'write_file', 'move_file', 'create_directory'].map(
    (tool) => ({ tools: [`files/${tool}`], where: { path: `${base}/${folder}/**` } }),
  );

describeWithSandbox('a program of a skill', () => {
  test('[S003.skill-powers] sees nothing of this machine where nothing is granted', async () => {
    const { call } = await loaded(
      {},
      `cat ${base}/in/plan.txt; ls ${base}/in ${base}/out; cat /proc/net/dev | grep -c eth; env | grep -c SECRET`,
    );
    expect(await call()).not.toMatch(/plan|old\.txt/u);
  });

  test('reads the folder that may be read, changes nothing in it, and sees no other', async () => {
    const script = `cat ${base}/in/plan.txt; echo x > ${base}/in/new.txt || echo no; cat ${base}/other/key.txt ${base}/out/old.txt; ls ${base}`;
    const { call } = await loaded({ reading: reading() }, script);
    expect(await call()).toBe('the planno\nin\nstore\n');
    expect(readdirSync(join(base, 'in')).sort()).toEqual(['.env', 'plan.txt']);
  });

  test('writes where it may write, and sees nothing there that it may not read', async () => {
    const script = `cat ${base}/out/old.txt || echo unseen; echo new > ${base}/out/new.txt; echo changed > ${base}/out/old.txt; mkdir ${base}/out/sub; echo deep > ${base}/out/sub/deep.txt`;
    const { call } = await loaded({ writing: writing() }, script);
    expect(await call()).toBe('unseen\n');
    expect(readFileSync(join(base, 'out/new.txt'), 'utf8')).toBe('new\n');
    expect(readFileSync(join(base, 'out/old.txt'), 'utf8')).toBe('changed\n');
    expect(readFileSync(join(base, 'out/sub/deep.txt'), 'utf8')).toBe('deep\n');
    expect(readdirSync(join(base, 'store')).filter((name) => name.startsWith('.stage-'))).toEqual([]);
  });

  test('what it may write and not remove stays, whatever it removes', async () => {
    const both = { tools: ['files/write_file', 'files/read_text_file'], where: { path: `${base}/out/**` } };
    const { call } = await loaded(
      { both },
      `cat ${base}/out/old.txt; rm ${base}/out/old.txt; ls ${base}/out`,
    );
    expect(await call()).toBe('old');
    expect(readFileSync(join(base, 'out/old.txt'), 'utf8')).toBe('old');
  });

  test('works in the folder itself where it may do everything', async () => {
    const all = Object.fromEntries(everything('out').map((rule, at) => [`c${at}`, rule]));
    const { call } = await loaded(all, `mv ${base}/out/old.txt ${base}/out/moved.txt; ls ${base}/out`);
    expect(await call()).toBe('moved.txt\n');
    expect(readdirSync(join(base, 'out'))).toEqual(['moved.txt']);
  });

  test('a denial inside a granted folder holds, for reading and for writing', async () => {
    const beside = { deny: [{ where: { path: '**/.env' } }] };
    const script = `cat ${base}/in/plan.txt; ls -A ${base}/in; echo x > ${base}/out/.env; echo y > ${base}/out/y.txt`;
    const { call } = await loaded({ reading: reading(), writing: writing() }, script, beside);
    expect(await call()).toBe('out_of_scope fs.root');
    expect(readdirSync(join(base, 'out'))).toEqual(['old.txt']);
    const honest = await loaded({ reading: reading() }, `cat ${base}/in/plan.txt; ls -A ${base}/in`, beside);
    expect(await honest.call()).toBe('the planplan.txt\n');
  });

  test('a pattern of names is no folder: only what it matches is there', async () => {
    writeFileSync(join(base, 'in/a.md'), 'a');
    const some = { tools: ['files/read_text_file'], where: { path: `${base}/in/*.md` } };
    const { call } = await loaded({ some }, `ls -A ${base}/in`);
    expect(await call()).toBe('a.md\n');
  });

  test('writes the names that it may write in a folder that it may read, and no others', async () => {
    const some = { tools: ['files/write_file'], where: { path: `${base}/in/*.log` } };
    const both = { reading: reading(), some };
    const { call } = await loaded(both, `cat ${base}/in/plan.txt > ${base}/in/a.log; cat ${base}/in/a.log`);
    expect(await call()).toBe('the plan');
    expect(readFileSync(join(base, 'in/a.log'), 'utf8')).toBe('the plan');
    const other = await loaded(both, `echo x > ${base}/in/a.txt`);
    expect(await other.call()).toBe('out_of_scope fs.root');
    expect(readdirSync(join(base, 'in')).sort()).toEqual(['.env', 'a.log', 'plan.txt']);
  });

  test('links and pipes that it leaves are kept out, with everything else that it left', async () => {
    for (const leave of [`ln -s /etc/passwd ${base}/out/link`, `mkfifo ${base}/out/pipe`]) {
      const { call } = await loaded({ writing: writing() }, `echo a > ${base}/out/a.txt; ${leave}`);
      expect(await call()).toBe('out_of_scope fs.root');
      expect(readdirSync(join(base, 'out'))).toEqual(['old.txt']);
    }
  });

  test('a folder that is a link gives nothing, nor does one that is not there, and both are told', async () => {
    symlinkSync(join(base, 'other'), join(base, 'alias'));
    const alias = { tools: ['files/read_text_file'], where: { path: `${base}/alias/**` } };
    const gone = { tools: ['files/read_text_file'], where: { path: `${base}/none/deep/**` } };
    const { call, findings } = await loaded(
      { alias, gone },
      `cat ${base}/alias/key.txt ${base}/other/key.txt || echo none`,
    );
    expect(await call()).toBe('none\n');
    expect(findings()).toEqual([
      expect.stringContaining('is a link'),
      expect.stringContaining('is not there'),
    ]);
  });

  test('what no sandbox can say gives nothing, and is told', async () => {
    const shell = { tools: ['shell/run_command'], where: { command: { program: ['ls'] } } };
    const { call, findings } = await loaded({ shell }, `ls ${base}/in || echo none`);
    expect(await call()).toBe('none\n');
    expect(findings()).toEqual(['work: shell: nothing of shell/run_command can be given to a program']);
  });

  test.each([
    { command: 'docker', args: ['run', '-i', '--rm', 'mcp/filesystem', '/data'] },
    { command: 'sh', args: ['-c', 'exec /usr/bin/ssh host files'] },
    { command: 'env', args: ['A=1', 'podman', 'run', 'files'] },
    { case: 'insensitive' },
    { command: undefined, url: 'https://files.example/mcp' },
  ])('a server whose names are not those of this machine gives it nothing: %j', async (server) => {
    const { call, findings } = await loaded({ reading: reading() }, `cat ${base}/in/plan.txt || echo none`, {
      server,
    });
    expect(await call()).toBe('none\n');
    expect(findings()).toEqual(['work: reading: nothing of files/read_text_file can be given to a program']);
  });

  test('what is counted, and what is asked for, is not done unseen', async () => {
    const limits = { few: { tools: ['files/write_file'], uses: 3, per: 'day' } };
    const counted = await loaded({ writing: writing() }, `echo new > ${base}/out/new.txt`, { limits });
    expect(await counted.call()).toBe('out_of_scope fs.root');
    const asks = [reading(), { ...writing(), ask: 'once' }];
    const both = { reading: reading(), writing: writing() };
    const asked = await loaded(both, `cat ${base}/in/plan.txt; echo new > ${base}/out/new.txt`, {
      allow: asks,
    });
    expect(await asked.call()).toBe('out_of_scope fs.root');
    const spent = [reading(), { ...writing(), uses: 100 }];
    const budgeted = await loaded(both, `cat ${base}/in/plan.txt; echo new > ${base}/out/new.txt`, {
      allow: spent,
    });
    expect(await budgeted.call()).toBe('out_of_scope fs.root');
    expect(existsSync(join(base, 'out/new.txt'))).toBe(false);
  });

  test('a smaller grant holds for programs that start afterwards', async () => {
    writeFileSync(join(base, 'in/plan.txt'), 'first');
    const deep = { tools: ['files/read_text_file'], where: { path: `${base}/in/deep/**` } };
    mkdirSync(join(base, 'in/deep'));
    writeFileSync(join(base, 'in/deep/d.txt'), 'deep');
    const { world, call, policyWith } = await loaded(
      { reading: reading() },
      `cat ${base}/in/plan.txt || echo gone`,
    );
    expect(await call()).toBe('first');
    const before = [reading()];
    world.reload(
      policyWith(before).replace('"deny":[]', `"deny":[{"where":{"path":"${base}/in/plan.txt"}}]`),
    );
    expect(await call()).toBe('gone\n');
    world.reload(policyWith([deep]));
    expect(await call()).toBe('masked');
  });

  test('is ended when its session is revoked, and what it left is not kept', async () => {
    const { world, call } = await loaded(
      { writing: writing() },
      `echo early > ${base}/out/early.txt; sleep 30`,
    );
    const running = call();
    await new Promise((later) => setTimeout(later, 700));
    world.revocations.revoke({ kind: 'executor', id: agent });
    expect(await running).toBe('no_such_cap');
    expect(existsSync(join(base, 'out/early.txt'))).toBe(false);
  });

  test('has one file where one file was granted, be it there or not', async () => {
    const one = { tools: ['files/read_text_file'], where: { path: `${base}/in/plan.txt` } };
    const another = { tools: ['files/write_file'], where: { path: `${base}/out/report.txt` } };
    const script = `ls -A ${base}/in ${base}/out; cat ${base}/in/plan.txt > ${base}/out/report.txt`;
    const { call } = await loaded({ one, another }, script);
    expect(await call()).toBe(`${base}/in:\nplan.txt\n\n${base}/out:\n`);
    expect(readFileSync(join(base, 'out/report.txt'), 'utf8')).toBe('the plan');
  });

  test('finds a folder that came, and one that was exchanged, the next time that it runs', async () => {
    const late = { tools: ['files/read_text_file'], where: { path: `${base}/late/**` } };
    const { call, findings } = await loaded({ late }, `cat ${base}/late/a.txt || echo none`);
    expect(await call()).toBe('none\n');
    expect(findings()).toHaveLength(1);
    mkdirSync(join(base, 'late'));
    writeFileSync(join(base, 'late/a.txt'), 'came');
    expect(await call()).toBe('came');
    expect(findings()).toEqual([]);
    renameSync(join(base, 'late'), join(base, 'before'));
    mkdirSync(join(base, 'late'));
    writeFileSync(join(base, 'late/a.txt'), 'exchanged');
    expect(await Promise.all([call(), call()])).toEqual(['exchanged', 'exchanged']);
    renameSync(join(base, 'late'), join(base, 'moved'));
    symlinkSync(join(base, 'other'), join(base, 'late'));
    writeFileSync(join(base, 'other/a.txt'), 'outside');
    expect(await call()).toBe('none\n');
  });

  test('sees nothing of what no grant can lift, in the middle of a granted folder', async () => {
    const all = { tools: ['files/read_text_file'], where: { path: `${base}/**` } };
    const protectedPaths = [`${base}/store`, `${base}/other`];
    const script = `cat ${base}/in/plan.txt; ls -A ${base} ${base}/store; find ${base} -name key.txt`;
    const { call } = await loaded({ all }, script, { protectedPaths });
    const seen = await call();
    expect(seen).toMatch(/^the plan/u);
    expect(seen).not.toMatch(/key\.txt|\.stage|other/u);
  });

  test('has a granted folder that is a mount of its own inside of another one, and no mount that is not granted', async (context) => {
    const parts = [mounted('in', 'out/inner'), mounted('other', 'out/foreign')];
    try {
      if (parts.includes(undefined)) return void context.skip('nothing can be mounted here');
      const outer = { tools: ['files/read_text_file'], where: { path: `${base}/out/**` } };
      const inner = { tools: ['files/read_text_file'], where: { path: `${base}/out/inner/**` } };
      const script = `cat ${base}/out/old.txt ${base}/out/inner/plan.txt; cat ${base}/out/foreign/key.txt || echo none`;
      const { call } = await loaded({ outer, inner }, script);
      expect(await call()).toBe('oldthe plannone\n');
    } finally {
      for (const part of parts) if (part !== undefined) spawnSync('umount', ['--lazy', part]);
    }
    return undefined;
  });

  test('of two tools each has what it needs, and not what the other one needs', async () => {
    const { world } = await loaded(
      { reading: reading(), writing: writing() },
      `cat ${base}/in/plan.txt || echo none`,
      { tools: { first: ['reading'], second: ['writing'], third: [] } },
    );
    const ask = async (tool: string): Promise<string> =>
      textOf(await world.call('a', `skill-worker__${tool}`, {}));
    expect([await ask('first'), await ask('second'), await ask('third')]).toEqual([
      'the plan',
      'none\n',
      'none\n',
    ]);
  });

  test('a write in the middle of a run is there for its own next step', async () => {
    const script = `echo a > ${base}/out/a.txt; cat ${base}/out/a.txt; echo b >> ${base}/out/a.txt`;
    const { call } = await loaded({ writing: writing() }, script);
    expect(await call()).toBe('a\n');
    expect(readFileSync(join(base, 'out/a.txt'), 'utf8')).toBe('a\nb\n');
  });

  test('reaches the urls that were granted through the proxy, and no others', async () => {
    const met: string[] = [];
    const server = createServer(({ url }, response) => {
      met.push(url ?? '');
      response.end('answer');
    });
    servers.push(server);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const api = { tools: ['web/fetch_json'], where: { url: `http://127.0.0.1:${port}/api/**` } };
    const ask = (url: string): string => `node -e '
      const { request } = require("node:http");
      const proxy = new URL(process.env.HTTP_PROXY);
      request({ host: proxy.hostname, port: proxy.port, path: "${url}" }, (r) => { process.stdout.write(String(r.statusCode) + " "); r.resume(); }).end()'`;
    const tunnel = `node -e '
      const { request } = require("node:http");
      const proxy = new URL(process.env.HTTP_PROXY);
      request({ host: proxy.hostname, port: proxy.port, method: "CONNECT", path: "127.0.0.1:${port}" }).on("connect", (r) => { process.stdout.write("tunnel " + r.statusCode); process.exit(0); }).end()'`;
    const urls = [
      `http://127.0.0.1:${port}/api/x`,
      `http://127.0.0.1:${port}/admin`,
      `http://127.0.0.1:${port}/api/../admin`,
      `http://127.0.0.1:${port + 1}/api/x`,
    ];
    const { call } = await loaded({ api }, [...urls.map(ask), tunnel].join('\n'));
    expect(await call()).toBe('200 403 403 403 tunnel 403');
    expect(met).toEqual(['/api/x']);
  });

  test('has no network where none was granted', async () => {
    const { call } = await loaded(
      { reading: reading() },
      'echo "${HTTP_PROXY:-none}"; cat /proc/net/route | wc -l',
    );
    expect(await call()).toMatch(/^none\n/u);
  });
});

describe('[S003.skill-powers] a JavaScript tool of a skill', () => {
  /** What each of some uses comes to: the value, or code and constraint. */
  const trying = (uses: Readonly<Record<string, string>>): string => `
    const tell = async (use) => {
      try { return await use(); }
      catch (error) { return [error.code, error.constraint].filter(Boolean).join(' '); }
    };
    export default async (args, powers) => {
      const { fs, net, clock } = powers;
      const told = {};
      ${Object.entries(uses)
        .map(([name, use]) => `told[${JSON.stringify(name)}] = await tell(async () => ${use});`)
        .join('\n      ')}
      return told;
    };`;

  async function toldBy(
    capabilities: Readonly<Record<string, Rule>>,
    uses: Readonly<Record<string, string>>,
    beside: Beside = {},
  ): Promise<unknown> {
    const { call } = await loaded(capabilities, '', { ...beside, module: trying(uses) });
    return JSON.parse(await call());
  }

  test('is handed a clock where nothing is granted, and nothing else', async () => {
    const told = await toldBy(
      {},
      { powers: 'Object.keys(powers).sort()', now: 'typeof (await clock.now())' },
    );
    expect(told).toEqual({ powers: ['clock'], now: 'number' });
  });

  test('reads and writes what it was granted, by verb and by path, at once', async () => {
    const told = await toldBy(
      { reading: reading(), writing: writing() },
      {
        read: `await fs.readText('${base}/in/plan.txt')`,
        write: `(await fs.write('${base}/out/new.txt', 'new'), 'written')`,
        'read what it may write': `await fs.readText('${base}/out/old.txt')`,
        'write what it may read': `await fs.write('${base}/in/plan.txt', 'x')`,
        'list without being granted to': `await fs.list('${base}/in')`,
        remove: `await fs.remove('${base}/out/old.txt')`,
        outside: `await fs.readText('${base}/other/key.txt')`,
        climbing: `await fs.readText('${base}/in/../other/key.txt')`,
        denied: `await fs.readText('${base}/in/.env')`,
        gone: `await fs.readText('${base}/in/none.txt')`,
        forged: 'await fs.readText({ split: 1 })',
      },
      { deny: [{ where: { path: '**/.env' } }] },
    );
    const refused = 'out_of_scope fs.root';
    expect(told).toEqual({
      read: 'the plan',
      write: 'written',
      'read what it may write': refused,
      'write what it may read': refused,
      'list without being granted to': refused,
      remove: refused,
      outside: refused,
      climbing: refused,
      denied: refused,
      gone: 'not_found',
      forged: 'bad_request',
    });
    expect(readFileSync(join(base, 'out/new.txt'), 'utf8')).toBe('new');
  });

  test('reaches the urls that it was granted, by path', async () => {
    const met: string[] = [];
    const server = createServer(({ url }, response) => {
      met.push(url ?? '');
      if (url === '/api/away') response.writeHead(302, { location: '/admin' });
      response.end('answer');
    });
    servers.push(server);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const at = `http://127.0.0.1:${port}`;
    const api = { tools: ['web/fetch_json'], where: { url: `${at}/api/**` } };
    const told = await toldBy(
      { api },
      {
        inside: `(await net.request('${at}/api/x')).status`,
        outside: `(await net.request('${at}/admin')).status`,
        redirected: `(await net.request('${at}/api/away')).status`,
        elsewhere: `(await net.request('http://127.0.0.1:${port + 1}/api/x')).status`,
      },
    );
    const refused = 'out_of_scope net.hosts';
    expect(told).toEqual({ inside: 200, outside: refused, redirected: refused, elsewhere: refused });
    expect(met).toEqual(['/api/x', '/api/away']);
  });

  test('uses no power any more when its call was revoked', async () => {
    const script = `export default async (args, { fs, clock }) => {
      await clock.sleep(700);
      await fs.write('${base}/out/late.txt', 'late');
      return 'written';
    };`;
    const { world, call } = await loaded({ writing: writing() }, '', { module: script });
    const running = call();
    await new Promise((later) => setTimeout(later, 400));
    world.revocations.revoke({ kind: 'executor', id: agent });
    expect(await running).toBe('outcome_unknown');
    await new Promise((later) => setTimeout(later, 600));
    expect(existsSync(join(base, 'out/late.txt'))).toBe(false);
  });
});
