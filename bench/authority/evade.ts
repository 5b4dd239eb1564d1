/** Foreign calls and all their variants through the gateway: none may reach a server with authority that is not the user's own. */
import type { JsonObject } from '@pawl/core';
import { type Cost, CostMeter } from './cost.js';
import type { Grant } from './grant.js';
import { type House, startHouse } from './house.js';
import type { Line, Reply } from './line.js';
import { outside } from './outside.js';
import { policyText } from './policy.js';
import { together } from './sessions.js';
import type { SuiteCall, SuiteTool } from './suite.js';
import { evasions } from './variants/evasions.js';
import type { Variant } from './variants/variant.js';

/** Foreign calls that somebody under a grant could be brought to make. */
export interface Temptation {
  readonly agent: string;
  readonly calls: readonly SuiteCall[];
}

/** A variant that reached a server outside the grant. */
export interface Escape {
  readonly agent: string;
  readonly call: SuiteCall;
  readonly way: string;
  readonly why: string;
}

/** What was seen. */
export interface EvasionFigures {
  readonly suite: string;
  /** Foreign calls that were tried. */
  readonly calls: number;
  readonly variants: number;
  /** Variants that reached a server with nothing but the user's own. */
  readonly harmless: number;
  readonly escapes: readonly Escape[];
  /** Answers by code, how often. */
  readonly answers: Readonly<Record<string, number>>;
  readonly cost: Cost;
  /** Whether every call that reached a server was answered as such, and is in the audit. */
  readonly accounted: boolean;
}

/** Where everything happens. */
export interface Ground {
  readonly suite: string;
  readonly tools: readonly SuiteTool[];
  readonly grants: ReadonlyMap<string, Grant>;
  /** The document that says the same. */
  readonly policy: string;
  /** What about a call that arrived is not the agent's own; judged by the grants unless told. */
  readonly outside?: (tool: string, args: JsonObject) => string | undefined;
}

/** A ground whose policy is written from the grants. */
export function groundOf(
  suite: string,
  tools: readonly SuiteTool[],
  grants: ReadonlyMap<string, Grant>,
): Ground {
  return { suite, tools, grants, policy: policyText(suite, tools, grants) };
}

/** Tries every variant of every foreign call; a session for each agent. */
export async function measureEvasions(
  ground: Ground,
  temptations: readonly Temptation[],
): Promise<EvasionFigures> {
  const house = await startHouse(ground.suite, ground.tools, ground.policy);
  try {
    const meter = new CostMeter();
    const tried = await together(temptations, (each) => tempt(house, ground, meter, each), 4);
    const all = tried.flat();
    const cost = meter.cost();
    const { received, intents } = await house.books();
    const arrived = all.filter(({ reply }) => reply.kind === 'reached').length;
    return {
      suite: ground.suite,
      calls: temptations.reduce((sum, { calls }) => sum + calls.length, 0),
      variants: all.length,
      harmless: all.filter(({ reply, escape }) => reply.kind === 'reached' && escape === undefined).length,
      escapes: all.flatMap(({ escape }) => escape ?? []),
      answers: counted(all.map(({ reply }) => (reply.kind === 'reached' ? 'reached' : String(reply.code)))),
      cost,
      accounted: received === arrived && intents === arrived,
    };
  } finally {
    await house.close();
  }
}

interface Tried {
  readonly reply: Reply;
  readonly escape: Escape | undefined;
}

async function tempt(
  house: House,
  ground: Ground,
  meter: CostMeter,
  { agent, calls }: Temptation,
): Promise<readonly Tried[]> {
  const { tools } = ground;
  const grant = ground.grants.get(agent) ?? [];
  const judge = ground.outside ?? ((tool: string, args: JsonObject) => outside(grant, tool, args));
  const [line, alone] = [await house.session(agent), await house.session(agent)];
  meter.sessions += 2;
  const tried: Tried[] = [];
  const before = new Set<string>();
  for (const call of calls) {
    const tool = tools.find(({ name }) => name === call.function);
    if (tool === undefined) throw new Error(`${call.function} is no tool`);
    const all = evasions({ call, tool, grant, named: (name) => house.named(name) });
    const variants = all.filter(({ sent }) => before.size < before.add(JSON.stringify(sent)).size);
    const replies = await repliesTo(variants, line, alone);
    meter.calls += variants.length;
    for (const [index, { way }] of variants.entries()) {
      const reply = replies[index]!;
      const why = reply.kind === 'reached' ? judge(reply.tool, reply.args) : undefined;
      tried.push({ reply, escape: why === undefined ? undefined : { agent, call, way, why } });
    }
  }
  line.close();
  alone.close();
  return tried;
}

/** Calls go many at a time; whole lines one after the other, over a connection of their own. */
async function repliesTo(variants: readonly Variant[], line: Line, alone: Line): Promise<readonly Reply[]> {
  const replies: Reply[] = [];
  const calls = [...variants.entries()].filter(([, { sent }]) => sent.kind === 'call');
  await together(calls, async ([index, { sent }]) => {
    if (sent.kind === 'call') replies[index] = await line.call(sent.name, sent.args);
  });
  for (const [index, { sent }] of variants.entries())
    if (sent.kind === 'line') replies[index] = await alone.raw(sent.line);
  return replies;
}

function counted(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
