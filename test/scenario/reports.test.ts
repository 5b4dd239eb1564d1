/** The failure reports of other projects that concern paths, urls, arguments, loading and which rule wins, as scenarios. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '@pawl/core';
import { describe, expect, test } from 'vitest';
import { argumentReports } from './reports/arguments.js';
import { commandReports } from './reports/commands.js';
import { indirectReports } from './reports/indirect.js';
import { laterReports } from './reports/later.js';
import { loadReports } from './reports/loading.js';
import { messageReports } from './reports/messages.js';
import { pathReports } from './reports/paths.js';
import { precedenceReports } from './reports/precedence.js';
import { shellReports } from './reports/shells.js';
import type { BadLoad, Step, Story, Telling } from './reports/story.js';
import { urlReports } from './reports/urls.js';
import { windowsReports } from './reports/windows.js';
import { wrong } from './score.js';

interface Report {
  readonly id: string;
  readonly kind: string;
  readonly gist: string;
  readonly input: { readonly tool: string; readonly args: Json };
  readonly expected: string;
}

const told: Readonly<Record<string, Telling>> = {
  ...pathReports,
  ...commandReports,
  ...shellReports,
  ...indirectReports,
  ...windowsReports,
  ...urlReports,
  ...argumentReports,
  ...messageReports,
  ...loadReports,
  ...precedenceReports,
};
const reports = readFileSync(join(import.meta.dirname, 'reports.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Report)
  .filter(({ kind }) =>
    /^(?:path-|url-|args-|shell-|arg-injection$|sql-|nested-|indirect-|grant-|policy-load$|rule-precedence$)/u.test(
      kind,
    ),
  );

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

  test('each is either told or listed with the reason, and none twice', () => {
    const ids = [...Object.keys(told), ...Object.keys(laterReports)];
    expect(ids.sort()).toEqual(reports.map(({ id }) => id).sort());
  });

  test('each scenario begins with the report’s own call and wants what the report expects', () => {
    const differing = reports.flatMap(({ id, input, expected }) => {
      const [first] = told[id] ?? [];
      if (first === undefined || 'names' in first)
        return first === undefined || expected !== 'allow' ? [] : [id];
      const [step] = first.steps;
      return step !== undefined && says(step, input) && agrees(step, expected) ? [] : [id];
    });
    expect(differing).toEqual([]);
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
