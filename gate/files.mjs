/** Walks the repository's own files: no dependencies, no build output, no hidden folders. */
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

const skipped = new Set(['node_modules', 'dist', 'coverage']);

/** @param {string} name */
function isSkipped(name) {
  return skipped.has(name) || name.startsWith('.');
}

/**
 * Names of files and folders below `root`, each with forward slashes and relative to it, in a stable order.
 * Folders end with a slash.
 * @param {string} root
 * @param {string} [folder] where to begin, relative to root
 * @returns {string[]}
 */
export function walk(root, folder = '.') {
  /** @type {string[]} */
  const found = [];
  const start = join(root, folder);
  const entries = readdirSync(start, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (isSkipped(entry.name)) continue;
    const name = relative(root, join(start, entry.name)).replaceAll('\\', '/');
    if (entry.isDirectory()) found.push(`${name}/`, ...walk(root, name));
    else if (entry.isFile()) found.push(name);
  }
  return found;
}
