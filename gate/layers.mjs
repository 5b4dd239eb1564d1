/** Checks the direction of imports, and that the check really looked at the sources. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cruise } from 'dependency-cruiser';
import { chosenRoot } from './arguments.mjs';

/**
 * Sources of packages (tests aside) that the check must see; raise it as the house grows.
 * A tool that reads no TypeScript would otherwise look at nothing and be content.
 */
const MINIMUM_MODULES = 60;

const folders = ['packages/core/src', 'packages/gateway/src'];

/**
 * @param {string} root
 * @returns {Promise<{ violations: string[], modules: number }>}
 */
async function look(root) {
  const present = folders.filter((folder) => existsSync(join(root, folder)));
  if (present.length === 0) return { violations: [], modules: 0 };
  process.chdir(root);
  const config = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs'));
  const { output } = await cruise(
    present,
    { ...config.options, ruleSet: { forbidden: config.forbidden }, validate: true },
    { ...config.options.enhancedResolveOptions },
  );
  if (typeof output === 'string') throw new Error('dependency-cruiser answered with text instead of data');
  const sources = output.modules.filter(
    ({ source }) => folders.some((folder) => source.startsWith(`${folder}/`)) && !source.endsWith('.test.ts'),
  );
  const violations = output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);
  return { violations, modules: sources.length };
}

const { violations, modules } = await look(chosenRoot());
for (const violation of violations) console.error(violation);
if (modules < MINIMUM_MODULES) {
  console.error(
    `looked at ${modules} modules, fewer than ${MINIMUM_MODULES}: the check did not see the sources`,
  );
}
console.log(`layers: ${modules} modules, ${violations.length} violations`);
process.exitCode = violations.length === 0 && modules >= MINIMUM_MODULES ? 0 : 1;
