/** The workload made anew: byte for byte that of the reference files, wherever those are not at hand. */
import { Random } from './random.js';
import type { CallArguments, RuleArguments, WorkloadCall, WorkloadRule } from './workload.js';

const verbs = ['read', 'write', 'list', 'exec'];
const roots = ['data', 'home', 'srv', 'repo', 'var', 'opt', 'mnt', 'vault'];
const folders = words('out in reports logs cache src docs build team alpha beta gamma q1 q2 tmp2 archive');
const extensions = ['csv', 'md', 'json', 'log', 'txt', 'ts', 'py', 'yaml'];
const modes = ['fast', 'safe', 'dry', 'full', 'incremental', 'verify', 'preview', 'force'];
const domains = words(
  '.example.com .corp.internal .api.vendor.io .metrics.local .cdn.site.org .git.host.net',
);
const refs = ['refs/heads/feature/', 'refs/heads/release-', 'refs/tags/v', 'job-', 'batch:', 'user_'];
const machines = ['a', 'b', 'www', 'eu', 'us', 'node1', 'node2', 'edge'];

function words(text: string): readonly string[] {
  return text.split(' ');
}

/** The rules of one size. */
export function generateRules(count: number, tools: number): readonly WorkloadRule[] {
  const random = new Random(1000 + count);
  return Array.from({ length: count }, (_, i) => ({
    id: `r${i}`,
    tool: `tool_${random.below(tools)}`,
    verb: random.pick(verbs),
    resource: glob(random),
    args: constraints(random),
  }));
}

function glob(random: Random): string {
  const [root, one, two] = [random.pick(roots), random.pick(folders), random.pick(folders)];
  const kind = random.next();
  if (kind < 0.35) return `/${root}/${one}/${two}/**`;
  if (kind < 0.5) return `/${root}/${one}/**`;
  if (kind < 0.65) return `/${root}/*/${two}/**`;
  if (kind < 0.8) return `/${root}/${one}/*.${random.pick(extensions)}`;
  if (kind < 0.9) return `/${root}/**/*.${random.pick(extensions)}`;
  return `/${root}/${one}/${two}/*`;
}

function constraints(random: Random): RuleArguments {
  return {
    ...(random.chance(0.6) ? { mode: { enum: someModes(random) } } : {}),
    ...(random.chance(0.6) ? { size: interval(random) } : {}),
    ...(random.chance(0.4) ? { host: { suffix: random.pick(domains) } } : {}),
    ...(random.chance(0.3) ? { ref: { prefix: random.pick(refs) } } : {}),
  };
}

function someModes(random: Random): readonly string[] {
  const count = 1 + random.below(4);
  const chosen = new Set<string>();
  while (chosen.size < count) chosen.add(random.pick(modes));
  return [...chosen].sort();
}

function interval(random: Random): { min: number; max: number } {
  const min = random.below(1000);
  return { min, max: min + random.below(9000) };
}

/** A call without its verdict. */
export type BareCall = Omit<WorkloadCall, 'allow'>;

/** The calls of one size; `allows` judges them, and the expected share of allowed ones hangs on its being right. */
export function generateCalls(
  rules: readonly WorkloadRule[],
  count: number,
  allows: (call: BareCall) => boolean,
): readonly WorkloadCall[] {
  const random = new Random(2000 + rules.length);
  return Array.from({ length: count }, (_, i) => {
    for (;;) {
      const call = instance(random, random.pick(rules));
      if (i % 2 === 0) return { ...call, allow: allows(call) };
      const other = mutated(random, call);
      const allow = allows(other);
      if (!allow || random.chance(0.02)) return { ...other, allow };
    }
  });
}

function instance(random: Random, rule: WorkloadRule): BareCall {
  const segments = rule.resource.split('/').slice(1);
  const last = segments.length - 1;
  const names = segments.flatMap((segment, i) => segmentNames(random, segment, i === last));
  const { mode, size, host, ref } = rule.args;
  return {
    tool: rule.tool,
    verb: rule.verb,
    resource: `/${names.join('/')}`,
    args: {
      mode: random.pick(mode?.enum ?? modes),
      size: size === undefined ? random.below(10_000) : size.min + random.below(size.max - size.min + 1),
      host: random.pick(machines) + (host?.suffix ?? random.pick(domains)),
      ref: (ref?.prefix ?? random.pick(refs)) + random.word(6),
    },
  };
}

function segmentNames(random: Random, segment: string, last: boolean): readonly string[] {
  if (segment === '*') return [random.word(4)];
  if (segment.startsWith('*.')) return [random.word(4) + segment.slice(1)];
  if (segment !== '**') return [segment];
  const length = (last ? 1 : 0) + random.below(3);
  return Array.from({ length }, () => (random.chance(0.5) ? random.pick(folders) : random.word(5)));
}

function mutated(random: Random, call: BareCall): BareCall {
  const kind = random.next();
  if (kind < 0.25) return { ...call, resource: otherPath(random) };
  if (kind < 0.7) return { ...call, args: { ...call.args, ...otherValue(random, kind) } };
  if (kind < 0.8) {
    const args: CallArguments = { ...call.args };
    delete args[random.pick(['mode', 'size', 'host', 'ref'] as const)];
    return { ...call, args };
  }
  if (kind < 0.9) return { ...call, verb: random.pick(verbs) };
  return { ...call, tool: `tool_${random.below(200)}` };
}

function otherPath(random: Random): string {
  return `/${random.pick(roots)}/${random.pick(folders)}/${random.word(5)}/${random.word(4)}.bin`;
}

function otherValue(random: Random, kind: number): CallArguments {
  if (kind < 0.4) return { mode: random.word(5) };
  if (kind < 0.55) return { size: 20_000 + random.below(10_000) };
  return { host: `${random.pick(machines)}${random.pick(domains)}.evil.test` };
}
