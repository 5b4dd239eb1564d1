/** Who is tempted by what: the foreign calls of the suites, each once for each user and tool, or all. */
import { agentOf, grantsOf } from './agentdojo.js';
import { type Ground, type Temptation, groundOf } from './evade.js';
import type { Grant } from './grant.js';
import { outside } from './outside.js';
import type { Own } from './respell.js';
import type { AttackedSuite, SharedSuite, SuiteCall } from './suite.js';
import { crossings, ownGrants } from './taubench.js';

/** How much of it: every so manyth user, and every foreign call or one a tool. */
export interface Extent {
  readonly everyUser: number;
  readonly onePerTool: boolean;
}

/** AgentDojo under the bound grant: what attacks call and the grant does not hold. */
export function attackTemptations(suite: AttackedSuite, extent: Extent): [Ground, readonly Temptation[]] {
  const grants = grantsOf(suite, ['bound']);
  const calls = suite.attacks.flatMap(({ ground_truth }) => ground_truth);
  const users = suite.userTasks.map((task) => agentOf(task, 'bound'));
  return [groundOf(suite.name, suite.tools, grants), chosen(users, grants, () => calls, extent)];
}

/** tau-bench: what other users write. */
export function crossingTemptations(suite: SharedSuite, extent: Extent): [Ground, readonly Temptation[]] {
  const grants = ownGrants(suite);
  const all = crossings(suite);
  const writes = (user: string): readonly SuiteCall[] =>
    all.filter((each) => each.user === user).flatMap((each) => each.writes);
  return [groundOf(suite.name, suite.tools, grants), chosen([...grants.keys()], grants, writes, extent)];
}

/** The calls of every task that are its user's own: some tasks reach for things of others. */
export function ownCalls({ tasks }: SharedSuite, { grants }: Ground): readonly Own[] {
  return tasks.map(({ user_id: agent, ground_truth }) => {
    const grant = grants.get(agent) ?? [];
    return {
      agent,
      calls: ground_truth.filter((call) => outside(grant, call.function, call.args) === undefined),
    };
  });
}

function chosen(
  users: readonly string[],
  grants: ReadonlyMap<string, Grant>,
  foreign: (user: string) => readonly SuiteCall[],
  { everyUser, onePerTool }: Extent,
): readonly Temptation[] {
  return users
    .filter((_, index) => index % everyUser === 0)
    .map((agent, index) => {
      const grant = grants.get(agent) ?? [];
      const calls = foreign(agent).filter((call) => outside(grant, call.function, call.args) !== undefined);
      const once = [...new Map(calls.map((call) => [JSON.stringify(call), call])).values()];
      return { agent, calls: onePerTool ? oneOfEach(once, index) : once };
    });
}

/** One call of each tool, another one for each user. */
function oneOfEach(calls: readonly SuiteCall[], turn: number): readonly SuiteCall[] {
  const tools = [...new Set(calls.map((call) => call.function))];
  return tools.flatMap((tool) => {
    const its = calls.filter((call) => call.function === tool);
    return its[turn % its.length] ?? [];
  });
}
