/** `npm run mutants [-- ID…]`: runs the named test of each mutant under it, and fails where one is not noticed. Sources stay as they are. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../gate/root.mjs';
import { mutants } from '../test/race/mutants.mjs';

const folder = mkdtempSync(join(tmpdir(), 'pawl-mutants-'));
const runner = join(root, 'node_modules/vitest/vitest.mjs');

/**
 * What became of the tests of a file whose titles hold a text: how many ran, and how many failed.
 * @param {string} id the mutant; empty for none
 * @param {string} file
 * @param {string} title
 * @returns {{ passed: number, failed: number, error: string }}
 */
function run(id, file, title) {
  const out = join(folder, 'report.json');
  rmSync(out, { force: true });
  const pattern = title.replaceAll(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`);
  const config = join(root, 'test/race/mutant.config.ts');
  const flags = ['run', file, '--config', config, '-t', pattern, '--reporter=json', `--outputFile=${out}`];
  const { stderr } = spawnSync(process.execPath, [runner, ...flags], {
    cwd: root,
    env: { ...process.env, PAWL_MUTANT: id },
    encoding: 'utf8',
  });
  try {
    const report = JSON.parse(readFileSync(out, 'utf8'));
    const tests = report.testResults.flatMap((/** @type {any} */ one) => one.assertionResults);
    const of = (/** @type {string} */ status) =>
      tests.filter((/** @type {any} */ one) => one.status === status && one.title.includes(title)).length;
    return { passed: of('passed'), failed: of('failed'), error: '' };
  } catch {
    return { passed: 0, failed: 0, error: stderr.slice(-2000) };
  }
}

const asked = process.argv.slice(2);
const unknown = asked.filter((id) => !mutants.some((mutant) => mutant.id === id));
if (unknown.length > 0) {
  console.error(`no such mutant: ${unknown.join(', ')}; there are ${mutants.map(({ id }) => id).join(', ')}`);
  process.exit(2);
}
const chosen = asked.length === 0 ? mutants : mutants.filter(({ id }) => asked.includes(id));
const killers = new Map(chosen.map(({ file, test }) => [`${file} > ${test}`, { file, test }]));
let wrong = 0;
for (const [name, { file, test }] of killers) {
  const { passed, failed, error } = run('', file, test);
  if (passed > 0 && failed === 0) continue;
  wrong += 1;
  console.error(`without any mutant, ${name}: ${passed} passed, ${failed} failed ${error}`);
}
for (const { id, wrong: what, file, test } of chosen) {
  const { passed, failed, error } = run(id, file, test);
  const killed = failed > 0;
  if (!killed) wrong += 1;
  console.log(
    `${killed ? 'killed  ' : 'SURVIVED'} ${id}: ${what}\n         ${killed ? 'by' : 'not by'} ${file} > ${test}`,
  );
  if (error !== '' || passed + failed === 0) console.error(`         no test ran ${error}`);
}
rmSync(folder, { recursive: true, force: true });
console.log(`${chosen.length} mutants, ${wrong === 0 ? 'all killed' : `${wrong} wrong`}`);
process.exitCode = wrong === 0 ? 0 : 1;
