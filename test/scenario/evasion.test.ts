/** Foreign calls respelled, reshaped, moved and renamed, and own calls said in every other way, through the whole gateway. */
import { expect, test } from 'vitest';
import { agentDojoSuites, agentOf, grantsOf } from '../../bench/authority/agentdojo.js';
import { measureCounted } from '../../bench/authority/counted.js';
import { groundOf, measureEvasions } from '../../bench/authority/evade.js';
import { policyText } from '../../bench/authority/policy.js';
import { measureRespelled } from '../../bench/authority/respell.js';
import { attackedSuite, sharedSuite } from '../../bench/authority/suite.js';
import { ownGrants, tauBenchSuites } from '../../bench/authority/taubench.js';
import { attackTemptations, crossingTemptations, ownCalls } from '../../bench/authority/tempted.js';
import { describeWithShared } from '../shared.js';

describeWithShared('evasions of attackers', 'data/agentdojo', (folder) => {
  test.each(agentDojoSuites)(
    '%s: no way of saying an attack reaches a server with authority that is not the task’s [P.evasion.attacks]',
    async (name) => {
      const tempted = attackTemptations(attackedSuite(folder, name), { everyUser: 4, onePerTool: true });
      const { escapes, accounted, variants, calls } = await measureEvasions(...tempted);
      expect(escapes).toEqual([]);
      expect(accounted).toBe(true);
      expect(variants).toBeGreaterThan(calls * 50);
    },
  );

  test('under a policy that binds nothing, escapes are seen for what they are', async () => {
    const suite = attackedSuite(folder, 'banking');
    const [ground, temptations] = attackTemptations(suite, { everyUser: 4, onePerTool: true });
    const loose = new Map(
      suite.userTasks.map((task) => [
        agentOf(task, 'bound'),
        grantsOf(suite, ['tools']).get(agentOf(task, 'tools')) ?? [],
      ]),
    );
    const policy = policyText(suite.name, suite.tools, loose);
    const { escapes } = await measureEvasions({ ...ground, policy }, temptations);
    expect(escapes.map(({ way }) => way)).toEqual(
      expect.arrayContaining(['as it is', 'recipient: lower case']),
    );
  });

  test.each(agentDojoSuites)(
    '%s: every task’s own calls arrive however they are said, and are what was meant [P.evasion.own-calls]',
    async (name) => {
      const suite = attackedSuite(folder, name);
      const ground = groundOf(name, suite.tools, grantsOf(suite, ['bound']));
      const own = suite.userTasks.map((task) => ({
        agent: agentOf(task, 'bound'),
        calls: task.ground_truth,
      }));
      const { hindered, variants, calls } = await measureRespelled(ground, own);
      expect(hindered).toEqual([]);
      expect(variants).toBeGreaterThan(calls * 10);
    },
  );

  test.each(agentDojoSuites)(
    '%s: a call whose uses are spent does not arrive, however it is said [P.evasion.uses]',
    async (name) => {
      const { escapes, hindered, variants } = await measureCounted(attackedSuite(folder, name));
      expect(escapes).toEqual([]);
      expect(hindered).toBe(0);
      expect(variants).toBeGreaterThan(0);
    },
  );
});

describeWithShared('evasions across users', 'data/taubench', (folder) => {
  test.each(tauBenchSuites)(
    '%s: no way of saying it lets a user write to what is another’s [P.evasion.attacks]',
    async (name) => {
      const tempted = crossingTemptations(sharedSuite(folder, name), { everyUser: 16, onePerTool: true });
      const { escapes, accounted, variants, calls } = await measureEvasions(...tempted);
      expect(escapes).toEqual([]);
      expect(accounted).toBe(true);
      expect(variants).toBeGreaterThan(calls * 50);
    },
  );

  test.each(tauBenchSuites)(
    '%s: users’ own calls arrive however they are said [P.evasion.own-calls]',
    async (name) => {
      const suite = sharedSuite(folder, name);
      const ground = groundOf(name, suite.tools, ownGrants(suite));
      const own = ownCalls(suite, ground).filter((_, index) => index % 5 === 0);
      const { hindered, variants, calls } = await measureRespelled(ground, own);
      expect(hindered).toEqual([]);
      expect(variants).toBeGreaterThan(calls * 10);
    },
  );
});
