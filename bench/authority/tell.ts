/** Tells what the benchmarks came to: users served beside attacks stopped. */
import {
  type AuthorityFigures,
  type VariantFigures,
  agentDojoTotals,
  measureAuthority,
  measureVariants,
} from './measure.js';
import { told } from './ratio.js';

type Say = (line: string) => void;

const absent = '  not measured: ../shared/data is not beside the repository';

/** Measures the benchmarks and says so. */
export async function tellAuthority(say: Say): Promise<AuthorityFigures | undefined> {
  say('\nwhat agents may pass, through the gateway: users served, attacks stopped');
  const figures = await measureAuthority();
  if (figures === undefined) {
    say(absent);
    return undefined;
  }
  tellSuites(figures, say);
  row(say, 'cost', 'sessions', 'calls', 'CPU ms a call', 'seconds');
  const audits = [...figures.agentDojo, ...figures.tauBench];
  for (const { suite, cost } of [...audits, ...figures.agentDyn])
    row(say, suite, String(cost.sessions), String(cost.calls), cost.cpu.toFixed(2), cost.seconds.toFixed(1));
  const strays = [
    ...figures.agentDojo.flatMap(({ grants }) => grants.flatMap(({ outside }) => outside)),
    ...figures.agentDyn.flatMap(({ grants }) => grants.flatMap(({ outside }) => outside)),
    ...figures.tauBench.flatMap(({ outside }) => outside),
  ];
  say(`  calls that reached a server outside their grant: ${strays.length}`);
  const unsound = audits.filter(({ audited }) => !audited).map(({ suite }) => suite);
  say(`  suites whose audit differs from what servers got: ${unsound.join(', ') || 'none'}`);
  return figures;
}

function tellSuites({ agentDojo, tauBench, agentDyn }: AuthorityFigures, say: Say): void {
  row(say, 'AgentDojo', 'user tasks', 'cases blocked', 'of those with a call');
  for (const { suite, grants } of agentDojo)
    for (const { grant, utility, blocked, blockable } of grants)
      row(say, `${suite}, ${grant}`, told(utility), told(blocked), told({ n: blocked.n, m: blockable }));
  for (const { grant, utility, blocked, blockable } of agentDojoTotals(agentDojo))
    row(say, `all, ${grant}`, told(utility), told(blocked), told({ n: blocked.n, m: blockable }));
  row(say, 'tau-bench', 'own tasks', 'pairs denied', 'writes denied');
  for (const { suite, utility, pairs, writes, hindered } of tauBench) {
    row(say, suite, told(utility), told(pairs), told(writes));
    for (const { task, calls } of hindered)
      say(`    ${task} is refused ${calls.length} calls, as ${calls[0]}`);
  }
  row(say, 'AgentDyn', 'benign traces', 'attacks blocked', 'every call of them', 'refused though held');
  for (const { suite, grants } of agentDyn)
    for (const { grant, utility, blocked, wholly, malformed, hindered } of grants) {
      const refused = `${hindered.length} (${malformed.length} malformed)`;
      row(say, `${suite}, ${grant}`, told(utility), told(blocked), told(wholly), refused);
    }
}

/** Measures the variants and says so. */
export async function tellVariants(say: Say): Promise<VariantFigures | undefined> {
  say('\nforeign and own calls in every way they can be said, through the gateway');
  const figures = await measureVariants();
  if (figures === undefined) {
    say(absent);
    return undefined;
  }
  row(say, 'foreign', 'calls', 'variants', 'arrived as own', 'escaped', 'CPU ms a call');
  for (const { suite, calls, variants, harmless, escapes, cost } of figures.evasions) {
    row(say, suite, ...[calls, variants, harmless, escapes.length].map(String), cost.cpu.toFixed(2));
    for (const { way, why } of escapes.slice(0, 20)) say(`    ${way}: ${why}`);
  }
  row(say, 'own', 'calls', 'variants', 'refused or changed', '', 'CPU ms a call');
  for (const { suite, calls, variants, hindered, cost } of figures.respelled) {
    row(say, suite, ...[calls, variants, hindered.length].map(String), '', cost.cpu.toFixed(2));
    const which = new Set(hindered.map(({ agent, call }) => `${agent} ${call.function}`));
    for (const each of [...which].slice(0, 20)) say(`    ${each}`);
  }
  row(say, 'own, spent', '', 'variants', 'arrived again');
  for (const { suite, variants, escapes } of figures.counted)
    row(say, suite, '', String(variants), String(escapes.length));
  return figures;
}

function row(say: Say, first: string, ...rest: readonly string[]): void {
  say(`  ${first.padEnd(20)}${rest.map((cell) => cell.padStart(21)).join('')}`);
}
