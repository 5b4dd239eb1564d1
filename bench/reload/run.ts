/** `npm run bench:reload`: calls while 5,000 rules are reloaded, and what a further generation keeps in memory. `--rules N`, `--reloads N`. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureDispatch, stallMs } from './dispatch.js';

const { values } = parseArgs({
  options: { rules: { type: 'string', default: '5000' }, reloads: { type: 'string', default: '3' } },
});
const figures = await measureDispatch(Number(values.rules), Number(values.reloads));
const idle = figures.find(({ phase }) => phase === 'idle');
console.log(
  `one call in process, milliseconds that pass, while a policy of ${values.rules} rules is reloaded`,
);
for (const { phase, calls, p50, p99, longest, stalled } of figures) {
  const ratio = idle === undefined ? '' : `  p99 ${(p99 / idle.p99).toFixed(2)} x idle`;
  console.log(
    `  ${phase.padEnd(10)} ${String(calls).padStart(7)} calls  p50 ${p50.toFixed(3)}  p99 ${p99.toFixed(3)}${ratio}  longest ${longest.toFixed(1)}, ${stalled} above ${stallMs}`,
  );
}

const register = new URL('../../test/source/register.mjs', import.meta.url);
const child = join(import.meta.dirname, 'memory-child.ts');
const flags = ['--expose-gc', '--import', register.href, child];
const { stdout, stderr, status } = spawnSync(process.execPath, flags, { encoding: 'utf8' });
if (status !== 0) throw new Error(stderr);
const seen: unknown = JSON.parse(stdout);
if (typeof seen !== 'object' || seen === null || !('first' in seen) || !('each' in seen))
  throw new Error(`the child said ${stdout}`);
const [first, each] = [Number(seen.first), Number(seen.each)];
const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(2)} MiB`;
console.log('heap of generations of 1,000 rules that are kept');
console.log(
  `  first ${mebibytes(first)}, each further one after an edit of one rule ${mebibytes(each)}: ${((100 * each) / first).toFixed(1)} %`,
);
