/** Changes a file of a skill again and again, in four ways, until it is ended: written over, exchanged, linked, and gone. */
import { linkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder = '', signed = '', other = ''] = process.argv.slice(2);
const file = join(folder, 'reference/how.md');
const fresh = join(folder, '..', 'fresh.md');

/** @param {() => void} make */
function put(make) {
  rmSync(fresh, { force: true });
  make();
  renameSync(fresh, file);
}

const ways = [
  () => writeFileSync(file, other),
  () => put(() => writeFileSync(fresh, signed)),
  () => put(() => symlinkSync('../SKILL.md', fresh)),
  () => put(() => writeFileSync(fresh, signed)),
  () => put(() => linkSync(join(folder, 'SKILL.md'), fresh)),
  () => put(() => writeFileSync(fresh, signed)),
  () => rmSync(file),
  () => writeFileSync(file, signed),
];

process.stdout.write('ready\n');
for (let at = 0; ; at = (at + 1) % ways.length) {
  ways[at]?.();
  const until = process.hrtime.bigint() + BigInt(at % 2 === 0 ? 60_000 : 400_000);
  while (process.hrtime.bigint() < until);
}
