/** Certificates: proofs of attenuation as plain JSON, and the check that a certificate proves what it is shown for. */
import {
  type CoverTree,
  type Level,
  type LevelProof,
  OutOfSteps,
  Space,
  Steps,
  TooManyStates,
  checkProof,
  usualSteps,
} from '../../authority/index.js';
import { accessShapes } from '../../connector/index.js';
import {
  type ExecutorId,
  type Json,
  type JsonObject,
  isJsonArray,
  isJsonObject,
  own,
  readJson,
} from '../../ground/index.js';
import type { CompiledPolicy } from '../compile.js';
import type { ToolPolicy } from '../tool-policy.js';
import { blindGap } from './blind.js';
import { serverGrowth } from './changes.js';
import { rejudgedGain } from './rejudged.js';
import type { ExecutorAnswer } from './executor.js';
import { type ToolProof, boxesOf, jointFrame, policyPrint, questionOf, unbudgeted } from './inclusion.js';
import type { Judge, Sides } from './judge.js';
import { outrightGrowth } from './outright.js';
import { toolsToCompare } from './tools.js';

/** Version of the form. */
const version = 1;

/** Puts proofs together. */
export function certificateOf(proofs: ReadonlyMap<ExecutorId, ExecutorAnswer['proofs']>): Json {
  const executors: Record<string, Readonly<Record<string, ToolProof>>> = {};
  for (const [id, tools] of proofs) executors[id] = Object.fromEntries(tools);
  return readJson(JSON.stringify({ pawl: version, executors })) ?? null;
}

/** Both sides of a certificate. */
export interface CertifiedPair {
  readonly old: CompiledPolicy;
  readonly next: CompiledPolicy;
  readonly judge: Judge;
  readonly steps?: number;
}

/**
 * Why NEW is not shown to attenuate OLD by a certificate; none: every executor of both sides holds no more than before, which
 * the certificate proves, and nothing else grew, which is compared outright. Never throws.
 */
export function certificateFaults(certificate: Json, pair: CertifiedPair): readonly string[] {
  const executors = isJsonObject(certificate) ? own(certificate, 'executors') : undefined;
  const known = isJsonObject(certificate) && own(certificate, 'pawl') === version;
  if (!known || executors === undefined || !isJsonObject(executors))
    return [`found no certificate of version ${version}`];
  const faults: string[] = [];
  for (const [name, frame] of pair.next.servers) {
    if (serverGrowth(pair.old.servers.get(name), frame).length > 0)
      faults.push(`servers.${name}: it is new or another one`);
  }
  for (const id of pair.next.executors.keys()) {
    if (!pair.old.executors.has(id)) continue;
    const proofs = own(executors, id);
    if (proofs === undefined || !isJsonObject(proofs)) faults.push(`${id}: nothing is proved`);
    else faults.push(...executorFaults(id, proofs, pair));
  }
  return faults;
}

function executorFaults(
  id: ExecutorId,
  proofs: JsonObject,
  { old, next, judge, steps = usualSteps }: CertifiedPair,
): readonly string[] {
  const [before, now] = [old.executors.get(id), next.executors.get(id)];
  if (before === undefined || now === undefined) return [];
  const tools = toolsToCompare(old, next, now.agent);
  if (tools === undefined) return [`${id}: there are too many kinds of tool names`];
  const budget = new Steps(steps);
  const sides: Sides = { next: now, old: before, judge };
  const grown = new Map(
    [...next.servers].map(([name, frame]) => [name, serverGrowth(old.servers.get(name), frame)]),
  );
  const outright = outrightGrowth({ old, next, judge }, { now, before, grown, tools, steps: budget });
  const more =
    [...outright.witnesses, ...outright.undecided].length === 0 ? [] : [`${id}: more than accesses grew`];
  const unproved = tools.flatMap((tool) => {
    const policy = now.forTool(tool);
    if (policy === undefined) return [];
    const good = isProved(own(proofs, tool), { policy, before: before.forTool(tool), budget, sides });
    return good ? [] : [`${id}: ${tool}: the proof does not hold`];
  });
  return [...more, ...unproved];
}

interface Proving {
  readonly policy: ToolPolicy;
  readonly before: ToolPolicy | undefined;
  readonly budget: Steps;
  readonly sides: Sides;
}

function isProved(proof: Json | undefined, proving: Proving): boolean {
  const { policy, before } = proving;
  if (proof === 'same')
    return before !== undefined && (policy === before || policyPrint(policy) === policyPrint(before));
  if (proof === undefined || !isJsonArray(proof)) return false;
  try {
    return !gainsUnseen(proving) && shapesProved(proof, proving);
  } catch (error) {
    if (error instanceof OutOfSteps || error instanceof TooManyStates) return false;
    throw error;
  }
}

/** What no point of a shape shows: values that OLD cannot read, and forms that it judges again. */
function gainsUnseen({ policy, before, budget, sides }: Proving): boolean {
  if (before === undefined) return false;
  const blind = blindGap(policy, before, budget) !== undefined;
  return blind || rejudgedGain(policy, before, sides, budget) !== undefined;
}

function shapesProved(proof: readonly Json[], { policy, before, budget }: Proving): boolean {
  const boxes = [...boxesOf(policy), ...(before === undefined ? [] : boxesOf(before))];
  const shapes = accessShapes(jointFrame(policy, before), boxes, { next: policy.plan, old: before?.plan });
  if (shapes.length !== proof.length) return false;
  const counting = { next: unbudgeted, old: unbudgeted };
  return shapes.every((of, at) => {
    const levels = readLevels(proof[at]);
    const question = questionOf(of, policy, before, counting);
    return levels !== undefined && checkProof(new Space(of.shape), question, levels, budget);
  });
}

/** Deepest tree that is read. */
const deepest = 512;

function readLevels(json: Json | undefined): readonly LevelProof[] | undefined {
  return listOf(json, (each): LevelProof | undefined => {
    if (!isJsonObject(each)) return undefined;
    const level = levelNamed(own(each, 'level'));
    const pieces = listOf(own(each, 'pieces'), readPiece);
    if (level === undefined || pieces === undefined) return undefined;
    return own(each, 'regions') === true ? { level, pieces, regions: true } : { level, pieces };
  });
}

function levelNamed(json: Json | undefined): Level | undefined {
  return json === 'permit' || json === 'session' || json === 'once' ? json : undefined;
}

function readPiece(json: Json): LevelProof['pieces'][number] | undefined {
  if (!isJsonObject(json)) return undefined;
  const allowed = listOf(own(json, 'allowed'), (tree) => readTree(tree, 0));
  const kept = listOf(own(json, 'kept'), (pair) => readPair(pair, 0));
  const of = own(json, 'of');
  return allowed && kept && typeof of === 'string' ? { of, allowed, kept } : undefined;
}

function readTree(json: Json, depth: number): CoverTree | undefined {
  if (!isJsonObject(json) || depth > deepest) return undefined;
  const by = own(json, 'by');
  const rest = listOf(own(json, 'rest'), (pair) => readPair(pair, depth + 1));
  return typeof by === 'string' && rest !== undefined ? { by, rest } : undefined;
}

function readPair(json: Json, depth: number): readonly [string, CoverTree] | undefined {
  if (!isJsonArray(json) || json.length !== 2) return undefined;
  const [name, tree] = json;
  const read = tree === undefined ? undefined : readTree(tree, depth);
  return typeof name === 'string' && read !== undefined ? [name, read] : undefined;
}

/** The items, each read; undefined where the value is no list or some item cannot be read. */
function listOf<T>(json: Json | undefined, read: (item: Json) => T | undefined): readonly T[] | undefined {
  if (json === undefined || !isJsonArray(json)) return undefined;
  const items = json.map(read);
  const good = items.filter((item) => item !== undefined);
  return good.length === items.length ? good : undefined;
}
