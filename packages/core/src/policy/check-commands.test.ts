/** Findings about granted commands. */
import { describe, expect, test } from 'vitest';
import { type Tools, closed, filesystemTools, load } from '../../../../test/policies.js';

const text = { type: 'string' };
const tools: Tools = {
  files: filesystemTools,
  sh: { run_command: { type: 'object', properties: { command: text }, required: ['command'] } },
  raw: { do: closed({ x: text }), run_script: closed({ x: text }), other: closed({ code: text }) },
};
const servers =
  'servers: { files: { command: x, connector: filesystem }, sh: { command: x, connector: shell, root: /w }, raw: { command: x } }';

function findings(lists: string, known: Tools | undefined = tools): readonly string[] {
  const loaded = load(`pawl: 1\n${servers}\nagents:\n  a: { ${lists} }\n`, known);
  expect(loaded.problems).toEqual([]);
  return loaded.findings.map(({ message }) => message);
}

const granting = (command: string): string =>
  `allow: [ { tools: [sh/run_command], where: { command: ${command} } } ]`;

describe('[P.lint.commands] a launcher that is granted', () => {
  test('with free arguments is a finding', () => {
    expect(findings(granting('{ program: [ls, env, python] }'))).toEqual([
      'agents.a.allow[0]: grants env, python on sh/run_command with free arguments: they run any other program',
    ]);
    expect(findings(granting('{ program: ["*"] }'))[0]).toMatch(/grants awk, bash, .* and \d+ more on/u);
    expect(findings(granting('{ program: [find], args: ["**"] }'))).toHaveLength(1);
    expect(findings(granting('{ program: [env] }'), undefined)).toHaveLength(1);
  });

  test('with given arguments, or not at all, is none', () => {
    expect(findings(granting('{ program: [ls, cat, git] }'))).toEqual([]);
    expect(findings(granting('{ program: [python], args: [-m, pytest, "**"] }'))).toEqual([]);
    expect(findings(granting('{ program: [find], args: [., -name, "*"] }'))).toEqual([]);
    expect(findings('allow: [ { tools: [sh/run_command] } ]')).toEqual([]);
  });
});

describe('[P.lint.commands] a path denial', () => {
  const denial = 'deny: [ { where: { path: "**/.env" } } ]';
  const told = (names: string): string =>
    `agents.a.deny[0]: denies paths beside ${names}: what programs open themselves is not judged, only a sandbox contains it`;

  test('beside a granted shell, code or dispatcher tool is a finding that names it', () => {
    const read = '{ tools: [files/read_text_file] }';
    expect(findings(`allow: [ ${read}, { tools: [sh/run_command] } ], ${denial}`)).toEqual([
      told('sh/run_command'),
    ]);
    expect(findings(`allow: [ ${read}, { tools: ["raw/*"] } ], ${denial}`)).toEqual([
      told('raw/run_script, raw/other'),
    ]);
  });

  test('beside tools that run nothing is none', () => {
    expect(findings(`allow: [ { tools: ["files/*"] }, { tools: [raw/do] } ], ${denial}`)).toEqual([]);
  });
});
