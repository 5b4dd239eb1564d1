/** The pairs' form, and what is wrong with the answer to one: the rules of the runner in ../shared/tools, in process. */
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Comparison,
  type CompiledPolicy,
  type JsonObject,
  type ToolCatalog,
  certificateFaults,
  comparePolicies,
  judgeCall,
  parseToolName,
} from '@pawl/core';
import { compileRead, readCatalog, readPolicy } from '../../packages/gateway/src/config/index.js';
import type { Tool } from './pawl.js';

type ExecutorRelation = Comparison['executors'][keyof Comparison['executors']]['relation'];
type Tools = Readonly<Record<string, readonly Tool[]>>;

/** A call with its decision under both documents. */
interface Example {
  readonly agent: string;
  readonly instance?: string;
  readonly tool: string;
  readonly args: JsonObject;
  readonly old: string;
  readonly new: string;
}

/** One pair of documents, and how they compare. */
export interface Pair {
  readonly id: string;
  /** The sentence of the contract, in own words. */
  readonly about: string;
  readonly old: string;
  readonly new: string;
  readonly tools?: Tools;
  readonly tools_old?: Tools;
  readonly tools_new?: Tools;
  /** Both sides are compared without schemas. */
  readonly no_tools?: boolean;
  /** Beside both documents. */
  readonly files?: Readonly<Record<string, string>>;
  readonly expect: 'equal' | 'attenuation' | 'widening';
  readonly agents?: Readonly<Record<string, ExecutorRelation>>;
  /** Some call shows the widening, this one for example. */
  readonly example?: Example;
}

/** Every pair of a folder beside this file. */
export function pairsOf(folder: string): readonly Pair[] {
  const path = join(import.meta.dirname, folder);
  const names = readdirSync(path).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => JSON.parse(readFileSync(join(path, name), 'utf8')) as Pair);
}

interface BothSides {
  readonly old: CompiledPolicy;
  readonly next: CompiledPolicy;
}

/** What is wrong with the comparison of a pair, one line each; empty when it is right. */
export function wrongPair(pair: Pair): readonly string[] {
  const sides = loaded(pair);
  if (typeof sides === 'string') return [sides];
  const comparison = comparePolicies({ ...sides, judge: judgeCall });
  return [
    ...wrongRelation(pair, comparison),
    ...wrongWitnesses(pair, comparison, sides),
    ...wrongExample(pair, sides),
    ...wrongCertificate(comparison, sides),
  ];
}

const counted: Readonly<Record<ExecutorRelation, string>> = {
  equal: 'equal',
  attenuation: 'attenuation',
  new: 'attenuation',
  removed: 'attenuation',
  widening: 'widening',
  unknown: 'unknown',
};

function wrongRelation({ expect, agents }: Pair, { relation, executors }: Comparison): readonly string[] {
  const each = Object.entries(agents ?? {}).flatMap(([id, wanted]) => {
    const got = Object.entries(executors).find(([name]) => name === id)?.[1].relation;
    return got === wanted ? [] : [`${id}: wanted ${wanted}, got ${String(got)}`];
  });
  return counted[relation] === expect ? each : [`wanted ${expect}, got ${relation}`, ...each];
}

function wrongWitnesses(
  { expect, example }: Pair,
  { relation, executors, witnesses }: Comparison,
  sides: BothSides,
): readonly string[] {
  if (relation !== 'widening' || expect !== 'widening') return [];
  const all = Object.entries(executors).flatMap(([id, each]) =>
    each.witnesses.map((witness) => ({ id, witness })),
  );
  const calls = all.flatMap(({ id, witness }) => (witness.kind === 'call' ? [{ id, ...witness }] : []));
  const stricter = calls.filter(({ id, tool, args, repeat }) => {
    const [before, now] = [sides.old, sides.next].map((side) => freedom(side, id, tool, args));
    return repeat === undefined && !((now ?? 0) > (before ?? 0));
  });
  return [
    ...(all.length + witnesses.length === 0 ? ['no witness'] : []),
    ...(example !== undefined && calls.length === 0 ? [`no call: ${JSON.stringify(all[0]?.witness)}`] : []),
    ...stricter.map(({ args }) => `not laxer under NEW: ${JSON.stringify(args)}`),
  ];
}

function wrongExample({ example }: Pair, { old, next }: BothSides): readonly string[] {
  if (example === undefined) return [];
  const id = example.instance === undefined ? example.agent : `${example.agent}/${example.instance}`;
  const got = [old, next].map((side) => judged(side, id, example.tool, example.args)?.decision);
  const wanted = [example.old, example.new];
  return got.join() === wanted.join() ? [] : [`example: wanted ${wanted.join()}, got ${got.join()}`];
}

function wrongCertificate({ certificate, relation }: Comparison, sides: BothSides): readonly string[] {
  const proved = relation === 'equal' || relation === 'attenuation';
  if (proved !== (certificate !== undefined)) return ['a certificate that should not be there, or none'];
  return certificate === undefined ? [] : certificateFaults(certificate, { ...sides, judge: judgeCall });
}

function freedom(side: CompiledPolicy, id: string, tool: string, args: JsonObject): number {
  return judged(side, id, tool, args)?.freedom ?? 0;
}

function judged(
  side: CompiledPolicy,
  id: string,
  tool: string,
  args: JsonObject,
): ReturnType<typeof judgeCall> | undefined {
  const executor = [...side.executors].find(([name]) => name === id)?.[1];
  const name = parseToolName(tool);
  return executor && name && judgeCall(executor, name, args);
}

function loaded(pair: Pair): BothSides | string {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-pair-'));
  try {
    for (const [name, text] of Object.entries(pair.files ?? {})) writeFileSync(join(folder, name), text);
    const old = sideOf(folder, 'old', pair.old, pair.no_tools ? undefined : (pair.tools_old ?? pair.tools));
    const next = sideOf(folder, 'new', pair.new, pair.no_tools ? undefined : (pair.tools_new ?? pair.tools));
    if (typeof old === 'string') return old;
    return typeof next === 'string' ? next : { old, next };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function sideOf(
  folder: string,
  name: string,
  text: string,
  tools: Tools | undefined,
): CompiledPolicy | string {
  const file = join(folder, `${name}.yaml`);
  writeFileSync(file, text);
  const read = readPolicy(file);
  const options = { tools: catalogOf(tools), vanishedTool: 'problem' } as const;
  const compiled = read.ok ? compileRead(read.policy, options) : read;
  return compiled.ok ? compiled.policy : compiled.problems.map(({ message }) => message).join('; ');
}

const catalogs = new Map<string, ToolCatalog>();

/** The tools as the command reads them; the same for the same tools. */
function catalogOf(tools: Tools | undefined): ToolCatalog {
  if (tools === undefined) return undefined;
  const key = JSON.stringify(tools);
  if (!catalogs.has(key)) catalogs.set(key, readTools(tools));
  return catalogs.get(key);
}

function readTools(tools: Tools): ToolCatalog {
  const folder = join(mkdtempSync(join(tmpdir(), 'pawl-tools-')), 'tools');
  mkdirSync(folder);
  try {
    for (const [server, list] of Object.entries(tools)) {
      writeFileSync(join(folder, `${server}.json`), JSON.stringify({ tools: list }));
    }
    const catalog = readCatalog(folder);
    if (!catalog.ok) throw new Error(catalog.why);
    return catalog.tools;
  } finally {
    rmSync(join(folder, '..'), { recursive: true });
  }
}
