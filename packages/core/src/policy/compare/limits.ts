/** Named limits: every old one survives by name, counts no more, in the same way, and over no less of what NEW may do. */
import {
  Space,
  andProduct,
  pieceProduct,
  piecesOf,
  reachingMeets,
  sideAt,
  subtract,
  type Rule,
  type Steps,
} from '../../authority/index.js';
import { type ToolShape, accessShapes } from '../../connector/index.js';
import type { ToolName } from '../../ground/index.js';
import type { AgentOutline, ExecutorPolicy } from '../compile-input.js';
import type { ChangeWitness } from '../comparison.js';
import type { ToolPolicy, UseLimit } from '../tool-policy.js';
import { change } from './changes.js';
import { boxesOf, jointFrame, questionOf } from './inclusion.js';

/** Both sides, with the limits of their agents. */
export interface LimitQuestion {
  readonly next: ExecutorPolicy;
  readonly old: ExecutorPolicy;
  readonly limits: { readonly next: AgentOutline['limits']; readonly old: AgentOutline['limits'] };
  readonly steps: Steps;
}

/** Limits of OLD that NEW lacks or loosens. Throws OutOfSteps and TooManyStates. */
export function limitGrowth(
  { next, old, limits, steps }: LimitQuestion,
  tools: readonly ToolName[],
): readonly ChangeWitness[] {
  const found: ChangeWitness[] = [];
  const path = (name: string): string => `agents.${next.agent}.limits.${name}`;
  for (const before of limits.old) {
    const now = limits.next.find(({ name }) => name === before.name);
    if (now === undefined) found.push(change('limit', path(before.name), counts(before), null));
    else if (now.uses > before.uses || now.per !== before.per)
      found.push(change('limit', path(before.name), counts(before), counts(now)));
    else {
      const left = tools.find(
        (tool) => !isCharged(next.forTool(tool), old.forTool(tool), before.name, steps),
      );
      if (left !== undefined)
        found.push(change('limit', path(before.name), `charges ${left}`, `does not charge all of ${left}`));
    }
  }
  return found;
}

function counts({ uses, per }: AgentOutline['limits'][number]): {
  readonly uses: number;
  readonly per: string;
} {
  return { uses, per };
}

/** Whether NEW's limit charges every call of the tool that OLD's charges and NEW admits. */
function isCharged(
  next: ToolPolicy | undefined,
  old: ToolPolicy | undefined,
  name: string,
  steps: Steps,
): boolean {
  const before = old?.limits.find((limit) => limit.name === name);
  if (next === undefined || old === undefined || before === undefined) return true;
  const now = next.limits.find((limit) => limit.name === name);
  const boxes = [...boxesOf(next), ...boxesOf(old), ...regionBoxes(before), ...regionBoxes(now)];
  return accessShapes(jointFrame(next, old), boxes, { next: next.plan, old: old.plan }).every((of) =>
    shapeCharged(of, next, { before, now }, steps),
  );
}

function shapeCharged(
  of: ToolShape,
  next: ToolPolicy,
  limits: { readonly before: UseLimit; readonly now: UseLimit | undefined },
  steps: Steps,
): boolean {
  const space = new Space(of.shape);
  const buckets = questionOf(of, next, undefined).next;
  if (buckets === undefined) return true;
  const side = sideAt({ space, side: 'next' }, buckets, 'once');
  const meeting = (side: 'next' | 'old', limit: UseLimit | undefined): ReturnType<typeof reachingMeets> =>
    reachingMeets({ space, side }, limit?.buckets.get(of.shape.verb) ?? []);
  const taken = side.flatMap(({ takeaways }) => takeaways).filter(({ named }) => !named);
  const coverers = [...meeting('next', limits.now), ...taken];
  return piecesOf(side).every((piece) =>
    meeting('old', limits.before).every((region) => {
      const product = pieceProduct(space, piece);
      const both = product && andProduct(product, region.product);
      const charged = both && space.settled(both);
      return charged === undefined || subtract(space, charged, coverers, steps).kind === 'covered';
    }),
  );
}

function regionBoxes(limit: UseLimit | undefined): readonly Rule['box'][] {
  return [...(limit?.buckets.values() ?? [])].flat().map(({ box }) => box);
}
