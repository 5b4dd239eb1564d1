/** What NEW admits because it no longer looks: values that OLD's lists could not read, and so refused. */
import { OutOfSteps, Space, type Steps, piecesOf, scalarSet, sideAt, subtract } from '../../authority/index.js';
import {
  type BlindSpot,
  accessShapes,
  argumentName,
  blindSpots,
  exampleCalls,
  unreadableTexts,
} from '../../connector/index.js';
import type { Witness } from '../comparison.js';
import type { ToolPolicy } from '../tool-policy.js';
import { boxesOf, questionOf } from './inclusion.js';
import { type Sides, firstFreer } from './witness.js';

/** A call with such a value, or undefined. Throws OutOfSteps also where it cannot be told. */
export function blindGain(
  next: ToolPolicy,
  old: ToolPolicy,
  sides: Sides,
  steps: Steps,
): Witness | undefined {
  for (const spot of blindSpots(next.plan, old.plan)) {
    const found = gainAt(spot, next, sides, steps);
    if (found !== undefined) return found;
  }
  return undefined;
}

function gainAt(spot: BlindSpot, next: ToolPolicy, sides: Sides, steps: Steps): Witness | undefined {
  const { frame, plan } = next;
  const key = argumentName(spot.path);
  const cleaned = plan.raw.some((planned) => planned.constrained && argumentName(planned.path) === key);
  for (const of of accessShapes(frame, boxesOf(next), { next: plan, old: undefined }, [spot.path])) {
    const buckets = questionOf(of, next, undefined).next;
    if (buckets === undefined) continue;
    const space = new Space(of.shape);
    const side = sideAt(space, buckets, 'once');
    const taken = side.flatMap(({ takeaways }) => takeaways);
    for (const { product, rule } of piecesOf(space, side)) {
      const { texts, open } = unreadableTexts(space.at(product, key), spot, frame, cleaned);
      if (open) throw new OutOfSteps(`what OLD cannot read of ${key} is not told`);
      const value = space.narrowed(product, key, scalarSet(texts));
      const cut = value && subtract(space, value, taken, steps);
      if (cut?.kind !== 'gap') continue;
      const parts = { frame, space, of, gap: cut.gap, others: (): readonly [] => [] };
      const call = firstFreer(next, exampleCalls(parts), sides);
      return call ?? { kind: 'access', access: { tool: frame.tool, verb: of.shape.verb, [key]: texts[0] ?? '' }, rule };
    }
  }
  return undefined;
}
