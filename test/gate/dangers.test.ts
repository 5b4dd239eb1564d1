/** The small lints see what they are for and leave the rest alone. */
import { describe, expect, test } from 'vitest';
import { findVagueFolders } from '../../gate/danger/folders.mjs';
import { findPlaces } from '../../gate/danger/lock.mjs';
import { lintFile } from '../../gate/dangers.mjs';

const pureFile = 'packages/core/src/policy/a.ts';
const openFile = 'packages/core/src/dispatch/a.ts';

describe('[P.house.dangers] [S000.pure-predicates] the pure rooms', () => {
  test.each([
    ['const a = Date.now();', 'Date'],
    ['const a = new Date();', 'Date'],
    ['const a = Math.random();', 'Math.random'],
    ['const a = process.env;', 'process'],
    ['async function a() {}', 'async'],
    ['const a = async () => 1;', 'async'],
    ['for await (const a of b) f(a);', 'await'],
    ['function a(): Promise<void> { return b; }', 'Promise'],
    ['setTimeout(f, 1);', 'setTimeout'],
  ])('refuse %s', (text, what) => {
    expect(lintFile(pureFile, text)).toContain(`${pureFile}:1: ${what} in a pure room`);
    expect(lintFile(openFile, text)).toEqual([]);
    expect(lintFile(pureFile.replace('.ts', '.test.ts'), text)).toEqual([]);
  });

  test('may name members and words that only look alike', () => {
    const text =
      'const a = { Date: 1, process: b.Date }; interface C { process: string } const d = Math.max(1);';
    expect(lintFile(pureFile, text)).toEqual([]);
  });
});

describe('[P.house.dangers] logs', () => {
  test.each([
    'log.info(handle)',
    'console.error(`lost ${session.handle}`)',
    'this.logger.warn({ handle: mounted.handle })',
    'process.stderr.write("/object/" + name)',
    'logRefusal(toolHandle)',
    'audit.log.debug(`/object/${name}`)',
  ])('never hold a handle: %s', (text) => {
    expect(lintFile(openFile, text)).toHaveLength(1);
  });

  test.each(['log.info(hashHandle(handle))', 'send(handle)', 'log.info(handle(text))', 'log.info(name)'])(
    'are left alone: %s',
    (text) => {
      expect(lintFile(openFile, text)).toEqual([]);
    },
  );
});

describe('[P.house.dangers] doors, folders, switches and the lock file', () => {
  test('a door with export * is refused', () => {
    expect(lintFile(openFile, "export * from './a.js';\nexport * as b from './b.js';")).toHaveLength(2);
    expect(lintFile(openFile, "export { a } from './a.js';")).toEqual([]);
  });

  test('a folder with a name that says nothing is refused, a file of that name is not', () => {
    const names = ['packages/core/src/utils/', 'packages/core/src/vat/', 'test/common/', 'a/types.ts'];
    expect(findVagueFolders(names)).toEqual(['packages/core/src/utils/', 'test/common/']);
  });

  test('a check is switched off only for one line, one rule and with a reason', () => {
    const rule = 'typescript/no-unsafe-type-assertion';
    const off = ['ox', 'lint-disable'].join('');
    expect(lintFile(openFile, `// ${off}-next-line ${rule} -- brand constructor`)).toEqual([]);
    expect(lintFile(openFile, `// ${off}-next-line ${rule}`)).toHaveLength(1);
    expect(lintFile(openFile, `/* ${off} */`)).toHaveLength(1);
    expect(lintFile(openFile, `// ${['@ts', 'ignore'].join('-')}`)).toHaveLength(1);
  });

  test('a lock file that says where a package comes from is refused, a link to a workspace is not', () => {
    const packages = {
      'node_modules/a': { resolved: 'https://example.com/a.tgz' },
      'node_modules/b': { resolved: 'packages/b', link: true },
      'node_modules/c': {},
    };
    expect(findPlaces(JSON.stringify({ packages }))).toEqual([
      'node_modules/a: resolved https://example.com/a.tgz',
    ]);
  });
});
