/** A door names what it lets out: no `export *`. */
import ts from 'typescript';
import { lineOf } from './ast.mjs';

/**
 * @param {ts.SourceFile} tree
 * @returns {import('./ast.mjs').Finding[]}
 */
export function findStarExports(tree) {
  return tree.statements
    .filter((statement) => ts.isExportDeclaration(statement))
    .filter(({ exportClause }) => exportClause === undefined || ts.isNamespaceExport(exportClause))
    .map((statement) => ({ line: lineOf(tree, statement), what: 'export *' }));
}
