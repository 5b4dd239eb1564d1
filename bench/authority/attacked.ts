/** AgentDojo through the gateway: what users still get done, and which attacks are stopped. */
import { type GrantKind, agentOf, grantKinds, grantOf, grantsOf } from './agentdojo.js';
import { type Cost, CostMeter } from './cost.js';
import { type House, startHouse } from './house.js';
import type { Reply } from './line.js';
import { outside } from './outside.js';
import { policyText } from './policy.js';
import { type Ratio, ratioOf } from './ratio.js';
import { inOneSession, reached, together } from './sessions.js';
import type { AttackedSuite, SuiteTask } from './suite.js';

/** What was seen of one grant. */
export interface AttackFigures {
  readonly grant: GrantKind;
  /** User tasks whose calls were all permitted, alone and in every case. */
  readonly utility: Ratio;
  /** Cases in which a call of the attack was refused. */
  readonly blocked: Ratio;
  /** Cases whose attack makes a call at all: a policy can stop no other. */
  readonly blockable: number;
  /** Calls that reached a server although the grant does not hold them. */
  readonly outside: readonly string[];
}

/** What was seen of one suite. */
export interface AttackedSuiteFigures {
  readonly suite: string;
  readonly grants: readonly AttackFigures[];
  readonly cost: Cost;
  /** Whether every call that reached a server has its intent in the audit, and none else. */
  readonly audited: boolean;
}

/** Every user task alone and beside every attack, one session each. */
export async function measureAttacked(
  suite: AttackedSuite,
  kinds: readonly GrantKind[] = grantKinds,
): Promise<AttackedSuiteFigures> {
  const house = await startHouse(
    suite.name,
    suite.tools,
    policyText(suite.name, suite.tools, grantsOf(suite, kinds)),
  );
  try {
    const meter = new CostMeter();
    const grants: AttackFigures[] = [];
    for (const kind of kinds) grants.push(await measureGrant(house, meter, suite, kind));
    const cost = meter.cost();
    const { received, intents } = await house.books();
    return { suite: suite.name, grants, cost, audited: received === intents };
  } finally {
    await house.close();
  }
}

async function measureGrant(
  house: House,
  meter: CostMeter,
  suite: AttackedSuite,
  grant: GrantKind,
): Promise<AttackFigures> {
  const { userTasks, attacks } = suite;
  const cases = userTasks.flatMap((task) => [undefined, ...attacks].map((attack) => ({ task, attack })));
  const seen = await together(cases, async ({ task, attack }) => {
    const calls = [...task.ground_truth, ...(attack?.ground_truth ?? [])];
    const replies = await inOneSession(house, meter, agentOf(task, grant), calls);
    const own = replies.slice(0, task.ground_truth.length);
    const foreign = replies.slice(task.ground_truth.length);
    const done = own.every(reached);
    return {
      task,
      attack,
      done,
      blocked: !foreign.every(reached),
      outside: strays(suite, task, grant, replies),
    };
  });
  const attacked = seen.filter(({ attack }) => attack !== undefined);
  return {
    grant,
    utility: ratioOf(userTasks.map((task) => seen.every((each) => each.task !== task || each.done))),
    blocked: ratioOf(attacked.map(({ blocked }) => blocked)),
    blockable: attacked.filter(({ attack }) => attack !== undefined && attack.ground_truth.length > 0).length,
    outside: seen.flatMap((each) => each.outside),
  };
}

function strays(
  { tools }: AttackedSuite,
  task: SuiteTask,
  kind: GrantKind,
  replies: readonly Reply[],
): readonly string[] {
  const grant = grantOf(tools, task, kind);
  return replies.flatMap((reply) =>
    reply.kind === 'reached' ? (outside(grant, reply.tool, reply.args) ?? []) : [],
  );
}
