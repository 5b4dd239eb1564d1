import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readPolicy } from './load.js';
import { formatProblem } from './problem.js';

/** What is told of a policy whose fact `oncall` is in this file. */
function toldOf(file: string, text?: string): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-load-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'folder'));
  if (text !== undefined) writeFileSync(join(folder, file), text);
  const policy = join(folder, 'pawl.yaml');
  writeFileSync(
    policy,
    `pawl: 1\nservers: { s: { command: s } }\nfacts:\n  oncall: { file: ${file} }\nagents: { a: { allow: [ { tools: [s/t] } ] } }\n`,
  );
  const read = readPolicy(policy);
  return read.ok ? [] : read.problems.map((problem) => formatProblem('pawl.yaml', problem));
}

const allowed = 'allowed here: a file that holds one JSON value';

test.each([
  ['{"names": [1, 2]\n', 'oncall.json:2:1: found '],
  ['{"names": ["a"],\n "names": []}', 'oncall.json:2:2: found the key "names" twice in one object'],
  ['', 'oncall.json:1:1: found '],
  ['[1,\n  2,\n  x]', 'oncall.json:3:3: found '],
])(
  '[P.policy.positions] a fact that holds %j is told by its name, its file, and the place in it',
  (text, place) => {
    const [told = '', ...more] = toldOf('oncall.json', text);
    expect(more).toEqual([]);
    expect(told).toMatch(/^pawl\.yaml:4:\d+: the fact oncall cannot be read: /u);
    expect(told).toContain(place);
    expect(told).toContain(allowed);
  },
);

test('[P.policy.positions] a fact whose file is not there, or is a folder, says so', () => {
  expect(toldOf('absent.json')).toEqual([
    `pawl.yaml:4:11: the fact oncall cannot be read: absent.json: found no file of this name; ${allowed}`,
  ]);
  expect(toldOf('folder')).toEqual([
    `pawl.yaml:4:11: the fact oncall cannot be read: folder: found a folder; ${allowed}`,
  ]);
});
