/** What a document says of budgets, limits and approvals, and what of it stands in the compiled policy. */
import { describe, expect, test } from 'vitest';
import { type Tools, closed, filesystemTools, load } from '../../../../test/policies.js';
import { parseToolName } from '../ground/index.js';
import type { ToolPolicy } from './index.js';

const tools: Tools = {
  s: { t: closed({ x: { type: 'string' }, n: { type: 'number' } }), u: closed({}) },
  files: filesystemTools,
};
const servers = '  s: { command: x }\n  files: { command: y, connector: filesystem, root: /w }\n';

function document(allow: string, more = '', top = ''): string {
  return `pawl: 1\n${top}servers:\n${servers}agents:\n  a:\n    allow: ${allow}\n${more}`;
}

function problems(text: string, known: Tools | undefined = tools): readonly string[] {
  return load(text, known).problems.map(
    ({ at, found, allowed }) => `${at.line}:${at.column} ${found} | ${allowed}`,
  );
}

function policyOf(text: string, tool: string, known: Tools | 'unknown' = tools): ToolPolicy {
  const { policy, problems: wrong } = load(text, known === 'unknown' ? undefined : known);
  const [executor] = [...(policy?.executors.values() ?? [])];
  const name = parseToolName(tool);
  const found = name === undefined ? undefined : executor?.forTool(name);
  if (found === undefined) throw new Error(wrong.map(({ message }) => message).join('\n'));
  return found;
}

const limit = (text: string): string =>
  document('[ { tools: [s/t, s/u] } ]', `    limits: { pay: ${text} }\n`);

describe('[P.limit.document] uses', () => {
  test('a budget stands at every rule of its line in the compiled policy', () => {
    const text = document(
      '[ { tools: [s/t], where: { args.x: { either: [[a], { prefix: b }] } }, uses: 3 }, { tools: [s/t] } ]',
    );
    const bucket = policyOf(text, 's/t').authorities.factors[0]?.bucket(parseToolName('s/t')!, 'call');
    expect(bucket?.allow.map(({ rule, uses }) => [rule, uses])).toEqual([
      ['agents.a.allow[0]', 3],
      ['agents.a.allow[1]', undefined],
    ]);
  });

  test.each(['0', '-1', '1.5', '"3"', 'null', '[3]', '1e20'])('%s is no budget', (uses) => {
    expect(problems(document(`[ { tools: [s/t], uses: ${uses} } ]`))).toEqual([
      expect.stringMatching(/^7:36 .* \| a whole number of at least 1$/u),
    ]);
  });

  test('only allow rules have one', () => {
    for (const list of ['ask', 'deny'])
      expect(
        problems(document('[ { tools: [s/t] } ]', `    ${list}: [ { tools: [s/t], uses: 1 } ]\n`))[0],
      ).toMatch(/^8:\d+ key "uses" \| tools/u);
  });
});

describe('[P.limit.document] limits', () => {
  test('a limit stands by name with its region, verb by verb, at every tool that it concerns', () => {
    const text = document(
      '[ { tools: ["files/*", s/t] } ]',
      '    limits:\n      moves: { tools: ["files/*"], where: { path: /w/out/** }, uses: 2, per: session }\n      all: { tools: [s/t], uses: 9, per: day }\n',
    );
    const [moves] = policyOf(text, 'files/move_file').limits;
    expect(moves).toMatchObject({ name: 'moves', uses: 2, per: 'session' });
    expect([...(moves?.buckets ?? [])].map(([verb, rules]) => [verb, rules.length, rules[0]?.rule])).toEqual([
      ['delete', 1, 'agents.a.limits.moves'],
      ['write', 1, 'agents.a.limits.moves'],
    ]);
    expect(policyOf(text, 's/t').limits.map(({ name, uses, per }) => [name, uses, per])).toEqual([
      ['all', 9, 'day'],
    ]);
  });

  test('verbs leave out the others', () => {
    const text = document(
      '[ { tools: ["files/*"] } ]',
      '    limits: { w: { tools: ["files/*"], verbs: [write], where: { path: "**/x" }, uses: 1, per: executor } }\n',
    );
    expect([...(policyOf(text, 'files/move_file').limits[0]?.buckets.keys() ?? [])]).toEqual(['write']);
    expect(policyOf(text, 'files/read_text_file').limits).toEqual([]);
  });

  test('a pattern covers tools that are not known at load', () => {
    const text = document(
      '[ { tools: [s/t] } ]',
      '    limits: { l: { tools: ["s/*"], uses: 1, per: day } }\n',
    );
    expect(policyOf(text, 's/t', 'unknown').limits.map(({ name }) => name)).toEqual(['l']);
    expect(
      policyOf(
        document('[ { tools: [s/new] } ]', '    limits: { l: { tools: ["s/*"], uses: 1, per: day } }\n'),
        's/new',
        'unknown',
      ).limits,
    ).toHaveLength(1);
  });

  test.each([
    ['{ tools: [s/t], uses: 1 }', /^8:20 no per \| per: session, executor, day$/u],
    ['{ tools: [s/t], per: day }', /^8:20 no uses \| uses: a whole number of at least 1$/u],
    ['{ uses: 1, per: day }', /^8:20 no tools \| /u],
    ['{ tools: [s/t], uses: 0, per: day }', /^8:42 0 \| a whole number of at least 1$/u],
    ['{ tools: [s/t], uses: 1, per: week }', /^8:50 "week" \| session, executor, day$/u],
    ['{ tools: [s/t], uses: 1, per: day, ask: once }', /^8:55 key "ask" \| tools, verbs, where, uses, per$/u],
    ['{ tools: [], uses: 1, per: day }', /^8:29 an empty list \| /u],
    ['{ tools: [s/t], where: {}, uses: 1, per: day }', /^8:43 an empty mapping \| /u],
    [
      '{ tools: [s/t], where: { args.y: [a] }, uses: 1, per: day }',
      /^8:45 field args.y, which s\/t does not have/u,
    ],
    ['{ tools: [s/nothing], uses: 1, per: day }', /^8:30 tool s\/nothing \| /u],
    ['{ tools: [s/t], verbs: [write], uses: 1, per: day }', /^8:44 verb write, which s\/t does not have/u],
    ['3', /^8:20 3 \| a mapping with tools, verbs, where, uses, per$/u],
  ])('%s is refused where it stands', (text, message) => {
    expect(problems(limit(text))).toEqual([expect.stringMatching(message)]);
  });

  test('a name is letters, digits, _ . -', () => {
    expect(
      problems(
        document('[ { tools: [s/t] } ]', '    limits: { "a b": { tools: [s/t], uses: 1, per: day } }\n'),
      ),
    ).toEqual([expect.stringMatching(/^8:15 limit name "a b" \| /u)]);
  });
});

describe('[P.ask.document] consent', () => {
  test('ten minutes, operators and approvers, unless told', () => {
    expect(load(document('[ { tools: [s/t] } ]'), tools).policy?.settings).toMatchObject({
      consentExpires: 600_000,
      approvers: ['operator', 'approver'],
    });
    const told = document(
      '[ { tools: [s/t] } ]',
      '',
      'consent: { expires: 30s, approver: [operator, operator] }\n',
    );
    expect(load(told, tools).policy?.settings).toMatchObject({
      consentExpires: 30_000,
      approvers: ['operator'],
    });
  });

  test('the client may be named', () => {
    const loaded = load(
      document('[ { tools: [s/t] } ]', '', 'consent: { approver: [operator, client] }\n'),
      tools,
    );
    expect(loaded.policy?.settings.approvers).toEqual(['operator', 'client']);
    expect(loaded.findings).toEqual([]);
  });

  test.each([
    ['expires: 10', /^2:21 10 \| a duration/u],
    ['approver: operator', /^2:22 "operator" \| a list of operator, approver, client$/u],
    ['approver: []', /^2:22 an empty list \| at least one approver$/u],
    ['approver: [viewer]', /^2:23 "viewer" \| operator, approver, client$/u],
    ['level: once', /^2:12 key "level" \| expires, approver$/u],
  ])('%s is refused where it stands', (text, message) => {
    expect(problems(document('[ { tools: [s/t] } ]', '', `consent: { ${text} }\n`))).toEqual([
      expect.stringMatching(message),
    ]);
  });
});
