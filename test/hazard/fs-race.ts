/** Uses every verb of an fs power while another process exchanges its folder and its file with links that lead out. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type WritableFs, grantFs } from '../../packages/gateway/src/power/index.js';

/** What one verb did. */
export interface VerbCount {
  done: number;
  /** A denial: a link was met. */
  denied: number;
  /** Something was not there, or was there already. */
  failed: number;
  leaked: number;
}

/** What a race came to. */
export interface RaceReport {
  readonly verbs: ReadonlyMap<string, VerbCount>;
  readonly leaks: number;
  /** Leaks of resolving the path first and opening it then, in the same race: shows that there is one. */
  readonly naiveLeaks: number;
  /** Whether anything outside was made, changed or removed. */
  readonly outsideChanged: boolean;
}

const canary = 'OUTSIDE'.repeat(99);

/** Milliseconds after the end in which a slow machine may still let each verb meet the link. */
const longestMs = 45_000;

/** Races for so many seconds, and until each verb has met the link and the folder. */
export async function raceFs(seconds: number): Promise<RaceReport> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'pawl-race-')));
  const [inside, outside] = [join(base, 'inside'), join(base, 'outside')];
  prepare(inside, outside);
  const before = snapshot(outside);
  const grant = await grantFs({ root: inside, port: { guard: () => undefined } });
  const swapper = fork(fileURLToPath(new URL('./swapper.mjs', import.meta.url)), [inside]);
  const exit = once(swapper, 'exit');
  await once(swapper, 'message');
  const race = new Race(grant.power, inside);
  try {
    const end = performance.now() + seconds * 1000;
    while (performance.now() < end || (!race.hasMet && performance.now() < end + longestMs))
      await race.round();
    if (swapper.exitCode !== null) throw new Error('the other process ended before the race did');
  } finally {
    if (swapper.exitCode === null) swapper.send('stop');
    await exit;
    await grant.revoke();
  }
  const outsideChanged = snapshot(outside) !== before;
  rmSync(base, { recursive: true, force: true });
  const leaks = [...race.verbs.values()].reduce((sum, { leaked }) => sum + leaked, 0);
  return { verbs: race.verbs, leaks, naiveLeaks: race.naiveLeaks, outsideChanged };
}

function prepare(inside: string, outside: string): void {
  for (const folder of [inside, outside]) mkdirSync(folder);
  mkdirSync(join(inside, 'box'));
  for (const folder of [join(inside, 'box'), outside]) {
    for (const name of ['kept.txt', 'victim.txt']) {
      writeFileSync(join(folder, name), folder === outside ? canary : 'inside');
    }
    for (const name of ['tree', 'empty']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'tree', 'leaf.txt'), folder === outside ? canary : 'inside');
  }
  writeFileSync(join(outside, 'only-outside.txt'), canary);
  writeFileSync(join(inside, 'one.txt'), 'inside');
  symlinkSync(outside, join(inside, '.link-box'));
  symlinkSync(join(outside, 'kept.txt'), join(inside, '.link-one.txt'));
}

function snapshot(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return names
    .map((name) => {
      const stats = statSync(join(folder, name));
      const content = stats.isFile() ? readFileSync(join(folder, name), 'utf8') : '';
      return [name, stats.ino, stats.mode, stats.mtimeMs, stats.nlink, content].join(' ');
    })
    .join('\n');
}

class Race {
  readonly verbs: Map<string, VerbCount> = new Map();
  naiveLeaks = 0;
  readonly #power: WritableFs;
  readonly #inside: string;

  constructor(power: WritableFs, inside: string) {
    this.#power = power;
    this.#inside = inside;
  }

  /** Whether each verb found the folder at least once, and the link at least once. */
  get hasMet(): boolean {
    const counts = [...this.verbs.values()];
    return counts.every(({ done, denied }) => done > 0 && denied > 0) && this.naiveLeaks > 0;
  }

  /** Every verb once, on the exchanged folder and on the exchanged file. */
  async round(): Promise<void> {
    const fs = this.#power;
    const isOutside = (value: unknown): boolean => JSON.stringify(value).includes('utside');
    const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
    for (const path of Array.from({ length: 4 }, () => ['box/kept.txt', 'one.txt']).flat()) {
      await this.#use('read', async () => isNot('inside', text(await fs.read(path))));
      await this.#use('readText', async () => isNot('inside', await fs.readText(path)));
      await this.#use('stat', async () => (await fs.stat(path)).size === canary.length);
      await this.#use('list', async () => isOutside(await fs.list('box')));
      await this.#use('search', async () => isOutside(await fs.search('box', { name: '*outside*' })));
      for (let time = 0; time < 5; time += 1) await this.#naive(path);
    }
    await this.#use('search', async () => isOutside(await fs.search('', { name: '*' })));
    await this.#changes(fs);
  }

  /** What these do outside is seen at the end; here it only has to be tried. */
  async #changes(fs: WritableFs): Promise<void> {
    const inside = async (work: Promise<void>): Promise<boolean> => {
      await work;
      return false;
    };
    await this.#use('write', () => inside(fs.write('box/made.txt', 'inside')));
    await this.#use('write', () => inside(fs.write('box/kept.txt', 'inside', { mode: 'replace' })));
    await this.#use('write', () => inside(fs.write('box/new.txt', 'inside', { mode: 'create' })));
    await this.#use('remove', () => inside(fs.remove('box/new.txt')));
    await this.#use('mkdir', () => inside(fs.mkdir('box/folder')));
    await this.#use('mkdir', () => inside(fs.mkdir('box/deep/er', { parents: true })));
    await this.#use('move', () => inside(fs.move('box/victim.txt', 'box/moved.txt')));
    await this.#use('move', () => inside(fs.move('box/moved.txt', 'box/victim.txt', { replace: true })));
    await this.#use('move', () => inside(fs.move('box/tree', 'tree')));
    await this.#use('move', () => inside(fs.move('tree', 'box/tree')));
    await this.#use('remove', () => inside(fs.remove('box/folder')));
    await this.#use('remove', () => inside(fs.remove('box/deep', { below: true })));
  }

  async #use(verb: string, work: () => Promise<boolean>): Promise<void> {
    const count = this.verbs.get(verb) ?? { done: 0, denied: 0, failed: 0, leaked: 0 };
    this.verbs.set(verb, count);
    try {
      if (await work()) count.leaked += 1;
      count.done += 1;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (error.message.includes(this.#inside)) count.leaked += 1;
      if (error.name === 'CapError') count.denied += 1;
      else if (error.name === 'PowerFailure') count.failed += 1;
      else throw error;
    }
  }

  async #naive(path: string): Promise<void> {
    try {
      const real = await realpath(join(this.#inside, path));
      if (!real.startsWith(`${this.#inside}/`)) return;
      if ((await readFile(join(this.#inside, path), 'utf8')) !== 'inside') this.naiveLeaks += 1;
    } catch {
      // Gone for a moment.
    }
  }
}

function isNot(wanted: string, found: string): boolean {
  return found !== wanted;
}
