/** The user's own calls, said in every other way, through the gateway: all of them have to arrive, and to be what was meant. */
import { type Cost, CostMeter } from './cost.js';
import type { Ground } from './evade.js';
import { type House, startHouse } from './house.js';
import type { Line, Reply } from './line.js';
import { together } from './sessions.js';
import type { SuiteCall, SuiteTool } from './suite.js';
import { meant, respellings } from './variants/respelled.js';
import type { Variant } from './variants/variant.js';

/** Calls that are an agent's own. */
export interface Own {
  readonly agent: string;
  readonly calls: readonly SuiteCall[];
}

/** A call of one's own that did not arrive, or arrived as another. */
export interface Hindrance {
  readonly agent: string;
  readonly call: SuiteCall;
  readonly way: string;
  readonly reply: Reply;
}

/** What was seen. */
export interface RespelledFigures {
  readonly suite: string;
  readonly calls: number;
  readonly variants: number;
  readonly hindered: readonly Hindrance[];
  readonly cost: Cost;
}

/** Says every call in every way; a session for each agent. */
export async function measureRespelled(ground: Ground, own: readonly Own[]): Promise<RespelledFigures> {
  const house = await startHouse(ground.suite, ground.tools, ground.policy);
  try {
    const meter = new CostMeter();
    const seen = await together(own, (each) => respell(house, meter, ground.tools, each), 4);
    return {
      suite: ground.suite,
      calls: own.reduce((sum, { calls }) => sum + calls.length, 0),
      variants: meter.calls,
      hindered: seen.flat(),
      cost: meter.cost(),
    };
  } finally {
    await house.close();
  }
}

async function respell(
  house: House,
  meter: CostMeter,
  tools: readonly SuiteTool[],
  { agent, calls }: Own,
): Promise<readonly Hindrance[]> {
  const line = await house.session(agent);
  meter.sessions += 1;
  const hindered: Hindrance[] = [];
  for (const call of calls) {
    const tool = tools.find(({ name }) => name === call.function);
    if (tool === undefined) throw new Error(`${call.function} is no tool`);
    for (const variant of respellings(tool, house.named(tool.name), call.args)) {
      const reply = await sent(line, variant);
      meter.calls += 1;
      const arrived =
        reply.kind === 'reached' && reply.tool === tool.name && meant(tool, call.args, reply.args);
      if (!arrived) hindered.push({ agent, call, way: variant.way, reply });
    }
  }
  line.close();
  return hindered;
}

/** Sends one variant, alone on its connection. */
export function sent(line: Line, { sent: what }: Variant): Promise<Reply> {
  return what.kind === 'call' ? line.call(what.name, what.args) : line.raw(what.line);
}
