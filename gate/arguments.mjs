/** The one option that every check takes: which repository to look at. */
import { resolve } from 'node:path';
import { root } from './root.mjs';

/** The folder after `--root`, else this repository. @returns {string} */
export function chosenRoot() {
  const at = process.argv.indexOf('--root');
  const given = at === -1 ? undefined : process.argv[at + 1];
  return given === undefined ? root : resolve(given);
}
