/** Writes docs/invariants.md from test/requirements.ts, or checks that it is up to date. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadRequirements } from './load-requirements.mjs';
import { root } from './root.mjs';

const page = 'docs/invariants.md';

/**
 * @param {readonly import('./load-requirements.mjs').Requirement[]} requirements
 * @returns {string} the page's text
 */
export function render(requirements) {
  const sources = [...new Set(requirements.map(({ source }) => source))];
  const lines = [
    '# Invariants',
    '',
    'Generated from `test/requirements.ts` by `npm run docs:invariants`; do not edit.',
    'Every built promise is cited by at least one test, by its id in the title. Planned ones are cited by none.',
  ];
  for (const source of sources) {
    lines.push('', `## ${source}`, '', '| id | promise | state |', '|---|---|---|');
    for (const { id, text, status } of requirements.filter((row) => row.source === source)) {
      lines.push(`| \`${id}\` | ${text.replaceAll('|', '\\|')} | ${status} |`);
    }
  }
  return `${lines.join('\n')}\n`;
}

if (process.argv[1] === import.meta.filename) {
  const wanted = render(await loadRequirements(root));
  const path = join(root, page);
  const present = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (process.argv.includes('--write')) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, wanted);
  } else if (present !== wanted) {
    console.error(`${page} is not what test/requirements.ts says; run: npm run docs:invariants`);
    process.exitCode = 1;
  }
}
