/** The pure rooms know no time, no chance, no process, and they never wait. */
import ts from 'typescript';
import { isMemberName, lineOf, visit } from './ast.mjs';

const pureFile = /^packages\/core\/src\/(?:authority|connector|ceiling|policy)\//u;
const impureNames = new Set([
  'Date',
  'process',
  'performance',
  'crypto',
  'globalThis',
  'Promise',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
]);

/** Whether a file stands in a pure room and is no test. @param {string} name */
export function isPure(name) {
  return pureFile.test(name) && !name.endsWith('.test.ts');
}

/** @param {ts.Node} node @returns {string | undefined} what is impure about it */
function impurity(node) {
  if (ts.isIdentifier(node) && impureNames.has(node.text) && !isMemberName(node)) return node.text;
  if (ts.isPropertyAccessExpression(node) && node.getText() === 'Math.random') return 'Math.random';
  if (node.kind === ts.SyntaxKind.AsyncKeyword) return 'async';
  if (node.kind === ts.SyntaxKind.AwaitKeyword || ts.isAwaitExpression(node)) return 'await';
  return undefined;
}

/**
 * @param {ts.SourceFile} tree
 * @returns {import('./ast.mjs').Finding[]}
 */
export function findImpure(tree) {
  /** @type {import('./ast.mjs').Finding[]} */
  const found = [];
  visit(tree, (node) => {
    const what = impurity(node);
    if (what !== undefined) found.push({ line: lineOf(tree, node), what: `${what} in a pure room` });
  });
  return found;
}
