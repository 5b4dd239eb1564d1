/** The worked cases' form, and what is wrong with an answer to one: the rules of the runner in ../shared/tools. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Json, canonicalJson } from '@pawl/core';
import { type Files, decide, lint } from './pawl.js';

type Decision = 'permit' | 'ask' | 'deny';

/** What one call must be answered. A constraint may be followed by its values. */
export interface Expected {
  readonly decision?: Decision;
  readonly decision_in?: readonly Decision[];
  readonly code?: string;
  readonly layer?: string;
  readonly constraint?: string;
  readonly rule?: string;
  /** As forwarded. */
  readonly args?: Json;
  /** A permit must forward other arguments than were sent. */
  readonly must_alter?: boolean;
  readonly filled?: readonly string[];
  readonly accesses?: readonly Json[];
}

/** One case: a document, and calls with their answers, or whether it loads. */
export interface Case extends Files {
  readonly id: string;
  /** The sentence of the contract, in own words. */
  readonly about?: string;
  readonly calls?: readonly Readonly<Record<string, Json>>[];
  readonly expect?: readonly Expected[];
  readonly expect_load?: 'error' | 'ok';
  /** Texts of which each stands in the load error. */
  readonly must_mention?: readonly string[];
  /** Texts of which each stands in a finding of lint. */
  readonly lint_mention?: readonly string[];
  readonly assume_consent?: boolean;
  /** More options of `decide`. */
  readonly options?: readonly string[];
}

/** A load error because of what this version does not have yet. */
export const unbuilt = /not built yet|does not enforce/u;

/** Every case of a folder beside this file. */
export function casesOf(folder: string): readonly Case[] {
  const path = join(import.meta.dirname, folder);
  const names = readdirSync(path).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => JSON.parse(readFileSync(join(path, name), 'utf8')) as Case);
}

/** What is wrong with the answer to a case, one line each; empty when it is right. */
export async function wrong(one: Case): Promise<readonly string[]> {
  const options = [...(one.assume_consent === true ? ['--assume-consent'] : []), ...(one.options ?? [])];
  const { code, out, err } = await decide(one, one.calls ?? [], ['--json', ...options]);
  if (one.expect_load !== undefined) {
    const linted = await lint(one, ['--json']);
    const differs = linted.code === code ? [] : [`lint answers ${linted.code}, decide ${code}`];
    return [...differs, ...wrongLoad(one, code, out, err)];
  }
  if (code !== 0) return [`exit ${code}: ${err}`];
  const answers = out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Answer);
  const calls = one.calls ?? [];
  const ids = answers.map((answer) => answer.id);
  if (
    !same(
      ids,
      calls.map((call) => call['id'] ?? null),
    )
  ) {
    return [`ids or order differ: ${JSON.stringify(ids)}`];
  }
  const faults = answers.flatMap((answer, index) => {
    const expected = one.expect?.[index] ?? {};
    const sent = calls[index]?.['args'] ?? null;
    return faultsOf(expected, answer, sent).map(
      (what) => `${JSON.stringify(answer.id)} ${what}; answered ${JSON.stringify(answer)}`,
    );
  });
  return [...faults, ...(await unmentioned(one))];
}

function wrongLoad(one: Case, code: number, out: string, err: string): readonly string[] {
  const got =
    new Map([
      [0, 'ok'],
      [3, 'error'],
    ]).get(code) ?? `exit ${code}`;
  if (got !== one.expect_load) return [`load: ${got} ${err}`];
  if (got === 'ok') return [];
  const missing = (one.must_mention ?? []).filter((text) => !err.includes(text));
  return [
    ...(out === '' ? [] : [`something on stdout: ${out}`]),
    ...missing.map((text) => `the error does not name ${text}: ${err}`),
    ...(unbuilt.test(err) ? [`not for its own reason: ${err}`] : []),
  ];
}

async function unmentioned(one: Case): Promise<readonly string[]> {
  if (one.lint_mention === undefined) return [];
  const { out } = await lint(one);
  return one.lint_mention
    .filter((text) => !out.includes(text))
    .map((text) => `no finding names ${text}: ${out}`);
}

/** A line of the output. */
interface Answer {
  readonly id: Json;
  readonly decision: Decision;
  readonly code?: string;
  readonly layer?: string;
  readonly constraint?: string;
  readonly rule?: string;
  readonly args?: Json;
  readonly filled?: readonly string[];
  readonly accesses?: readonly Json[];
}

function faultsOf(expected: Expected, answer: Answer, sent: Json): readonly string[] {
  const want = expected.decision_in ?? (expected.decision === undefined ? [] : [expected.decision]);
  if (!want.includes(answer.decision)) {
    const unsafe = answer.decision === 'permit' ? 'UNSAFE' : 'false denial or other decision';
    return [`${unsafe}: wanted ${want.join(' or ')}`];
  }
  const unaltered = answer.decision === 'permit' && same(answer.args, sent);
  return [
    ...(expected.must_alter === true && unaltered ? ['UNSAFE: forwarded as sent'] : []),
    ...(['args', 'filled', 'accesses', 'code', 'layer', 'rule'] as const)
      .filter((key) => expected[key] !== undefined && !same(answer[key], expected[key]))
      .map((key) => `wanted ${key} ${JSON.stringify(expected[key])}`),
    ...wrongConstraint(expected.constraint, answer.constraint),
  ];
}

function wrongConstraint(wanted: string | undefined, got: string | undefined): readonly string[] {
  if (wanted === undefined || got === wanted || got?.startsWith(`${wanted} `) === true) return [];
  return [`wanted constraint ${wanted}`];
}

function same(a: Json | undefined, b: Json | undefined): boolean {
  return canonicalJson(a ?? null) === canonicalJson(b ?? null);
}
