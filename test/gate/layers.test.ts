/** The layer check sees a violation where there is one, and notices when it saw nothing. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { root } from '../../gate/root.mjs';

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Links everything installed, but the workspaces to those of the copy. */
function linkModules(copy: string): void {
  const modules = join(copy, 'node_modules');
  mkdirSync(join(modules, '@pawl'), { recursive: true });
  const own = new Set(['.cache', '.vite', '.package-lock.json', '@pawl', 'pawl']);
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (!own.has(name)) symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  symlinkSync('../../packages/core', join(modules, '@pawl', 'core'));
  symlinkSync('../packages/gateway', join(modules, 'pawl'));
}

function emptyTree(): string {
  const copy = mkdtempSync(join(tmpdir(), 'pawl-layers-'));
  folders.push(copy);
  for (const name of ['.dependency-cruiser.cjs', 'package.json']) cpSync(join(root, name), join(copy, name));
  return copy;
}

function copyTree(): string {
  const copy = emptyTree();
  for (const name of ['core', 'gateway']) {
    cpSync(join(root, 'packages', name, 'src'), join(copy, 'packages', name, 'src'), { recursive: true });
    cpSync(join(root, 'packages', name, 'package.json'), join(copy, 'packages', name, 'package.json'));
  }
  // Tests in the rooms import from these; the check looks at what it can resolve.
  for (const name of ['test', 'gate']) cpSync(join(root, name), join(copy, name), { recursive: true });
  linkModules(copy);
  return copy;
}

function seed(copy: string, file: string, text: string): void {
  mkdirSync(dirname(join(copy, file)), { recursive: true });
  writeFileSync(join(copy, file), text);
}

function check(copy: string): { status: number | null; output: string } {
  const script = join(root, 'gate', 'layers.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, '--root', copy], {
    encoding: 'utf8',
  });
  return { status, output: `${stdout}${stderr}` };
}

const core = 'packages/core/src';
const gateway = 'packages/gateway/src';

/** Every seed: what it breaks, and files with their texts; the rule that has to see it. */
const seeds: readonly [what: string, rule: string, files: Readonly<Record<string, string>>][] = [
  [
    'a room that knows one further down',
    `core-ground: ${core}/ground/upward.ts`,
    {
      [`${core}/ground/upward.ts`]: "export type { Seed } from '../limit/seeded.js';",
      [`${core}/limit/seeded.ts`]: 'export type Seed = 1;',
    },
  ],
  [
    'a room of the tower that knows a room beside it',
    `core-policy: ${core}/policy/seed.ts`,
    {
      [`${core}/policy/seed.ts`]: "export { seeded } from '../consent/index.js';",
      [`${core}/consent/index.ts`]: 'export const seeded = 1;',
    },
  ],
  [
    'a room opened by another way than its door',
    `core-audit: ${core}/audit/seed.ts`,
    {
      [`${core}/audit/seed.ts`]: "export { seeded } from '../ground/seeded.js';",
      [`${core}/ground/seeded.ts`]: 'export const seeded = 1;',
    },
  ],
  [
    'send used by another room than dispatch',
    `second-door-send.ts: ${core}/handle/seed.ts`,
    {
      [`${core}/handle/seed.ts`]: "export { send } from '../vat/send.js';",
      [`${core}/vat/send.ts`]: 'export const send = 1;',
    },
  ],
  [
    'the current policy moved by another room than reload',
    `second-door-set-current.ts: ${core}/dispatch/seed.ts`,
    {
      [`${core}/dispatch/seed.ts`]: "export { setCurrent } from '../policy/set-current.js';",
      [`${core}/policy/set-current.ts`]: 'export const setCurrent = 1;',
    },
  ],
  [
    'a dependency of core',
    `core-closed: ${core}/connector/seed.ts`,
    { [`${core}/connector/seed.ts`]: "export { parse } from 'yaml';" },
  ],
  [
    'a power of Node in core',
    `core-node: ${core}/capability/seed.ts`,
    { [`${core}/capability/seed.ts`]: "export { hash } from 'node:crypto';" },
  ],
  [
    'a power of Node other than crypto in ground',
    `core-crypto: ${core}/ground/files.ts`,
    { [`${core}/ground/files.ts`]: "export { readFileSync } from 'node:fs';" },
  ],
  [
    'mcp that knows control',
    `gateway-mcp: ${gateway}/mcp/seed.ts`,
    {
      [`${gateway}/mcp/seed.ts`]: "export { seeded } from '../control/index.js';",
      [`${gateway}/control/index.ts`]: 'export const seeded = 1;',
    },
  ],
  [
    'a room that locks its realm down',
    `gateway-locked-realm: ${gateway}/mcp/locked.ts`,
    { [`${gateway}/mcp/locked.ts`]: "import 'ses';\nexport const seeded = 1;" },
  ],
  [
    'a file that imports what locks its realm down',
    `gateway-locked-entries: ${gateway}/compartment/seed.ts`,
    { [`${gateway}/compartment/seed.ts`]: "export { hardened } from './lock.js';" },
  ],
  [
    'core known by its path',
    `gateway-core-by-name: ${gateway}/store/seed.ts`,
    { [`${gateway}/store/seed.ts`]: "export * as core from '../../../core/src/index.js';" },
  ],
  [
    'a circle',
    `no-cycle: ${core}/limit/circle-`,
    {
      [`${core}/limit/circle-a.ts`]: "import { b } from './circle-b.js';\nexport const a: number = b;",
      [`${core}/limit/circle-b.ts`]: "import { a } from './circle-a.js';\nexport const b: number = a;",
    },
  ],
  [
    'a room that the design does not have',
    `core-unknown-room: ${core}/limit/seed.ts`,
    {
      [`${core}/attic/index.ts`]: 'export const seeded = 1;',
      [`${core}/limit/seed.ts`]: "export { seeded } from '../attic/index.js';",
    },
  ],
];

describe('[P.house.layers] the layer check', () => {
  test('is content with a copy of this repository', () => {
    expect(check(copyTree())).toMatchObject({ status: 0 });
  });

  test('fails on every seeded violation and names rule and place', () => {
    const copy = copyTree();
    for (const [, , files] of seeds) {
      for (const [file, text] of Object.entries(files)) seed(copy, file, text);
    }
    const { status, output } = check(copy);
    expect(status).toBe(1);
    expect(seeds.filter(([, rule]) => !output.includes(rule)).map(([what]) => what)).toEqual([]);
  });

  test('fails on one seeded violation alone', () => {
    const copy = copyTree();
    seed(copy, `${core}/ground/seed.ts`, "export { readFileSync } from 'node:fs';");
    const { status, output } = check(copy);
    expect(status).toBe(1);
    expect(output).toContain(', 1 violations');
  });
});

describe('[P.house.minimum-modules] the layer check', () => {
  test('fails on a tree without sources although nothing in it is wrong', () => {
    const { status, output } = check(emptyTree());
    expect(status).toBe(1);
    expect(output).toContain('layers: 0 modules, 0 violations');
  });
});
