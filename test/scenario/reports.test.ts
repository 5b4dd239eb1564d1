/** The failure reports of other projects: those that `decide` can be asked about as scenarios, and all of them counted. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '@pawl/core';
import { describe, expect, test } from 'vitest';
import { laterReports, otherwiseReports } from './reports/later.js';
import type { BadLoad, Step, Story } from './reports/story.js';
import { toldReports as told } from './reports/told.js';
import { wrong } from './score.js';

interface Report {
  readonly id: string;
  readonly kind: string;
  readonly gist: string;
  readonly input: { readonly tool: string; readonly args: Json };
  readonly expected: string;
}

const reports = readFileSync(join(import.meta.dirname, 'reports.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Report);

async function wrongIn(id: string, telling: Story | BadLoad): Promise<readonly string[]> {
  if ('names' in telling) return wrong({ ...telling, id, expect_load: 'error', must_mention: telling.names });
  const calls = telling.steps.map(({ call }, index) => ({ id: index, ...call }));
  return wrong({ ...telling, id, calls, expect: telling.steps.map(({ want }) => want) });
}

describe('[P.decide.reports] reports about paths, urls, arguments, loading and precedence', () => {
  test.each(
    reports.filter(({ id }) => Object.hasOwn(told, id)).map((report) => [report.id, report.gist] as const),
  )('%s: %s', async (id) => {
    const answers = [];
    for (const telling of told[id] ?? []) answers.push(...(await wrongIn(id, telling)));
    expect(answers).toEqual([]);
  });

  test('each scenario begins with the report’s own call and wants what the report expects', () => {
    const alike = reports.filter(({ id }) => !Object.hasOwn(otherwiseReports, id));
    const differing = alike.flatMap(({ id, input, expected }) => {
      const [first] = told[id] ?? [];
      if (first === undefined || 'names' in first)
        return first === undefined || expected !== 'allow' ? [] : [id];
      const [step] = first.steps;
      return step !== undefined && says(step, input) && agrees(step, expected) ? [] : [id];
    });
    expect(differing).toEqual([]);
  });
});

/** Ids with which titles begin in the other files of reports, as `R147: …` and `R208 R209: …`; each once a file. */
function toldLive(): readonly string[] {
  const file = /^(?:[a-z]+-reports.*|subagents)\.test\.ts$/u;
  const title = /[([]\s*'(?<ids>R[0-9]{3}(?: R[0-9]{3})*)(?:: |, otherwise: |',)/gu;
  return readdirSync(import.meta.dirname)
    .filter((name) => file.test(name))
    .flatMap((name) => {
      const text = readFileSync(join(import.meta.dirname, name), 'utf8');
      return [
        ...new Set([...text.matchAll(title)].flatMap((found) => found.groups?.['ids']?.split(' ') ?? [])),
      ];
    });
}

/** Ids of reports about skills by which the tables of their own file tell them. */
function toldOfSkills(): readonly string[] {
  const text = readFileSync(join(import.meta.dirname, '../skill/reports.test.ts'), 'utf8');
  const ids = [...text.matchAll(/^ {2}(?<id>R[0-9]{3}): /gmu)].map((found) => found.groups?.['id']);
  const kinds = new Map(reports.map(({ id, kind }) => [id, kind]));
  return ids.filter((id) => id !== undefined).filter((id) => kinds.get(id)?.startsWith('skill-') === true);
}

describe('[P.reports.counted] the handed reports', () => {
  const here = [...Object.keys(told), ...toldLive(), ...toldOfSkills()];
  const later = Object.keys(laterReports);

  test('are each told once, or listed once with the reason', () => {
    expect([...here, ...later].sort()).toEqual(reports.map(({ id }) => id).sort());
  });

  test('are told rightly, but where the contract says otherwise', () => {
    const otherwise = Object.keys(otherwiseReports);
    expect(here).toEqual(expect.arrayContaining(otherwise));
    const counts = { right: here.length - otherwise.length, otherwise: otherwise.length };
    const all = { ...counts, later: later.length, all: reports.length };
    process.stdout.write(`reports: ${JSON.stringify(all)}\n`);
    expect(counts.right).toBeGreaterThanOrEqual(216);
  });
});

function says({ call }: Step, { tool, args }: Report['input']): boolean {
  if (call['message'] !== undefined) return args === null;
  const sent = call['tool'];
  return (
    typeof sent === 'string' &&
    sent.slice(sent.indexOf('/') + 1) === tool &&
    JSON.stringify(call['args']) === JSON.stringify(args)
  );
}

function agrees({ want }: Step, expected: string): boolean {
  if (expected === 'allow') return want.decision === 'permit';
  if (expected === 'deny') return want.decision === 'deny';
  if (expected === 'error') return want.decision === 'deny' && want.code === 'malformed_arguments';
  if (expected === 'narrow') return want.decision === 'deny' || want.filled !== undefined;
  return expected.startsWith('behaviour: ');
}
