/** From a gained access to a call that shows it: candidates are made, and the production matcher judges them on both sides. */
import {
  type Bucket,
  type Gain,
  type Space,
  type Value,
  type ValueSet,
  and,
  foldersInside,
  foldersMeeting,
  isCommandText,
  isEmpty,
  minus,
  missing,
  nothingSet,
  or,
  sample,
  spelledText,
  textSet,
} from '../../authority/index.js';
import { type AccessRow, type ToolShape, exampleCalls, wordField } from '../../connector/index.js';
import type { JsonObject } from '../../ground/index.js';
import type { AccessWitness, CallWitness } from '../comparison.js';
import type { ToolPolicy } from '../tool-policy.js';
import { verbsBeside } from './inclusion.js';
import { withInnerCalls } from './inner-calls.js';
import type { Sides } from './judge.js';

/** What was gained, and in which space. */
export interface Gained {
  readonly gain: Gain;
  readonly of: ToolShape;
  readonly space: Space;
}

/** A call that NEW judges more freely, or the access where no call was found. */
export function witnessOf(policy: ToolPolicy, gained: Gained, sides: Sides): CallWitness | AccessWitness {
  if (!mayBeCalled(policy, gained.of)) return accessWitness(policy, gained);
  const calls = exampleCalls({
    frame: policy.frame,
    space: gained.space,
    of: gained.of,
    gap: gained.gain.gap,
    others: (row, field) => otherValues(policy, row, field),
    beside: (verb) => otherValues(policy, { verb, extent: 'exact' }, wordField),
  });
  return (
    firstFreer(policy, calls, sides) ??
    firstFreer(policy, withInnerCalls(policy, calls, sides), sides) ??
    accessWitness(policy, gained)
  );
}

/** False only where every call that makes the access makes another one, of a verb of which NEW allows nothing. */
function mayBeCalled({ authorities, frame }: ToolPolicy, of: ToolShape): boolean {
  return verbsBeside(frame, of).every((verb) =>
    authorities.factors.every((authority) => (authority.bucket(frame.tool, verb)?.allow.length ?? 0) > 0),
  );
}

/** The first call that NEW judges more freely than OLD. */
export function firstFreer(
  { frame }: ToolPolicy,
  calls: Iterable<JsonObject>,
  { next, old, judge }: Sides,
): CallWitness | undefined {
  for (const args of calls) {
    const now = judge(next, frame.tool, args);
    if (now.freedom === 0) continue;
    const before = judge(old, frame.tool, args);
    const about = { kind: 'call', tool: frame.tool, args, new: now.decision, rule: now.rule ?? '' } as const;
    if (now.freedom > before.freedom) return { ...about, old: before.decision };
    const oftener = now.freedom === before.freedom && now.times > before.times;
    if (oftener) return { ...about, old: 'deny', repeat: before.times + 1 };
  }
  return undefined;
}

/** Most rules of which values are taken for what a call names beside the gained access. */
const mostRules = 8;

/** Values that NEW allows in another row of the tool; of folders those whose whole reach it allows. */
function otherValues(
  { authorities, frame }: ToolPolicy,
  row: Pick<AccessRow, 'verb' | 'extent'>,
  field: string,
): readonly ValueSet[] {
  const [policy, ...limits] = authorities.factors.map((authority) => authority.bucket(frame.tool, row.verb));
  const setsOf = (bucket: Bucket | undefined): readonly ValueSet[] =>
    (bucket?.allow ?? []).flatMap(({ box }) => box.setOf(field) ?? []);
  const denied = (policy?.deny ?? []).map(({ box }) => box.setOf(field) ?? nothingSet).reduce(or, nothingSet);
  const { extent } = row;
  const reach = extent === 'subtree' || extent === 'children' ? extent : undefined;
  const { platform } = frame.paths;
  const within = limits.map((bucket) => setsOf(bucket).reduce(or, nothingSet)).filter((set) => !isEmpty(set));
  return setsOf(policy)
    .slice(0, mostRules)
    .map((set) => within.reduce(and, set))
    .map((set) =>
      reach === undefined
        ? minus(set, denied)
        : textSet(
            minus(
              textSet(foldersInside(set.text, reach, platform)),
              textSet(foldersMeeting(denied.text, reach, platform)),
            ).text,
          ),
    );
}

/** A gained access by an example. */
export function accessWitness({ frame }: ToolPolicy, { gain, of, space }: Gained): AccessWitness {
  const { shape } = of;
  const raw = shape.raw.filter(({ key }) => gain.gap.has(key)).map(({ key }) => key);
  const [extent] = shape.regions.values();
  const access: Record<string, string> = { tool: frame.tool, verb: shape.verb };
  if (extent !== undefined) access['extent'] = extent;
  for (const key of [...shape.carried.keys(), ...raw]) access[key] = shown(sample(space.at(gain.gap, key)));
  return { kind: 'access', access, rule: gain.rule };
}

function shown(value: Value | undefined): string {
  if (value === missing || value === undefined) return 'absent';
  if (typeof value !== 'string') return JSON.stringify(value);
  return isCommandText(value) ? spelledText('command', value) : value;
}
