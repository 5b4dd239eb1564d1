/** A daemon that ends and starts again: what was loaded is loaded again by the same sequence, if it is the same, with at most what it had. */
import { chmodSync, cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { prove } from '../../packages/gateway/src/cli/prove.js';
import { type Here, started } from '../e2e/daemon.js';
import { pawlHere, temporaryFolder } from '../e2e/gateway.js';

const example = fileURLToPath(new URL('../../examples/skills/over-reaching', import.meta.url));
const server = fileURLToPath(new URL('./small-server.mjs', import.meta.url));

interface Listed {
  readonly name: string;
  readonly granted: readonly string[];
  readonly masked: readonly string[];
  readonly signer?: { readonly key: string };
  readonly notLoaded?: { readonly reason: string };
}

/** A folder with a signed skill, a trust file and a policy, and daemons over it. */
class Place {
  readonly folder = temporaryFolder();
  readonly data = join(this.folder, 'data');
  readonly skill = join(this.folder, 'skill');
  readonly key = join(this.folder, 'signing.pem');
  trust: { keys: Record<string, object>; revoked?: string[] } = { keys: {} };
  here: Here | undefined;

  async prepare(): Promise<void> {
    mkdirSync(join(this.data, 'scratch'), { recursive: true });
    cpSync(example, this.skill, { recursive: true });
    const capabilities = {
      scratch: { tools: ['files/write_file'], where: { path: `${this.data}/scratch/**` } },
      everything: { tools: ['files/write_file'], where: { path: `${this.data}/**` } },
    };
    const tool = (needs: string, run: string): object => ({ description: 'A tool.', needs: [needs], run });
    const tools = {
      write_note: tool('scratch', 'scripts/note.sh'),
      report_metric: tool('everything', 'scripts/metric.sh'),
    };
    writeFileSync(
      join(this.skill, 'pawl-skill.json'),
      JSON.stringify({ 'pawl-skill': 1, capabilities, tools }),
    );
    const issued = await pawlHere('keys', 'issue', '--signing', '--out', this.key, '--json');
    this.trusts((JSON.parse(issued.out) as { trust: Place['trust'] }).trust);
    await this.sign();
  }

  trusts(trust: Place['trust']): void {
    this.trust = trust;
    writeFileSync(join(this.folder, 'trust.json'), JSON.stringify(trust));
  }

  async sign(): Promise<void> {
    expect(await pawlHere('skill', 'sign', this.skill, '--key', this.key)).toMatchObject({ code: 0 });
  }

  policy(path: string, { mode = 'fail_visible', unsigned = 'refuse' } = {}): object {
    const grant = [{ tools: ['files/write_file'], where: { path: `${this.data}/${path}` } }];
    return {
      pawl: 1,
      servers: {
        files: {
          command: process.execPath,
          args: [server],
          connector: 'filesystem',
          root: this.data,
        },
      },
      agents: {
        a: {
          allow: [{ tools: ['files/write_file'], where: { path: `${this.data}/**` } }],
          skills: { 'metric-writer': { grant, mode } },
        },
      },
      skills: { trust: 'trust.json', unsigned },
    };
  }

  async start(policy: object, bumpEpoch = false): Promise<Here> {
    await this.here?.close();
    writeFileSync(join(this.folder, 'pawl.json'), JSON.stringify(policy));
    this.here = await started({ folder: this.folder, policy, says: prove, bumpEpoch });
    return this.here;
  }

  async load(): Promise<unknown> {
    const { out } = await this.here!.ask('skill', 'load', this.skill, '--agent', 'a', '--json');
    return JSON.parse(out);
  }

  async list(): Promise<readonly Listed[]> {
    const { out } = await this.here!.ask('skill', 'list', '--json');
    return out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Listed);
  }

  async events(name: string): Promise<readonly Record<string, unknown>[]> {
    const records = await this.here!.daemon.store.records({ limit: 1000, newest: true });
    return records
      .map(({ text }) => (JSON.parse(text) as { record: { event?: string; data?: object } }).record)
      .filter(({ event }) => event === name)
      .map(({ data }) => data as Record<string, unknown>);
  }
}

async function place(): Promise<Place> {
  const made = new Place();
  await made.prepare();
  return made;
}

describe('[S003.restart] a skill that was loaded', { timeout: 60_000 }, () => {
  test('is there again after a restart, with what it had and what was masked; unloaded it is gone for good', async () => {
    const at = await place();
    await at.start(at.policy('scratch/**'));
    expect(await at.load()).toMatchObject({ loaded: true });
    const [before] = await at.list();
    await at.start(at.policy('scratch/**'));
    const [after] = await at.list();
    const granting = (skill: Listed | undefined): object => ({ ...skill, ungranted: [] });
    expect(granting(after)).toEqual(granting(before));
    expect(after).toMatchObject({ granted: ['scratch'], masked: ['report_metric'] });
    // What was told when it was loaded is no news.
    expect(await at.events('security')).toHaveLength(1);
    expect(await at.here!.ask('skill', 'unload', 'metric-writer', '--agent', 'a')).toMatchObject({ code: 0 });
    await at.start(at.policy('scratch/**'));
    expect(await at.list()).toEqual([]);
  });

  test('gets no more than it had, whatever it is granted by then, until an operator loads it anew', async () => {
    const at = await place();
    await at.start(at.policy('scratch/**'));
    await at.load();
    await at.start(at.policy('**'), true);
    expect(await at.list()).toMatchObject([{ granted: ['scratch'], masked: ['report_metric'] }]);
    await at.start(at.policy('**'));
    expect(await at.list()).toMatchObject([{ granted: ['scratch'], masked: ['report_metric'] }]);
    await at.here!.ask('skill', 'unload', 'metric-writer', '--agent', 'a');
    expect(await at.load()).toMatchObject({ skill: { masked: [] } });
  });

  test('that a reload masked stays masked over a restart that grants it again', async () => {
    const at = await place();
    await at.start(at.policy('**'));
    expect(await at.load()).toMatchObject({ skill: { masked: [] } });
    at.here!.write(at.policy('scratch/**'));
    expect(await at.here!.ask('reload')).toMatchObject({ code: 0 });
    expect(await at.list()).toMatchObject([{ masked: ['report_metric'] }]);
    await at.start(at.policy('**'), true);
    expect(await at.list()).toMatchObject([{ granted: ['scratch'], masked: ['report_metric'] }]);
  });

  test('that is granted less by then is masked, or under fail_closed not loaded and forgotten', async () => {
    const at = await place();
    await at.start(at.policy('**'));
    await at.load();
    await at.start(at.policy('scratch/**'));
    expect(await at.list()).toMatchObject([{ masked: ['report_metric'] }]);
    await at.start(at.policy('scratch/deep/**', { mode: 'fail_closed' }));
    expect(await at.list()).toMatchObject([{ notLoaded: { reason: 'over_reach' } }]);
    expect(at.here!.log.join('\n')).toContain('metric-writer for a is not loaded again');
    await at.start(at.policy('**'), true);
    expect(await at.list()).toEqual([]);
  });

  test.each<readonly [string, string, (at: Place) => Promise<void> | void]>([
    [
      'a file changed',
      'file_changed',
      (at) => writeFileSync(join(at.skill, 'scripts/note.sh'), '#!/bin/sh\n'),
    ],
    ['a file came', 'file_unlisted', (at) => writeFileSync(join(at.skill, 'more.md'), 'x')],
    ['a mode changed', 'mode', (at) => chmodSync(join(at.skill, 'scripts/note.sh'), 0o644)],
    [
      'it was signed anew with another file',
      'not_as_loaded',
      (at) => {
        writeFileSync(join(at.skill, 'more.md'), 'x');
        return at.sign();
      },
    ],
    [
      'it was signed anew with another name',
      'not_as_loaded',
      (at) => {
        renameSync(join(at.skill, 'scripts/metric.sh'), join(at.skill, 'scripts/metrics.sh'));
        writeFileSync(join(at.skill, 'pawl-skill.json'), '{"pawl-skill":1}');
        return at.sign();
      },
    ],
    [
      'its key was revoked',
      'key_revoked',
      (at) => at.trusts({ ...at.trust, revoked: Object.keys(at.trust.keys) }),
    ],
    ['its key is not trusted any more', 'unknown_signer', (at) => at.trusts({ keys: {} })],
    [
      'its key expired',
      'key_expired',
      (at) => {
        const [[id, key] = ['', {}]] = Object.entries(at.trust.keys);
        at.trusts({ keys: { [id]: { ...key, notAfter: '2020-01-01' } } });
      },
    ],
  ])('is not loaded again where %s: %s', async (_, reason, change) => {
    const at = await place();
    await at.start(at.policy('scratch/**'));
    await at.load();
    await at.here!.close();
    await change(at);
    await at.start(at.policy('scratch/**'));
    expect(await at.list()).toMatchObject([{ name: 'metric-writer', notLoaded: { reason } }]);
    expect(await at.events('skill_refused')).toMatchObject([
      { skill: 'metric-writer', reason, restart: true },
    ]);
    await at.start(at.policy('scratch/**'));
    expect(await at.list()).toEqual([]);
  });

  test('whose folder is not there is told, and comes back with it', async () => {
    const at = await place();
    await at.start(at.policy('scratch/**'));
    await at.load();
    renameSync(at.skill, `${at.skill}-away`);
    await at.start(at.policy('scratch/**'));
    expect(await at.list()).toMatchObject([{ notLoaded: { reason: 'unreadable' } }]);
    const status = await at.here!.ask('status');
    expect(status.out).toMatch(/^skills +0 loaded\n +NOT LOADED: metric-writer for a;/mu);
    const { out } = await at.here!.ask('skill', 'list');
    expect(out).toContain('NOT LOADED (unreadable)');
    renameSync(`${at.skill}-away`, at.skill);
    await at.start(at.policy('scratch/**'));
    expect(await at.list()).toMatchObject([{ granted: ['scratch'] }]);
    renameSync(at.skill, `${at.skill}-away`);
    await at.start(at.policy('scratch/**'));
    expect(await at.here!.ask('skill', 'unload', 'metric-writer', '--agent', 'a')).toMatchObject({ code: 0 });
    renameSync(`${at.skill}-away`, at.skill);
    await at.start(at.policy('scratch/**'));
    expect(await at.list()).toEqual([]);
  });

  test('that cannot be made ready keeps nobody from starting', async () => {
    const at = await place();
    await at.start(at.policy('scratch/**'));
    await at.load();
    await at.here!.close();
    rmSync(join(at.here!.store, 'skills'), { recursive: true });
    writeFileSync(join(at.here!.store, 'skills'), 'no folder');
    await at.start(at.policy('scratch/**'));
    expect(await at.list()).toMatchObject([{ notLoaded: { reason: 'unreadable' } }]);
    rmSync(join(at.here!.store, 'skills'));
    await at.start(at.policy('scratch/**'));
    expect(await at.list()).toMatchObject([{ granted: ['scratch'] }]);
  });

  test('that nobody signed comes back as such, and not once somebody signed it', async () => {
    const at = await place();
    const policy = at.policy('scratch/**', { unsigned: 'sandbox' });
    writeFileSync(join(at.skill, 'pawl-skill.json'), '{"pawl-skill":1}');
    renameSync(join(at.skill, 'skill.oms.sig'), join(at.folder, 'away.sig'));
    await at.start(policy);
    expect(await at.load()).toMatchObject({ loaded: true });
    await at.start(policy);
    const [again] = await at.list();
    expect(again).toMatchObject({ name: 'metric-writer', granted: [] });
    expect(again).not.toHaveProperty('signer');
    await at.here!.close();
    await at.sign();
    await at.start(policy);
    expect(await at.list()).toMatchObject([{ notLoaded: { reason: 'not_as_loaded' } }]);
  });
});
