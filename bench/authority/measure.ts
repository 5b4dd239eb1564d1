/** The benchmarks beside the repository, all of them, through the gateway. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { agentDojoSuites, grantKinds } from './agentdojo.js';
import { type AttackedSuiteFigures, measureAttacked } from './attacked.js';
import { type CrossedSuiteFigures, measureCrossed } from './crossed.js';
import { type Ratio, sumOf } from './ratio.js';
import { attackedSuite, sharedSuite } from './suite.js';
import { tauBenchSuites } from './taubench.js';

/** What was seen. */
export interface AuthorityFigures {
  readonly agentDojo: readonly AttackedSuiteFigures[];
  readonly tauBench: readonly CrossedSuiteFigures[];
}

/** Measures; undefined where the data does not stand beside the repository. */
export async function measureAuthority(): Promise<AuthorityFigures | undefined> {
  const data = join(import.meta.dirname, '../../../shared/data');
  if (!existsSync(data)) return undefined;
  const agentDojo: AttackedSuiteFigures[] = [];
  for (const name of agentDojoSuites)
    agentDojo.push(await measureAttacked(attackedSuite(join(data, 'agentdojo'), name)));
  const tauBench: CrossedSuiteFigures[] = [];
  for (const name of tauBenchSuites)
    tauBench.push(await measureCrossed(sharedSuite(join(data, 'taubench'), name)));
  return { agentDojo, tauBench };
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
