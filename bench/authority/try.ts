import { attackedSuite, sharedSuite } from './suite.js';
import { agentDojoSuites } from './agentdojo.js';
import { tauBenchSuites } from './taubench.js';
import { measureEvasions } from './evade.js';
import { attackTemptations, crossingTemptations } from './tempted.js';
const e = { everyUser: Number(process.argv[2] ?? 4), onePerTool: process.argv[3] !== 'all' }; const only = process.argv[4];
const show = (f: any) => {
  console.log(
    f.suite,
    f.calls,
    f.variants,
    'harmless',
    f.harmless,
    'escapes',
    f.escapes.length,
    f.accounted,
    JSON.stringify(f.answers),
    JSON.stringify(f.cost),
  );
  const seen = new Set();
  for (const x of f.escapes) {
    const k = x.way.replace(/^\S+/, '') + x.why;
    if (seen.has(k)) continue;
    seen.add(k);
    console.log('   ESC', x.agent, x.way, '|', x.why, JSON.stringify(x.call).slice(0, 150));
  }
};
for (const name of agentDojoSuites.filter((n) => !only || n === only))
  show(await measureEvasions(...attackTemptations(attackedSuite('../shared/data/agentdojo', name), e)));
for (const name of tauBenchSuites.filter((n) => !only || n === only))
  show(
    await measureEvasions(
      ...crossingTemptations(sharedSuite('../shared/data/taubench', name), {
        ...e,
        everyUser: e.everyUser,
      }),
    ),
  );
