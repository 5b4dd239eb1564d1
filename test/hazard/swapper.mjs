/** A second process that exchanges a folder and a file with links that lead out, as fast as it can: `node swapper.mjs INSIDE`. */
import { existsSync, lstatSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const inside = process.argv[2] ?? '';
const pairs = ['box', 'one.txt'].map((name) => [join(inside, name), join(inside, `.link-${name}`)]);
process.on('message', () => process.exit(0));

function exchange() {
  for (const [real = '', link = ''] of pairs) {
    try {
      renameSync(real, `${real}.aside`);
      renameSync(link, real);
      renameSync(real, link);
      renameSync(`${real}.aside`, real);
    } catch {
      attempt(() => repair(real, link));
    }
  }
}

/**
 * What a verb puts in the way meanwhile is met again in the next round.
 * @param {() => void} work
 */
function attempt(work) {
  try {
    work();
  } catch {
    // Next round.
  }
}

/**
 * A verb made a folder of its own while the name was free: it goes.
 * @param {string} real @param {string} link
 */
function repair(real, link) {
  const there = lstatSync(real, { throwIfNoEntry: false });
  if (there?.isSymbolicLink() === true) renameSync(real, link);
  else if (existsSync(`${real}.aside`)) rmSync(real, { recursive: true, force: true });
  if (existsSync(`${real}.aside`)) renameSync(`${real}.aside`, real);
}

function round() {
  const until = Date.now() + 20;
  while (Date.now() < until) exchange();
  setImmediate(round);
}
process.send?.('ready');
round();
