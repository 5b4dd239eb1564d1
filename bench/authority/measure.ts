/** The benchmarks beside the repository, all of them, through the gateway. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { agentDojoSuites, agentOf, grantKinds } from './agentdojo.js';
import { type AttackedSuiteFigures, measureAttacked } from './attacked.js';
import { type CrossedSuiteFigures, measureCrossed } from './crossed.js';
import { type CountedFigures, measureCounted } from './counted.js';
import { type EvasionFigures, measureEvasions } from './evade.js';
import { type RespelledFigures, measureRespelled } from './respell.js';
import { attackTemptations, crossingTemptations, ownCalls } from './tempted.js';
import { type TracedSuiteFigures, agentDynSuites, measureTraced } from './traced.js';
import { type Ratio, sumOf } from './ratio.js';
import { attackedSuite, sharedSuite, tracedSuite } from './suite.js';
import { tauBenchSuites } from './taubench.js';

/** What was seen. */
export interface AuthorityFigures {
  readonly agentDojo: readonly AttackedSuiteFigures[];
  readonly tauBench: readonly CrossedSuiteFigures[];
  readonly agentDyn: readonly TracedSuiteFigures[];
}

/** What was seen of variants. */
export interface VariantFigures {
  /** Foreign calls in every way. */
  readonly evasions: readonly EvasionFigures[];
  /** Own calls in every way. */
  readonly respelled: readonly RespelledFigures[];
  /** Own calls in every way, when their uses are spent. */
  readonly counted: readonly CountedFigures[];
}

const data = join(import.meta.dirname, '../../../shared/data');

/** Measures; undefined where the data does not stand beside the repository. */
export async function measureAuthority(): Promise<AuthorityFigures | undefined> {
  if (!existsSync(data)) return undefined;
  const agentDojo: AttackedSuiteFigures[] = [];
  for (const name of agentDojoSuites)
    agentDojo.push(await measureAttacked(attackedSuite(join(data, 'agentdojo'), name)));
  const tauBench: CrossedSuiteFigures[] = [];
  for (const name of tauBenchSuites)
    tauBench.push(await measureCrossed(sharedSuite(join(data, 'taubench'), name)));
  const agentDyn: TracedSuiteFigures[] = [];
  for (const name of agentDynSuites)
    agentDyn.push(await measureTraced(tracedSuite(join(data, 'agentdyn'), name)));
  return { agentDojo, tauBench, agentDyn };
}

/** Variants of every foreign call of AgentDojo and of one a tool for every fourth user of tau-bench, and of all own calls. */
export async function measureVariants(): Promise<VariantFigures | undefined> {
  if (!existsSync(data)) return undefined;
  const figures = {
    evasions: [] as EvasionFigures[],
    respelled: [] as RespelledFigures[],
    counted: [] as CountedFigures[],
  };
  for (const name of agentDojoSuites) {
    const suite = attackedSuite(join(data, 'agentdojo'), name);
    const [ground, tempted] = attackTemptations(suite, { everyUser: 1, onePerTool: false });
    figures.evasions.push(await measureEvasions(ground, tempted));
    const own = suite.userTasks.map((task) => ({ agent: agentOf(task, 'bound'), calls: task.ground_truth }));
    figures.respelled.push(await measureRespelled(ground, own));
    figures.counted.push(await measureCounted(suite));
  }
  for (const name of tauBenchSuites) {
    const suite = sharedSuite(join(data, 'taubench'), name);
    const [ground, tempted] = crossingTemptations(suite, { everyUser: 4, onePerTool: true });
    figures.evasions.push(await measureEvasions(ground, tempted));
    figures.respelled.push(await measureRespelled(ground, ownCalls(suite, ground)));
  }
  return figures;
}

/** AgentDojo over all suites, one grant after the other. */
export function agentDojoTotals(suites: readonly AttackedSuiteFigures[]): readonly {
  readonly grant: string;
  readonly utility: Ratio;
  readonly blocked: Ratio;
  readonly blockable: number;
}[] {
  return grantKinds.map((grant) => {
    const seen = suites.flatMap(({ grants }) => grants.filter((each) => each.grant === grant));
    return {
      grant,
      utility: sumOf(seen.map(({ utility }) => utility)),
      blocked: sumOf(seen.map(({ blocked }) => blocked)),
      blockable: seen.reduce((sum, { blockable }) => sum + blockable, 0),
    };
  });
}
