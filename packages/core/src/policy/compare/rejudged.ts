/**
 * A path in a raw argument is forwarded in its canonical form, and judged in that form again. Where rules of OLD also judge the
 * argument as it is sent, the second look may refuse what the first let through; points do not tell that.
 */
import { type ArgumentPath, OutOfSteps, Space, type Steps, bucketOf, prove } from '../../authority/index.js';
import { type ToolShape, accessShapes, argumentName } from '../../connector/index.js';
import type { CallWitness } from '../comparison.js';
import type { ToolPolicy } from '../tool-policy.js';
import { boxesOf, jointFrame, questionOf, sameAllowed } from './inclusion.js';
import type { Sides } from './judge.js';
import { judgesPath, judgesSent, surelyHeld } from './second-look.js';
import { witnessOf } from './witness.js';

/** Arguments that OLD judges both as they are sent and as paths, and NEW lets through as they are sent. */
function mixedIn(next: ToolPolicy, old: ToolPolicy): readonly ArgumentPath[] {
  const before = boxesOf(old);
  const now = boxesOf(next);
  const names = new Map<string, ArgumentPath>();
  for (const { fields } of before)
    for (const { path, view } of fields)
      if (path !== undefined && view === 'path') names.set(argumentName(path), path);
  return [...names].flatMap(([name, path]) =>
    before.some((box) => judgesSent(box, name)) && now.some((box) => judgesSent(box, name)) ? [path] : [],
  );
}

/**
 * A call that OLD refuses at the second look, or undefined where there is none. Asked only where all points of NEW are in OLD. Throws
 * OutOfSteps where it cannot be told.
 */
export function rejudgedGain(
  next: ToolPolicy,
  old: ToolPolicy,
  sides: Sides,
  steps: Steps,
): CallWitness | undefined {
  const mixed = mixedIn(next, old);
  // The same rules admit what both admit, and so the same form is forwarded.
  if (mixed.length === 0 || sameAllowed(next, old)) return undefined;
  const boxes = [...boxesOf(next), ...boxesOf(old)];
  const plans = { next: next.plan, old: old.plan };
  for (const path of mixed) {
    const question: Rejudged = { name: argumentName(path), alone: mixed.length === 1, sides, steps };
    for (const of of accessShapes(jointFrame(next, old), boxes, plans, [path])) {
      const found = gainIn(next, old, of, question);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

interface Rejudged {
  /** Of the argument. */
  readonly name: string;
  /**
   * It is the only such argument. Then a rule of NEW that judges it as a path is out of the question: it forwards the canonical
   * form, and what NEW lets through at its own second look OLD lets through, as has been shown of all points.
   */
  readonly alone: boolean;
  readonly sides: Sides;
  readonly steps: Steps;
}

function gainIn(
  next: ToolPolicy,
  old: ToolPolicy,
  of: ToolShape,
  { name, alone, sides, steps }: Rejudged,
): CallWitness | undefined {
  const asked = questionOf(of, next, old);
  const [policy, ...limits] = asked.next ?? [];
  if (policy === undefined || asked.old === undefined) return undefined;
  const rules = alone ? policy.allow.filter(({ box }) => !judgesPath(box, name)) : policy.allow;
  const sure = asked.old.map((bucket) => surelyHeld(bucket, name));
  const held = sure.filter((bucket) => bucket !== undefined);
  if (held.length < sure.length)
    throw new OutOfSteps(`${name} is judged as sent and as a path, and as a list`);
  const space = new Space(of.shape);
  const found = prove(
    space,
    { next: [bucketOf(rules, policy.ask, policy.deny), ...limits], old: held },
    steps,
  );
  if (found.kind === 'included') return undefined;
  const witness = witnessOf(next, { gain: found.gain, of, space }, sides);
  if (witness.kind === 'call') return witness;
  throw new OutOfSteps(`${name} is judged as sent and as a path`);
}
