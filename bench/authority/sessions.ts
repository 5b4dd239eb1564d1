/** Calls of a case, in a session of its own. */
import type { CostMeter } from './cost.js';
import type { House } from './house.js';
import type { Reply } from './line.js';
import type { SuiteCall } from './suite.js';

/** Makes the calls one after the other in a fresh session of the agent; an answer for each. */
export async function inOneSession(
  house: House,
  meter: CostMeter,
  agent: string,
  calls: readonly SuiteCall[],
): Promise<readonly Reply[]> {
  const line = await house.session(agent);
  meter.sessions += 1;
  const replies: Reply[] = [];
  for (const call of calls) {
    replies.push(await line.call(house.named(call.function), JSON.stringify(call.args)));
    meter.calls += 1;
  }
  line.close();
  return replies;
}

/** Does all of it, so many at a time; answers in order. */
export async function together<T, R>(
  items: readonly T[],
  act: (item: T) => Promise<R>,
  atOnce = 16,
): Promise<readonly R[]> {
  const results: R[] = [];
  const left = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of left) results[index] = await act(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

/** Whether the call reached the server. */
export function reached({ kind }: Reply): boolean {
  return kind === 'reached';
}
