/** A tool definition in force that was replaced: told per executor, with a call that only the new one lets through. */
import {
  type ArgumentPath,
  type ValueSet,
  Space,
  elementsOf,
  isEmpty,
  minus,
  missingSet,
  pieceProduct,
  piecesOf,
  sideAt,
} from '../../authority/index.js';
import { accessShapes, argumentName, argumentPaths, exampleCalls, placeSet } from '../../connector/index.js';
import type { JsonObject } from '../../ground/index.js';
import type { Witness } from '../comparison.js';
import type { MountedTool } from '../tool.js';
import type { ToolPolicy } from '../tool-policy.js';
import { change } from './changes.js';
import { boxesOf, questionOf } from './inclusion.js';
import type { Sides } from './judge.js';
import { definitionGrowth } from './schema.js';
import { firstFreer } from './witness.js';

/** What shows that the definition lets more through; none: it does not, or one side does not know the tool. */
export function definitionWitnesses(
  old: MountedTool | undefined,
  next: MountedTool | undefined,
  policy: ToolPolicy,
  sides: Sides,
): readonly Witness[] {
  if (old === undefined || next === undefined || old.definition === next.definition) return [];
  const growth = definitionGrowth(old.definition, next.definition);
  if (growth.length === 0) return [];
  const call = firstFreer(policy, callsOf(old, policy), sides);
  const told = growth.map((each) => change('tool', `${policy.frame.tool} ${each.path}`, each.old, each.new));
  return call === undefined ? told : [call, ...told];
}

/** Most rules for which calls are made. */
const mostPieces = 8;

/** Most places of a schema that are looked at. */
const mostPlaces = 64;

/** Calls with a value, or an absence, that the old definition does not take. */
function* callsOf(old: MountedTool, policy: ToolPolicy): Generator<JsonObject> {
  const { frame } = policy;
  const paths = frame.schema === undefined ? [] : argumentPaths(frame.schema).slice(0, mostPlaces);
  const places = new Map(
    paths
      .flatMap((path) => path.map((_, at) => path.slice(0, at + 1)))
      .map((path) => [argumentName(path), path]),
  );
  for (const path of places.values()) {
    const more = minus(placeSet(frame, path), placeSet(old.frame, path));
    const given = minus(more, missingSet);
    if (!isEmpty(given)) yield* callsWith(policy, path, given);
    if (more.missing) yield* callsWith(policy, path, missingSet);
  }
}

function* callsWith(policy: ToolPolicy, path: ArgumentPath, set: ValueSet): Generator<JsonObject> {
  const { frame } = policy;
  for (const of of accessShapes(frame, boxesOf(policy), { next: policy.plan, old: undefined }, [path])) {
    const space = new Space(of.shape);
    const buckets = questionOf(of, policy, undefined).next;
    const pieces = buckets === undefined ? [] : piecesOf(sideAt({ space, side: 'next' }, buckets, 'once'));
    for (const piece of pieces.slice(0, mostPieces)) {
      const product = pieceProduct(space, piece);
      const gap = product && space.narrowed(product, argumentName(path), elementsOf(set));
      if (gap !== undefined) yield* exampleCalls({ frame, space, of, gap, others: () => [] });
    }
  }
}
