/** What NEW admits because it no longer looks: values that OLD's lists could not read, and so refused. */
import {
  OutOfSteps,
  Space,
  type Steps,
  pieceProduct,
  piecesOf,
  scalarSet,
  sideAt,
  subtract,
} from '../../authority/index.js';
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
import type { Sides } from './judge.js';
import { type Gained, firstFreer } from './witness.js';

/** Accesses with a value that OLD cannot read. */
export interface BlindGap extends Gained {
  /** The argument and one such value. */
  readonly key: string;
  readonly text: string;
}

/** What NEW admits so, or undefined. Throws OutOfSteps also where it cannot be told. */
export function blindGap(next: ToolPolicy, old: ToolPolicy, steps: Steps): BlindGap | undefined {
  for (const spot of blindSpots(next.plan, old.plan)) {
    const found = gapAt(spot, next, steps);
    if (found !== undefined) return found;
  }
  return undefined;
}

function gapAt(spot: BlindSpot, next: ToolPolicy, steps: Steps): BlindGap | undefined {
  const { frame, plan } = next;
  const key = argumentName(spot.path);
  const cleaned = plan.raw.some((planned) => planned.constrained && argumentName(planned.path) === key);
  for (const of of accessShapes(frame, boxesOf(next), { next: plan, old: undefined }, [spot.path])) {
    const buckets = questionOf(of, next, undefined).next;
    if (buckets === undefined) continue;
    const space = new Space(of.shape);
    const side = sideAt({ space, side: 'next' }, buckets, 'once');
    const taken = side.flatMap(({ takeaways }) => takeaways);
    for (const piece of piecesOf(side)) {
      const product = pieceProduct(space, piece);
      if (product === undefined) continue;
      const seen = space.shape.raw.filter(({ view, path }) => view !== 'raw' && argumentName(path) === key);
      const views = seen.map((each) => ({ view: each.view, set: space.at(product, each.key) }));
      const { texts, open } = unreadableTexts({ set: space.at(product, key), views }, spot, frame, cleaned);
      if (open) throw new OutOfSteps(`what OLD cannot read of ${key} is not told`);
      const value = space.narrowed(product, key, scalarSet(texts));
      const cut = value && subtract(space, value, taken, steps);
      if (cut?.kind !== 'gap') continue;
      return {
        space,
        of,
        key,
        text: texts[0] ?? '',
        gain: { level: 'once', gap: cut.gap, rule: piece.entries[0]?.rule.rule ?? '' },
      };
    }
  }
  return undefined;
}

/** A call that shows it, or the access. */
export function blindWitness(policy: ToolPolicy, found: BlindGap, sides: Sides): Witness {
  const { space, of, gain, key, text } = found;
  const { frame } = policy;
  const parts = { frame, space, of, gap: gain.gap, others: (): readonly [] => [] };
  const call = firstFreer(policy, exampleCalls(parts), sides);
  if (call !== undefined) return call;
  return { kind: 'access', access: { tool: frame.tool, verb: of.shape.verb, [key]: text }, rule: gain.rule };
}
