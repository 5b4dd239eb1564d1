/** `npm run bench`: measures, prints a table and writes it as JSON. `--quick`: shorter; `--profile DIR`: CPU profiles of the fronts. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { tellAuthority, tellVariants } from './authority/tell.js';
import { type DecisionFigures, decide } from './decision/decide.js';
import { reading } from './decision/reading.js';
import { cpuIsReadable } from './front/cpu.js';
import { type FrontFigures, measureFronts } from './front/measure.js';
import { type IncludesFigures, measureIncludes } from './includes/measure.js';
import type { Seen } from './measure/rounds.js';
import { type SendFigures, measureSends } from './send/send.js';
import { measureSkillLoads } from './skill/load.js';
import { referenceStands } from './workload/load.js';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    profile: { type: 'string' },
    only: { type: 'string' },
  },
});
const effort = options.quick
  ? { rounds: 10, warmUp: 2, milliseconds: 20 }
  : { rounds: 30, warmUp: 5, milliseconds: 50 };
const frontEffort = options.quick
  ? { rounds: 3, warmUp: 1000, calls: 1000, profile: options.profile }
  : { rounds: 9, warmUp: 4000, calls: 2000, profile: options.profile };

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function row(...cells: readonly (string | number)[]): void {
  const [first = '', ...rest] = cells.map((cell) => (typeof cell === 'number' ? digits(cell) : cell));
  say(`  ${first.padEnd(38)}${rest.map((cell) => cell.padStart(12)).join('')}`);
}

function digits(value: number): string {
  return value >= 10 ? value.toFixed(1) : value.toFixed(3);
}

function tellDecisions(): object {
  say(
    `\none decision with its reason, microseconds of CPU (${referenceStands ? 'reference files' : 'workload made anew: the reference files are not beside the repository'})`,
  );
  row('rules', 'median', 'least', 'hand median', 'hand least', 'ratio');
  const figures = decide(effort);
  for (const { rules, pawl, hand, ratio } of figures)
    row(String(rules), pawl.median, pawl.min, hand.median, hand.min, `${ratio.toFixed(2)} x`);
  tellPeers(figures);
  const [few, many] = [figures[0]!, figures.at(-1)!];
  const growth = { pawl: many.pawl.min / few.pawl.min, hand: many.hand.min / few.hand.min };
  row(
    `growth ${few.rules} to ${many.rules}`,
    '',
    `${growth.pawl.toFixed(1)} x`,
    '',
    `${growth.hand.toFixed(1)} x`,
  );
  return { figures, growth };
}

function tellPeers(figures: readonly DecisionFigures[]): void {
  row('engines beside it, rules', 'median', 'least', 'over Pawl');
  for (const { rules, peers } of figures)
    for (const { name, median, min, overPawl } of peers)
      row(`${name}, ${rules}`, median, min, `${overPawl.toFixed(1)} x`);
}

function tellReading(): readonly Seen[] {
  say('\naround the decision, microseconds of CPU a call');
  row('', 'median', 'least');
  const figures = reading(effort);
  for (const { name, median, min } of figures) row(name, median, min);
  return figures;
}

async function tellFronts(): Promise<readonly FrontFigures[] | undefined> {
  if (!cpuIsReadable) {
    say('\nfronts are not measured: the CPU of other processes cannot be read here (it is read from /proc)');
    return undefined;
  }
  say('\nfront processes, milliseconds of CPU a call');
  row('', 'in flight', 'median', 'least', 'over copier', 'wall');
  const figures = await measureFronts(frontEffort);
  for (const { name, inFlight, total, parts, wall } of figures) {
    const floor = figures.find((other) => other.inFlight === inFlight)!.total.median;
    row(name, String(inFlight), total.median, total.min, `${(total.median / floor).toFixed(1)} x`, wall);
    if (Object.keys(parts).length === 1) continue;
    for (const [part, seen] of Object.entries(parts)) row(`  ${part}`, '', seen.median, seen.min);
  }
  return figures;
}

async function tellIncludes(): Promise<readonly IncludesFigures[]> {
  say(
    '\ncomparing two policies, milliseconds of CPU: NEW is read, compiled with OLD at hand, compared and checked; z3 on the same question: what it says, in milliseconds that pass',
  );
  row('', 'compare', 'least', 'check', 'compile', 'read', 'certificate', 'z3', 'ms');
  const figures = await measureIncludes(options.quick);
  for (const [at, { size, change, read, compile, compare, check, bytes, z3 }] of figures.entries()) {
    if (figures[at - 1]?.size !== size) row(size);
    const proof = check === undefined ? ['', 'none'] : [check.median, `${(bytes / 1000).toFixed(0)} kB`];
    const [checking = '', certificate = ''] = proof;
    const asked = [z3?.answer ?? '', z3?.milliseconds ?? ''];
    row(
      `  ${change}`,
      compare.median,
      compare.min,
      checking,
      compile.median,
      read.median,
      certificate,
      ...asked,
    );
  }
  return figures;
}

async function tellSends(): Promise<readonly SendFigures[]> {
  say('\none send in process, microseconds of CPU a call');
  row('', 'median', 'least', 'over bare');
  const figures = await measureSends(effort);
  for (const { name, median, min, ratio } of figures) row(name, median, min, `${ratio.toFixed(1)} x`);
  return figures;
}

async function tellSkills(): Promise<object> {
  say('\nloading a signed skill of 200 files, milliseconds');
  row('', 'median', 'least');
  const { wall, cpu } = await measureSkillLoads(options.quick ? 10 : 30);
  row('that pass', wall.median, wall.min);
  row('of CPU', cpu.median, cpu.min);
  return { wall, cpu };
}

const machine = {
  node: process.version,
  platform: process.platform,
  arch: process.arch,
  cpus: cpus().length,
};
say(`Node ${machine.node}, ${machine.platform} ${machine.arch}, ${machine.cpus} CPUs`);
const wanted = (part: string): boolean => options.only === undefined || options.only === part;
const decisions = wanted('decision') ? { decisions: tellDecisions(), reading: tellReading() } : {};
const fronts = wanted('front') ? { fronts: await tellFronts() } : {};
const includes = wanted('includes') ? { includes: await tellIncludes() } : {};
const sends = wanted('send') ? { sends: await tellSends() } : {};
const skills = wanted('skill') ? { skills: await tellSkills() } : {};
const authority = wanted('authority') ? { authority: await tellAuthority(say) } : {};
// Longer than all the rest: only when asked for.
const variants = options.only === 'variants' ? { variants: await tellVariants(say) } : {};
const out = join(import.meta.dirname, 'out');
mkdirSync(out, { recursive: true });
const result = {
  date: new Date().toISOString(),
  machine,
  quick: options.quick,
  ...decisions,
  ...fronts,
  ...includes,
  ...sends,
  ...skills,
  ...authority,
  ...variants,
};
writeFileSync(join(out, 'bench.json'), `${JSON.stringify(result, undefined, 2)}\n`);
say('\nwritten to bench/out/bench.json');
