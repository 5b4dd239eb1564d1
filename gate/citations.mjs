/** Finds the requirement ids that test titles cite. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { walk } from './files.mjs';

const callers = new Set(['test', 'it', 'describe', 'suite', 'describeWithShared', 'testWithShared']);
const idPattern = /\[((?:S00[0-3]|P)\.[^\]\s]+)\]/gu;

/** A cited id and the place of its title. @typedef {{ id: string, file: string, line: number }} Citation */

/**
 * The names in a callee, outermost first: `test.each(rows)` gives test, each.
 * @param {ts.Expression} callee
 * @returns {string[]}
 */
function namesOf(callee) {
  if (ts.isIdentifier(callee)) return [callee.text];
  if (ts.isPropertyAccessExpression(callee)) return [...namesOf(callee.expression), callee.name.text];
  if (ts.isCallExpression(callee)) return namesOf(callee.expression);
  if (ts.isTaggedTemplateExpression(callee)) return namesOf(callee.tag);
  return [];
}

/**
 * The fixed text of a title; what a template fills in at run time is left out.
 * @param {ts.Expression | undefined} title
 * @returns {string}
 */
function textOf(title) {
  if (title === undefined) return '';
  if (ts.isStringLiteralLike(title)) return title.text;
  if (ts.isTemplateExpression(title)) {
    return [title.head.text, ...title.templateSpans.map((span) => span.literal.text)].join('\u0000');
  }
  if (ts.isBinaryExpression(title)) return textOf(title.left) + textOf(title.right);
  return '';
}

/**
 * Whether a call declares a test that can run. What is always skipped proves nothing.
 * @param {ts.CallExpression} call
 */
function declaresTest(call) {
  const [first, ...rest] = namesOf(call.expression);
  if (first === undefined || !callers.has(first)) return false;
  return !rest.some((name) => name === 'skip' || name === 'todo');
}

/**
 * The ids cited by test titles of one file.
 * @param {string} file name used in the answer
 * @param {string} source its text
 * @returns {Citation[]}
 */
export function citationsIn(file, source) {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.ES2023, true);
  /** @type {Citation[]} */
  const found = [];
  /** @param {ts.Node} node */
  function visit(node) {
    if (ts.isCallExpression(node) && declaresTest(node)) {
      const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      for (const match of textOf(node.arguments[0]).matchAll(idPattern)) {
        found.push({ id: match[1] ?? '', file, line });
      }
    }
    ts.forEachChild(node, visit);
  }
  visit(tree);
  return found;
}

/**
 * The ids cited by all test files of a repository.
 * @param {string} root
 * @returns {Citation[]}
 */
export function citationsOf(root) {
  const folders = ['packages', 'test', 'bench'];
  const files = walk(root).filter(
    (name) =>
      folders.includes(name.split('/')[0] ?? '') && (name.endsWith('.test.ts') || name.endsWith('-suite.ts')),
  );
  return files.flatMap((name) => citationsIn(name, readFileSync(join(root, name), 'utf8')));
}
