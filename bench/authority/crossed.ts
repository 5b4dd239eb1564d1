/** tau-bench through the gateway: what users still get done with their own things, and whether they can touch those of others. */
import { type Cost, CostMeter } from './cost.js';
import type { Grant } from './grant.js';
import { startHouse } from './house.js';
import type { Reply } from './line.js';
import { outside } from './outside.js';
import { policyText } from './policy.js';
import { type Ratio, ratioOf, sumOf } from './ratio.js';
import { inOneSession, reached, together } from './sessions.js';
import type { SharedSuite } from './suite.js';
import { crossings, ownGrants } from './taubench.js';

/** What was seen of one domain. */
export interface CrossedSuiteFigures {
  readonly suite: string;
  /** Tasks whose calls were all permitted to their user. */
  readonly utility: Ratio;
  /** The others, with the calls that were refused. */
  readonly hindered: readonly { readonly task: string; readonly calls: readonly string[] }[];
  /** Pairs of a task and one of another user of which every write was refused to the first user. */
  readonly pairs: Ratio;
  /** The writes of those pairs that were refused. */
  readonly writes: Ratio;
  /** Calls that reached a server although the grant does not hold them. */
  readonly outside: readonly string[];
  readonly cost: Cost;
  /** Whether every call that reached a server has its intent in the audit, and none else. */
  readonly audited: boolean;
}

/** Every task under its own user, and every write (or every so manyth pair) under every other one; a session for each task and each pair. */
export async function measureCrossed(suite: SharedSuite, every = 1): Promise<CrossedSuiteFigures> {
  const grants = ownGrants(suite);
  const house = await startHouse(suite.name, suite.tools, policyText(suite.name, suite.tools, grants));
  try {
    const meter = new CostMeter();
    const own = await together(suite.tasks, async ({ id, user_id: user, ground_truth: calls }) => {
      const replies = await inOneSession(house, meter, user, calls);
      const refused = calls.filter((_, index) => replies[index]?.kind !== 'reached');
      const strays = straysOf(grants.get(user) ?? [], replies);
      return {
        task: id,
        calls: refused.map((call) => `${call.function} ${JSON.stringify(call.args)}`),
        strays,
      };
    });
    const pairs = crossings(suite).filter((_, index) => index % every === 0);
    const crossed = await together(pairs, async ({ user, writes }) => {
      const replies = await inOneSession(house, meter, user, writes);
      return {
        refused: replies.map((reply) => !reached(reply)),
        strays: straysOf(grants.get(user) ?? [], replies),
      };
    });
    const { received, intents } = await house.books();
    return {
      suite: suite.name,
      utility: ratioOf(own.map(({ calls }) => calls.length === 0)),
      hindered: own.filter(({ calls }) => calls.length > 0).map(({ task, calls }) => ({ task, calls })),
      pairs: ratioOf(crossed.map(({ refused }) => refused.every((each) => each))),
      writes: sumOf(crossed.map(({ refused }) => ratioOf(refused))),
      outside: [...own, ...crossed].flatMap(({ strays }) => strays),
      cost: meter.cost(),
      audited: received === intents,
    };
  } finally {
    await house.close();
  }
}

function straysOf(grant: Grant, replies: readonly Reply[]): readonly string[] {
  return replies.flatMap((reply) =>
    reply.kind === 'reached' ? (outside(grant, reply.tool, reply.args) ?? []) : [],
  );
}
