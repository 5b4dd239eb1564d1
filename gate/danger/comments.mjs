/** A check is switched off for one line, with a reason, or not at all. */

const allowed = /oxlint-disable-next-line \S+ -- \S/u;
const directive = /(?:ox|es)lint-(?:disable|enable)|@ts-(?:ignore|nocheck|expect-error)|biome-ignore/u;
const typeTest = /@ts-expect-error \S/u;

/**
 * @param {import('typescript').SourceFile} tree
 * @returns {import('./ast.mjs').Finding[]}
 */
export function findSwitchedOffChecks(tree) {
  const isTest = tree.fileName.endsWith('.test.ts');
  return tree.text
    .split('\n')
    .map((text, index) => ({ text, line: index + 1 }))
    .filter(({ text }) => directive.test(text) && !allowed.test(text) && !(isTest && typeTest.test(text)))
    .map(({ line }) => ({
      line,
      what: 'a check switched off; allowed is one line, one rule and `-- reason`',
    }));
}
