/** The examples do what their cases say, without findings, and their READMEs say how to try them. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { jsonLines, pawl } from '../command-line.js';

const root = join(import.meta.dirname, '../..');
const examples = readdirSync(join(root, 'examples')).filter((name) =>
  existsSync(join(root, 'examples', name, 'cases.jsonl')),
);

/** Findings that an example is about. */
const findings: Readonly<Record<string, readonly string[]>> = {
  desk: ['servers.desk: desk/purge is not mounted: connector tickets does not list it'],
};

test('[P.cli.test] there is an example for files and git, a terminal, a browser, SQL and payments', () => {
  expect(examples).toEqual(expect.arrayContaining(['browser', 'coding', 'payments', 'sql', 'terminal']));
});

describe.each(examples)('[P.cli.test] examples/%s', (name) => {
  const folder = join(root, 'examples', name);
  const tools = existsSync(join(folder, 'tools')) ? ['--tools', join(folder, 'tools')] : [];
  const policy = join(folder, 'pawl.yaml');
  const cases = join(folder, 'cases.jsonl');

  test('has no load error, and no finding but those that it shows', async () => {
    const { exit, out, err } = await pawl('lint', policy, ...tools, '--strict', '--json');
    const found = jsonLines(out).map((line) => (line as { message: string }).message);
    const shown = findings[name] ?? [];
    expect({ exit, found, err }).toEqual({ exit: shown.length === 0 ? 0 : 1, found: shown, err: '' });
  });

  test('has cases that are permitted and cases that are refused, and all pass', async () => {
    const { exit, out } = await pawl('test', cases, '--policy', policy, ...tools, '--json');
    const told = JSON.parse(out) as {
      failed: number;
      cases: readonly { passed: boolean; got: { decision: string } }[];
    };
    expect(told.cases.filter(({ passed }) => !passed)).toEqual([]);
    expect({ exit, failed: told.failed }).toEqual({ exit: 0, failed: 0 });
    const decisions = told.cases.map(({ got }) => got.decision);
    expect(decisions).toContain('permit');
    expect(decisions).toContain('deny');
  });

  test('says in its README how to try it', () => {
    const readme = join(folder, 'README.md');
    if (!existsSync(readme)) return expect(name).toBe('quickstart');
    return expect(readFileSync(readme, 'utf8')).toContain(
      `pawl test examples/${name}/cases.jsonl --policy examples/${name}/pawl.yaml --tools examples/${name}/tools`,
    );
  });
});

test('the tool list of examples/terminal is what its server lists', async () => {
  const listed = JSON.parse(readFileSync(join(root, 'examples/terminal/tools/term.json'), 'utf8')) as unknown;
  const program = join(root, 'examples/terminal/tools.mjs');
  const { tools } = (await import(program)) as { tools: unknown };
  expect(listed).toEqual({ tools });
});
