/** The small lints for this project's own dangers. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chosenRoot } from './arguments.mjs';
import { parse } from './danger/ast.mjs';
import { findSwitchedOffChecks } from './danger/comments.mjs';
import { findStarExports } from './danger/doors.mjs';
import { findVagueFolders } from './danger/folders.mjs';
import { findPlaces } from './danger/lock.mjs';
import { findLoggedHandles } from './danger/logs.mjs';
import { findImpure, isPure } from './danger/pure.mjs';
import { walk } from './files.mjs';

/**
 * @param {string} name relative to the repository
 * @param {string} text
 * @returns {string[]} what is wrong, each with its place
 */
export function lintFile(name, text) {
  const tree = parse(name, text);
  const isPackage = name.startsWith('packages/');
  const found = [
    ...findStarExports(tree),
    ...(isPure(name) ? findImpure(tree) : []),
    ...(isPackage && !name.endsWith('.test.ts') ? findLoggedHandles(tree) : []),
    ...findSwitchedOffChecks(tree),
  ];
  return found.map(({ line, what }) => `${name}:${line}: ${what}`);
}

/** @param {string} root @returns {string[]} */
function lintRepository(root) {
  const names = walk(root);
  const sources = names.filter((name) => /^(?:packages|test|bench)\/.*\.ts$/u.test(name));
  const wrong = sources.flatMap((name) => lintFile(name, readFileSync(join(root, name), 'utf8')));
  const lock = join(root, 'package-lock.json');
  return [
    ...wrong,
    ...findVagueFolders(names).map((name) => `${name}: a folder name that says nothing`),
    ...(existsSync(lock) ? findPlaces(readFileSync(lock, 'utf8')) : []),
  ];
}

if (process.argv[1] === import.meta.filename) {
  const wrong = lintRepository(chosenRoot());
  for (const line of wrong) console.error(line);
  console.log(`dangers: ${wrong.length} found`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
