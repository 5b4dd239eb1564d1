/**
 * A path in a raw argument is forwarded in its canonical form, and judged in that form again. Where rules of OLD also judge the
 * argument as it is sent, the second look may refuse what the first let through; points do not tell that.
 */
import {
  type ArgumentPath,
  type Box,
  OutOfSteps,
  Space,
  canonicalText,
  pieceProduct,
  piecesOf,
  scalars,
  sideAt,
} from '../../authority/index.js';
import { accessShapes, argumentName, exampleCalls } from '../../connector/index.js';
import type { CallWitness } from '../comparison.js';
import type { ToolPolicy } from '../tool-policy.js';
import { allowPrint, boxesOf, questionOf } from './inclusion.js';
import { type Sides, firstFreer } from './witness.js';

/** Arguments that OLD judges both as they are sent and as paths, and NEW lets through as they are sent. */
function mixedIn(next: ToolPolicy, old: ToolPolicy): readonly ArgumentPath[] {
  const before = boxesOf(old);
  const now = boxesOf(next);
  const names = new Map<string, ArgumentPath>();
  for (const { path, view } of before.flatMap(({ fields }) => fields))
    if (path !== undefined && view === 'path') names.set(argumentName(path), path);
  return [...names].flatMap(([name, path]) =>
    before.some((box) => judgesSent(box, name)) && now.some((box) => judgesSent(box, name)) ? [path] : [],
  );
}

function judgesSent({ fields }: Box, name: string): boolean {
  return fields.some(({ key }) => key === name);
}

/**
 * A call that OLD refuses at the second look, or undefined where there is none. Throws OutOfSteps where it cannot be told.
 */
export function rejudgedGain(next: ToolPolicy, old: ToolPolicy, sides: Sides): CallWitness | undefined {
  // The same rules admit what both admit, and so the same form is forwarded.
  if (allowPrint(next) === allowPrint(old)) return undefined;
  for (const path of mixedIn(next, old)) {
    const name = argumentName(path);
    for (const of of accessShapes(next.frame, boxesOf(next), { next: next.plan, old: undefined }, [path])) {
      const found = gainIn(next, new Space(of.shape), { of, name, sides });
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Most texts that are tried. */
const mostTexts = 64;

function gainIn(
  next: ToolPolicy,
  space: Space,
  { of, name, sides }: { of: ReturnType<typeof accessShapes>[number]; name: string; sides: Sides },
): CallWitness | undefined {
  const { frame } = next;
  const buckets = questionOf(of, next, undefined).next;
  for (const piece of buckets === undefined
    ? []
    : piecesOf(sideAt({ space, side: 'next' }, buckets, 'once'))) {
    const product = pieceProduct(space, piece);
    if (product === undefined) continue;
    const texts = scalars(space.at(product, name), mostTexts);
    if (texts?.every((text) => typeof text !== 'string' || isForwardedSo(text, next)) === true) continue;
    const parts = { frame, space, of, gap: product, others: (): readonly [] => [] };
    const call = firstFreer(next, exampleCalls(parts), sides);
    if (call !== undefined) return call;
    throw new OutOfSteps(`${name} is judged as sent and as a path`);
  }
  return undefined;
}

function isForwardedSo(text: string, { frame }: ToolPolicy): boolean {
  const read = canonicalText('path', text, frame.paths);
  return read.ok && read.forward === text;
}
