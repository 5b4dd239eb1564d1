/** Pairs of documents and what `diff` must say of them: the rules of the runner in ../shared/tools. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, JsonObject } from '@pawl/core';
import { type Files, type Pair, type Tool, decide, diff } from './pawl.js';

type Decision = 'permit' | 'ask' | 'deny';

/** A call, the n-th identical one of a session. */
interface Example {
  readonly agent?: string;
  readonly instance?: string;
  readonly tool: string;
  readonly args: JsonObject;
  readonly repeat?: number;
  readonly old: Decision;
  readonly new: Decision;
}

/** One pair. */
export interface DiffCase {
  readonly id: string;
  /** The sentence of the contract, in own words. */
  readonly about?: string;
  readonly old: string;
  readonly new: string;
  readonly tools?: Files['tools'];
  readonly tools_old?: Readonly<Record<string, readonly Tool[]>>;
  readonly tools_new?: Readonly<Record<string, readonly Tool[]>>;
  readonly files?: Files['files'];
  readonly no_tools?: boolean;
  readonly expect?: string;
  readonly expect_in?: readonly string[];
  readonly agents?: Readonly<Record<string, string>>;
  readonly example?: Example;
  /** The gain is one of levels that decisions do not tell apart. */
  readonly level_hidden?: boolean;
}

interface Answer {
  readonly relation: string;
  readonly executors: Readonly<
    Record<string, { readonly relation: string; readonly witnesses: readonly Json[] }>
  >;
  readonly witnesses?: readonly Json[];
  readonly schemas?: string;
}

/** Every pair of a folder beside this file. */
export function pairsOf(folder: string): readonly DiffCase[] {
  const path = join(import.meta.dirname, folder);
  const names = readdirSync(path).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => JSON.parse(readFileSync(join(path, name), 'utf8')) as DiffCase);
}

const counted = (relation: string): string =>
  relation === 'new' || relation === 'removed' ? 'attenuation' : relation;

/** What is wrong with the answer to a pair, one line each; empty when it is right. */
export async function wrongPair(one: DiffCase): Promise<readonly string[]> {
  const pair = pairOf(one);
  const { code, out, err } = await diff(pair);
  if (code > 1) return [`exit ${code}: ${err}`];
  const answer = JSON.parse(out) as Answer;
  const faults = wrongRelations(one, answer, code);
  if (answer.relation !== 'widening') return faults;
  return [...faults, ...(await wrongWitnesses(one, pair, answer))];
}

function wrongRelations(one: DiffCase, answer: Answer, code: number): readonly string[] {
  const got = counted(answer.relation);
  const wanted = one.expect_in ?? [one.expect ?? ''];
  const proved = got === 'equal' || got === 'attenuation';
  return [
    ...(wanted.includes(got) ? [] : [`relation ${got}, not ${wanted.join(' or ')}`]),
    ...(code === (proved ? 0 : 1) ? [] : [`exit ${code}`]),
    ...(one.no_tools === true && answer.schemas !== 'none'
      ? ['it does not say that no schema is known']
      : []),
    ...Object.entries(one.agents ?? {}).flatMap(([agent, relation]) => {
      const said = answer.executors[agent]?.relation ?? 'equal';
      return said === relation ? [] : [`${agent}: ${said}, not ${relation}`];
    }),
  ];
}

/** OLD and NEW with the files around them. */
function pairOf(one: DiffCase): Pair {
  const around = (policy: string, tools: Files['tools']): Files => ({
    policy,
    ...(one.no_tools === true || tools === undefined ? {} : { tools }),
    ...(one.files === undefined ? {} : { files: one.files }),
  });
  return {
    old: around(one.old, one.tools_old ?? one.tools),
    next: around(one.new, one.tools_new ?? one.tools),
  };
}

async function wrongWitnesses(one: DiffCase, pair: Pair, answer: Answer): Promise<readonly string[]> {
  const all = Object.entries(answer.executors).flatMap(([id, { witnesses }]) => {
    const [agent, instance] = id.split('/');
    return witnesses.map((witness) => ({ ...(witness as object), agent, instance }) as Partial<Example>);
  });
  const told = [...all, ...(answer.witnesses ?? []).map((witness) => witness as Partial<Example>)];
  const calls = told.filter((witness): witness is Example => witness.tool !== undefined);
  const { example } = one;
  const faults = told.length === 0 ? ['no witness'] : [];
  const needsCall = example !== undefined && example.repeat === undefined && one.level_hidden !== true;
  if (needsCall && calls.length === 0) faults.push('no witness is a call');
  for (const call of calls) faults.push(...(await wrongCall(pair, call, one)));
  if (example === undefined || one.no_tools === true) return faults;
  const [before, now] = await both(pair, example);
  if (before !== example.old || now !== example.new) faults.push(`example: ${before} to ${now}`);
  return faults;
}

const freedom = { deny: 0, ask: 1, permit: 2 } as const;

async function wrongCall(pair: Pair, call: Example, one: DiffCase): Promise<readonly string[]> {
  if (one.no_tools === true) return [];
  const [before, now] = await both(pair, call);
  const hidden = one.level_hidden === true && before === 'ask' && now === 'ask';
  if (freedom[now] > freedom[before] || hidden) return [];
  return [`no witness: ${call.tool} ${JSON.stringify(call.args)}: ${before} to ${now}`];
}

async function both({ old, next }: Pair, call: Example): Promise<readonly [Decision, Decision]> {
  return [await decided(old, call), await decided(next, call)];
}

/** What the n-th identical call of a session comes to. */
async function decided(
  files: Files,
  { agent = 'a', instance, tool, args, repeat = 1 }: Example,
): Promise<Decision> {
  const line = { agent, ...(instance === undefined ? {} : { instance }), session: 's', tool, args };
  const lines = Array.from({ length: repeat }, (_, id) => ({ id, ...line }));
  const { code, out, err } = await decide(files, lines);
  if (code !== 0) throw new Error(err);
  const last = out.trimEnd().split('\n').at(-1) ?? '';
  return (JSON.parse(last) as { decision: Decision }).decision;
}
