/** The gate: every check, cheap ones first; it stops at the first that fails. `run.mjs NAME…` runs those alone. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './root.mjs';

/** One check: commands run by this Node, the first word a script of ours or the name of a package with its bin. */
/** @typedef {{ name: string, commands: readonly (readonly string[])[] }} Step */

/** @type {readonly Step[]} */
const steps = [
  { name: 'format', commands: [['biome', 'format', '.']] },
  { name: 'dangers', commands: [['gate/dangers.mjs']] },
  { name: 'lint', commands: [['oxlint', '--report-unused-disable-directives', '--deny-warnings', '.']] },
  {
    name: 'types',
    commands: [
      ['scripts/ready.mjs', '--build'],
      ['tsc', '-p', '.'],
    ],
  },
  { name: 'layers', commands: [['gate/layers.mjs']] },
  { name: 'unused', commands: [['knip']] },
  { name: 'api', commands: [['gate/api.mjs']] },
  { name: 'requirements', commands: [['gate/requirements.mjs'], ['gate/invariants.mjs']] },
  { name: 'reference', commands: [['gate/policy-reference.mjs']] },
  { name: 'tests', commands: [['vitest', 'run']] },
];

/** @param {string} name @returns {string} the script that a command names */
function scriptOf(name) {
  return name.endsWith('.mjs') ? join(root, name) : join(root, 'node_modules', '.bin', name);
}

/**
 * @param {Step} step
 * @param {NodeJS.ProcessEnv} env
 * @returns {boolean} whether every command of the step succeeded
 */
function passes(step, env) {
  return step.commands.every(([name = '', ...args]) => {
    const { status, error } = spawnSync(process.execPath, [scriptOf(name), ...args], {
      cwd: root,
      env,
      stdio: 'inherit',
    });
    if (error !== undefined) console.error(`${name}: ${error.message}`);
    return status === 0;
  });
}

/** @param {readonly string[]} names @returns {readonly Step[]} the steps named, or all */
function chosen(names) {
  const unknown = names.filter((name) => !steps.some((step) => step.name === name));
  if (unknown.length > 0) {
    console.error(
      `no such step: ${unknown.join(', ')}; there are ${steps.map(({ name }) => name).join(', ')}`,
    );
    process.exit(2);
  }
  return names.length === 0 ? steps : steps.filter(({ name }) => names.includes(name));
}

/**
 * Runs steps in order until one fails.
 * @param {readonly Step[]} wanted
 * @param {NodeJS.ProcessEnv} env
 * @returns {string | undefined} the step that failed
 */
function firstFailure(wanted, env) {
  for (const step of wanted) {
    console.log(`\n== ${step.name}`);
    const start = performance.now();
    const passed = passes(step, env);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`== ${step.name}: ${passed ? 'passed' : 'FAILED'} in ${seconds} s`);
    if (!passed) return step.name;
  }
  return undefined;
}

const wanted = chosen(process.argv.slice(2));
const folder = mkdtempSync(join(tmpdir(), 'pawl-gate-'));
const counts = join(folder, 'counts');
const failed = firstFailure(wanted, { ...process.env, PAWL_COUNTS: counts });
if (failed !== undefined) console.log(`\nthe gate stopped at: ${failed}; alone: npm run gate:${failed}`);
if (existsSync(counts)) process.stdout.write(readFileSync(counts, 'utf8'));
else if (failed !== undefined) console.log('0 passed, 1 failed, 0 skipped');
rmSync(folder, { recursive: true });
process.exitCode = failed === undefined ? 0 : 1;
