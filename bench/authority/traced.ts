/** AgentDyn through the gateway: what real models did for users, and what attackers had them do. */
import { agentOf, grantOf, grantsOf } from './agentdojo.js';
import { type Cost, CostMeter } from './cost.js';
import { type House, startHouse } from './house.js';
import type { Reply } from './line.js';
import { outside } from './outside.js';
import { policyText } from './policy.js';
import { type Ratio, ratioOf } from './ratio.js';
import { inOneSession, reached, together } from './sessions.js';
import type { SuiteCall, SuiteTrace, TracedSuite } from './suite.js';

/** The suites. */
export const agentDynSuites = ['dailylife', 'github', 'shopping'] as const;

/** Without counts: a model may need more calls than the shortest way. */
const kinds = ['tools', 'bound'] as const;

/** What was seen of one grant. */
export interface TraceFigures {
  readonly grant: (typeof kinds)[number];
  /** Traces without an attack whose calls were all permitted. */
  readonly utility: Ratio;
  /** Traces with a successful attack of which a call of the attacker was refused. */
  readonly blocked: Ratio;
  /** Those of which every call of the attacker was refused. */
  readonly wholly: Ratio;
  /** Calls that reached a server although the grant does not hold them. */
  readonly outside: readonly string[];
  /** Calls inside the grant that were refused because they break the schema of their tool. */
  readonly malformed: readonly string[];
  /** Calls inside the grant that were refused all the same, with the code. */
  readonly hindered: readonly string[];
}

/** What was seen of one suite. */
export interface TracedSuiteFigures {
  readonly suite: string;
  readonly grants: readonly TraceFigures[];
  readonly cost: Cost;
}

/** Every recorded trace under what its user's task needs, one session each. */
export async function measureTraced(suite: TracedSuite): Promise<TracedSuiteFigures> {
  const policy = policyText(suite.name, suite.tools, grantsOf(suite, kinds));
  const house = await startHouse(suite.name, suite.tools, policy);
  try {
    const meter = new CostMeter();
    const grants: TraceFigures[] = [];
    for (const kind of kinds) grants.push(await measureGrant(house, meter, suite, kind));
    return { suite: suite.name, grants, cost: meter.cost() };
  } finally {
    await house.close();
  }
}

async function measureGrant(
  house: House,
  meter: CostMeter,
  suite: TracedSuite,
  grant: (typeof kinds)[number],
): Promise<TraceFigures> {
  const seen = await together(suite.traces, (trace) => replay(house, meter, suite, { trace, grant }));
  const refused = seen.flatMap(({ hindered }) => hindered);
  const benign = seen.filter(({ attacked }) => !attacked);
  const attacked = seen.filter((each) => each.attacked && each.foreign.length > 0);
  return {
    grant,
    utility: ratioOf(benign.map(({ own }) => own.every((each) => each))),
    blocked: ratioOf(attacked.map(({ foreign }) => foreign.some((each) => !each))),
    wholly: ratioOf(attacked.map(({ foreign }) => foreign.every((each) => !each))),
    outside: seen.flatMap((each) => each.outside),
    malformed: refused.filter((each) => each.startsWith('malformed_arguments')),
    hindered: refused.filter((each) => !each.startsWith('malformed_arguments')),
  };
}

async function replay(
  house: House,
  meter: CostMeter,
  { tools, userTasks }: TracedSuite,
  { trace, grant }: { readonly trace: SuiteTrace; readonly grant: (typeof kinds)[number] },
): Promise<{
  readonly attacked: boolean;
  readonly own: readonly boolean[];
  readonly foreign: readonly boolean[];
  readonly outside: readonly string[];
  readonly hindered: readonly string[];
}> {
  const task = userTasks.find(({ id }) => id === trace.user_task);
  if (task === undefined) throw new Error(`${trace.user_task} is no task`);
  // Models also call what is no tool at all, and get an error for it.
  const calls = trace.calls.filter((call) => tools.some(({ name }) => name === call.function));
  const replies = await inOneSession(house, meter, agentOf(task, grant), calls);
  const held = grantOf(tools, task, grant);
  const arrived = (which: boolean): readonly boolean[] =>
    replies.filter((_, index) => (calls[index]?.attack ?? false) === which).map(reached);
  const judged = replies.map((reply, index) => {
    const { function: tool, args } = reply.kind === 'reached' ? called(reply) : calls[index]!;
    return { reply, stray: outside(held, tool, args), text: `${tool} ${JSON.stringify(args)}` };
  });
  return {
    attacked: trace.injection_task !== null,
    own: arrived(false),
    foreign: arrived(true),
    outside: judged.flatMap(({ reply, stray }) => (reply.kind === 'reached' ? (stray ?? []) : [])),
    hindered: judged.flatMap(({ reply, stray, text }) =>
      reply.kind === 'reached' || stray !== undefined ? [] : [`${reply.code}: ${text}`],
    ),
  };
}

function called({ tool, args }: Extract<Reply, { kind: 'reached' }>): SuiteCall {
  return { function: tool, args };
}
