/** `npm run storm`: a million calls while generations come and go, half in each posture; `--calls N`, `--concurrency N`, `--seed N`. Fails on a mismatch. */
import { parseArgs } from 'node:util';
import { storm } from './storm.js';

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '1000000' },
    concurrency: { type: 'string', default: '64' },
    seed: { type: 'string', default: '1' },
  },
});
const [calls, concurrency, seed] = [values.calls, values.concurrency, values.seed].map(Number);
if (!(Number(calls) > 0 && Number(concurrency) > 0 && Number.isFinite(seed))) {
  console.error('calls and concurrency are numbers above 0, seed is a number');
  process.exit(2);
}

function counts(of: Readonly<Record<string, number>>): string {
  return Object.entries(of)
    .map(([name, count]) => `${name} ${count}`)
    .join(' · ');
}

for (const posture of ['recheck', 'bind'] as const) {
  const half = Math.ceil(Number(calls) / 2);
  const seen = await storm({ calls: half, concurrency: Number(concurrency), seed: Number(seed), posture });
  console.log(
    `posture ${posture}: ${seen.calls} calls in ${seen.seconds.toFixed(1)} s, ${seen.results} results`,
  );
  console.log(`  generations  ${seen.generations}`);
  console.log(`  reloads      ${counts(seen.reloads)}`);
  console.log(`  refusals     ${counts(seen.refusals)}`);
  console.log(`  mismatches   ${seen.mismatches.length}`);
  for (const mismatch of seen.mismatches.slice(0, 20)) console.log(`    ${mismatch}`);
  if (seen.mismatches.length > 0) process.exitCode = 1;
}
