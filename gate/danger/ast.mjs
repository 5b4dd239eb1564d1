/** The syntax tree of one source file, as the small lints use it. */
import ts from 'typescript';

/** A place in a file that a lint objects to. @typedef {{ line: number, what: string }} Finding */

/**
 * @param {string} name
 * @param {string} text
 * @returns {ts.SourceFile}
 */
export function parse(name, text) {
  return ts.createSourceFile(name, text, ts.ScriptTarget.ES2023, true);
}

/**
 * Visits every node, parents first.
 * @param {ts.Node} node
 * @param {(node: ts.Node) => void} see
 */
export function visit(node, see) {
  see(node);
  ts.forEachChild(node, (child) => visit(child, see));
}

/**
 * @param {ts.SourceFile} tree
 * @param {ts.Node} node
 * @returns {number} counted from 1
 */
export function lineOf(tree, node) {
  return tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
}

/**
 * Whether an identifier is only the name of a member, so that it refers to no variable.
 * @param {ts.Identifier} node
 * @returns {boolean}
 */
export function isMemberName(node) {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  if (ts.isQualifiedName(parent)) return parent.right === node;
  return (
    (ts.isPropertyAssignment(parent) ||
      ts.isPropertySignature(parent) ||
      ts.isPropertyDeclaration(parent) ||
      ts.isMethodSignature(parent) ||
      ts.isMethodDeclaration(parent)) &&
    parent.name === node
  );
}
