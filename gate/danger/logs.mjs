/** No handle reaches a log in the clear: not as a variable, not as a member, not as text. */
import ts from 'typescript';
import { lineOf, visit } from './ast.mjs';

const logger = /^(?:console|log|logger|.*Log|.*Logger)$/u;
const levels = new Set(['trace', 'debug', 'info', 'log', 'warn', 'error', 'fatal', 'write']);
const streams = /(?:stdout|stderr)$/u;
const handle = /^(?:handles?|\w+Handles?)$/u;
const conceals = /hash|digest|salt|redact|conceal/iu;

/** @param {ts.CallExpression} call @returns {boolean} whether it writes to a log or a stream that people read */
function isLogCall(call) {
  const { expression } = call;
  if (ts.isIdentifier(expression)) return /^log(?:[A-Z]\w*)?$/u.test(expression.text);
  if (!ts.isPropertyAccessExpression(expression) || !levels.has(expression.name.text)) return false;
  const owner = expression.expression;
  const name = ts.isPropertyAccessExpression(owner) ? owner.name.text : owner.getText();
  return logger.test(name) || streams.test(name);
}

/** @param {ts.Node} node @returns {boolean} whether a function on the way hides what it is given */
function isConcealing(node) {
  return ts.isCallExpression(node) && conceals.test(node.expression.getText());
}

/** @param {ts.Node} node @returns {string | undefined} what shows a handle */
function shown(node) {
  if (ts.isIdentifier(node) && handle.test(node.text)) {
    const { parent } = node;
    const isCalled = ts.isCallExpression(parent) && parent.expression === node;
    const isKey = ts.isPropertyAssignment(parent) && parent.name === node;
    return isCalled || isKey ? undefined : node.text;
  }
  const isText =
    ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
  return isText && node.text.includes('/object/') ? '/object/' : undefined;
}

/**
 * @param {ts.SourceFile} tree
 * @returns {import('./ast.mjs').Finding[]}
 */
export function findLoggedHandles(tree) {
  /** @type {import('./ast.mjs').Finding[]} */
  const found = [];
  /** @param {ts.Node} node */
  function search(node) {
    if (isConcealing(node)) return;
    const what = shown(node);
    if (what !== undefined) found.push({ line: lineOf(tree, node), what: `${what} in a log call` });
    ts.forEachChild(node, search);
  }
  visit(tree, (node) => {
    if (ts.isCallExpression(node) && isLogCall(node)) node.arguments.forEach(search);
  });
  return found;
}
