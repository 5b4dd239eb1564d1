/** Calls that are counted: once the user's own are made, none of them arrives again, however it is said. */
import type { Escape } from './evade.js';
import { agentOf, grantsOf } from './agentdojo.js';
import { startHouse } from './house.js';
import { policyText } from './policy.js';
import { sent } from './respell.js';
import { together } from './sessions.js';
import type { AttackedSuite } from './suite.js';
import { respellings } from './variants/respelled.js';

/** What was seen. */
export interface CountedFigures {
  readonly suite: string;
  readonly variants: number;
  /** Calls that arrived although all uses were spent. */
  readonly escapes: readonly Escape[];
  /** Own calls that did not arrive the first time. */
  readonly hindered: number;
}

/** A task's calls in one session, and then each of its writes once more in every way. */
export async function measureCounted(suite: AttackedSuite): Promise<CountedFigures> {
  const house = await startHouse(
    suite.name,
    suite.tools,
    policyText(suite.name, suite.tools, grantsOf(suite, ['counted'])),
  );
  try {
    const seen = await together(suite.userTasks, async (task) => {
      const agent = agentOf(task, 'counted');
      const line = await house.session(agent);
      const escapes: Escape[] = [];
      let [variants, hindered] = [0, 0];
      for (const call of task.ground_truth) {
        const reply = await line.call(house.named(call.function), JSON.stringify(call.args));
        if (reply.kind !== 'reached') hindered += 1;
      }
      for (const call of task.ground_truth) {
        const tool = suite.tools.find(({ name }) => name === call.function);
        if (tool?.effect !== 'write') continue;
        for (const variant of respellings(tool, house.named(tool.name), call.args)) {
          variants += 1;
          const reply = await sent(line, variant);
          if (reply.kind === 'reached')
            escapes.push({ agent, call, way: variant.way, why: 'its uses were spent' });
        }
      }
      line.close();
      return { variants, hindered, escapes };
    });
    return {
      suite: suite.name,
      variants: seen.reduce((sum, { variants }) => sum + variants, 0),
      escapes: seen.flatMap(({ escapes }) => escapes),
      hindered: seen.reduce((sum, { hindered }) => sum + hindered, 0),
    };
  } finally {
    await house.close();
  }
}
