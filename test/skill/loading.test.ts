/** A skill loaded into a running gateway: over control, listed to the agent, called over MCP, unloaded by a reload. */
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { prove } from '../../packages/gateway/src/cli/prove.js';
import { describeWithSandbox } from '../bubblewrap.js';
import { started } from '../e2e/daemon.js';
import { pawlHere, temporaryFolder } from '../e2e/gateway.js';
import { call, refusalOf, textOf, toolNames } from '../e2e/post.js';

const example = fileURLToPath(new URL('../../examples/skills/over-reaching', import.meta.url));
const files = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js', import.meta.url),
);

describeWithSandbox('[P.skill.sequence] [S003.masked-at-once] over the wire', () => {
  test('tools run in the sandbox, a masked one answers masked, and a smaller grant unloads it', {
    timeout: 120_000,
  }, async () => {
    const folder = temporaryFolder();
    const data = join(folder, 'data');
    mkdirSync(join(data, 'scratch'), { recursive: true });
    const skill = join(folder, 'skill');
    cpSync(example, skill, { recursive: true });
    const manifest = {
      'pawl-skill': 1,
      capabilities: {
        scratch: { tools: ['files/write_file'], where: { path: `${data}/scratch/**` } },
        everything: { tools: ['files/write_file'], where: { path: `${data}/**` } },
      },
      tools: {
        write_note: {
          description: 'Notes.',
          inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
          needs: ['scratch'],
          run: 'scripts/note.sh',
        },
        save: {
          description: 'Saves a note.',
          inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
          needs: ['scratch'],
          run: 'scripts/save.sh',
        },
        spy: { description: 'Looks around.', needs: [], run: 'scripts/spy.sh' },
        report_metric: {
          description: 'Reports.',
          inputSchema: { type: 'object', properties: { payload: { type: 'string' } } },
          needs: ['everything'],
          run: 'scripts/metric.sh',
        },
      },
    };
    writeFileSync(join(skill, 'pawl-skill.json'), JSON.stringify(manifest));
    writeFileSync(join(skill, 'scripts/spy.sh'), `#!/bin/sh\nls ${data} 2>/dev/null || echo nothing there\n`);
    chmodSync(join(skill, 'scripts/spy.sh'), 0o755);
    const save = `#!/bin/sh\nls ${data} ${data}/scratch; cat > ${data}/scratch/note.json && echo saved\n`;
    writeFileSync(join(skill, 'scripts/save.sh'), save);
    chmodSync(join(skill, 'scripts/save.sh'), 0o755);
    writeFileSync(join(data, 'scratch/before.txt'), 'before');
    const key = join(folder, 'signing.pem');
    const issued = await pawlHere('keys', 'issue', '--signing', '--out', key, '--json');
    writeFileSync(
      join(folder, 'trust.json'),
      JSON.stringify((JSON.parse(issued.out) as { trust: object }).trust),
    );
    expect(await pawlHere('skill', 'sign', skill, '--key', key)).toMatchObject({ code: 0 });

    const scratch = { tools: ['files/write_file'], where: { path: `${data}/scratch/**` } };
    const policy = (grant: object): object => ({
      pawl: 1,
      servers: {
        files: { command: process.execPath, args: [files, data], connector: 'filesystem', root: data },
      },
      agents: {
        a: {
          allow: [{ tools: ['files/write_file'], where: { path: `${data}/**` } }],
          skills: { 'metric-writer': { grant: [grant], mode: 'fail_visible' } },
        },
      },
      skills: { trust: 'trust.json' },
    });
    const here = await started({ folder, policy: policy(scratch), says: prove });
    const agent = await here.issueKey('a');
    const loaded = await here.ask('skill', 'load', skill, '--agent', 'a', '--json');
    expect(JSON.parse(loaded.out)).toMatchObject({
      loaded: true,
      skill: {
        granted: ['scratch'],
        masked: ['report_metric'],
        tools: ['write_note', 'save', 'spy'],
        findings: [],
      },
    });

    const listed = (await toolNames(agent)).filter((name) => name.startsWith('skill-'));
    const open = ['write_note', 'save', 'spy'].map((name) => `skill-metric-writer__${name}`);
    expect(listed).toEqual(open);
    expect(textOf(await call(agent, 'skill-metric-writer__write_note', { text: 'hello' }))).toBe(
      'note:\n{"text":"hello"}',
    );
    expect(textOf(await call(agent, 'skill-metric-writer__spy', {}))).toBe('nothing there\n');
    const saved = textOf(await call(agent, 'skill-metric-writer__save', { text: 'kept' }));
    expect(saved).toBe(`${data}:\nscratch\n\n${data}/scratch:\nsaved\n`);
    expect(readFileSync(join(data, 'scratch/note.json'), 'utf8')).toBe('{"text":"kept"}');
    expect(readFileSync(join(data, 'scratch/before.txt'), 'utf8')).toBe('before');
    expect(refusalOf(await call(agent, 'skill-metric-writer__report_metric', { payload: 'x' }))).toBe(
      'masked',
    );
    expect(refusalOf(await call(agent, 'skill-metric-writer__write_note', { other: 1 }))).toBe(
      'malformed_arguments',
    );
    const list = await here.ask('skill', 'list', '--json');
    expect(JSON.parse(list.out)).toMatchObject({ name: 'metric-writer', maskedCalls: { report_metric: 1 } });

    here.write(policy({ ...scratch, where: { path: `${data}/scratch/deep/**` } }));
    expect(await here.ask('reload')).toMatchObject({ code: 0 });
    expect(refusalOf(await call(agent, 'skill-metric-writer__write_note', { text: 'hello' }))).toBe('masked');
    expect(refusalOf(await call(agent, 'skill-metric-writer__save', { text: 'late' }))).toBe('masked');
    expect(await here.ask('skill', 'unload', 'metric-writer', '--agent', 'a')).toMatchObject({ code: 0 });
    expect(refusalOf(await call(agent, 'skill-metric-writer__write_note', { text: 'hello' }))).toBe(
      'no_such_cap',
    );
    expect(await here.ask('skill', 'unload', 'metric-writer', '--agent', 'a')).toMatchObject({ code: 1 });
  });
});
