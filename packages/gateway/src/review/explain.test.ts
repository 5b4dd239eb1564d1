/** Explanations of recorded calls, against the document that judged them. */
import type { Envelope, Json, JsonObject } from '@pawl/core';
import { parseServerName } from '@pawl/core';
import { describe, expect, test } from 'vitest';
import { closed } from '../../../../test/policies.js';
import { type LoadedPolicy, compileRead, parseDocument, readCaptured } from '../config/index.js';
import { type Explanation, explain } from './index.js';
import { excerpt, placeOf } from './place.js';

const text = { type: 'string' };
const document = `pawl: 1
servers:
  bank: { command: x }
  term: { command: x, connector: terminal }
  files: { command: x, connector: filesystem, root: /data }
agents:
  a.b:
    ceiling: { terminal: { backends: [tmux, kitty] } }
    allow:
      # Small payments.
      - tools: [bank/pay]
        where:
          args.to: [ann, bo]
          args.sum: { max: 10 }
        uses: 2

      - { tools: [bank/pay], where: { args.to: ann, args.sum: { max: 100 }, args.note: any }, ask: once }
      - tools: [term/terminal_capture, term/terminal_open]
      - tools: [files/read_text_file]
        where: { path: [/data/**] }
    deny:
      - { where: { path: "**/.env" } }
    limits: { payments: { tools: [bank/pay], uses: 5, per: day } }
`;

const tools: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  bank: { pay: closed({ to: text, sum: { type: 'number' }, note: text }, 'to', 'sum') },
  term: {
    terminal_capture: closed({ target: text, backend: text, lines: { type: 'integer' } }, 'target'),
    terminal_open: closed({ backend: text, name: text }),
  },
  files: { read_text_file: closed({ path: text }, 'path') },
};

function loaded(): LoadedPolicy {
  const read = readCaptured('generation 3', { document, folder: '/', facts: new Map() });
  if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join('; '));
  const catalog = new Map(
    Object.entries(tools).map(([server, list]) => [
      parseServerName(server)!,
      Object.entries(list).map(([name, inputSchema]) => ({ name, definition: { name, inputSchema } })),
    ]),
  );
  const compiled = compileRead(read.policy, { tools: catalog, vanishedTool: 'finding' });
  if (!compiled.ok) throw new Error(compiled.problems.map(({ message }) => message).join('; '));
  return compiled;
}

const policy = { number: 3, loaded: loaded() };

function refusal(tool: string, facts: JsonObject): Envelope['record'] {
  const generation = { number: 3, hash: 'x' };
  return {
    type: 'refusal',
    verdict: 'deny',
    call: 'c_1',
    executor: 'a.b',
    tool,
    policyGeneration: generation,
    ...facts,
  };
}

function explained(record: Envelope['record'], args?: Json, inForce = 4): Explanation {
  const call = { seq: 7, at: 0, record, ...(args === undefined ? {} : { arguments: args }) };
  const found = explain({ records: [call], policy, inForce });
  if (found === undefined) throw new Error('nothing was explained');
  return found;
}

describe('[P.cli.explain] a refused call is explained by', () => {
  test('its rule, with place and text in the document that judged', () => {
    const record = refusal('bank/pay', { code: 'denied', layer: 'policy', rule: 'agents.a.b.allow[0]' });
    const { rules, generation } = explained(record);
    expect(generation).toEqual({ number: 3, inForce: 4 });
    expect(rules).toEqual([
      {
        rule: 'agents.a.b.allow[0]',
        line: 11,
        column: 9,
        text: [
          '- tools: [bank/pay]',
          '  where:',
          '    args.to: [ann, bo]',
          '    args.sum: { max: 10 }',
          '  uses: 2',
        ],
      },
    ]);
  });

  test('how each rule stands to it, what would be allowed there, and the line to change', () => {
    const record = refusal('bank/pay', {
      code: 'not_permitted',
      layer: 'policy',
      rule: 'agents.a.b.allow[0]',
      constraint: 'args.to',
    });
    const { considered, allowed, change } = explained(record, { to: 'eve', sum: 5 });
    expect(considered.map(({ rule, holds, failing }) => [rule, holds, failing])).toEqual([
      ['agents.a.b.allow[0]', false, ['args.to']],
      ['agents.a.b.allow[1]', false, ['args.to']],
    ]);
    expect(
      allowed.map(({ field, values = [] }) => [
        field,
        values.toSorted((a, b) => String(a).localeCompare(String(b))),
      ]),
    ).toEqual([['args.to', ['ann', 'bo']]]);
    expect(change).toMatchObject({ path: 'agents.a.b.allow[0].where.args.to', line: 13, column: 11 });
  });

  test('an argument that a rule wants left out', () => {
    const record = refusal('bank/pay', { code: 'not_permitted', layer: 'policy' });
    const { considered, change } = explained(record, { to: 'bo', sum: 5, note: 'x' });
    expect(considered[0]).toMatchObject({ rule: 'agents.a.b.allow[0]', surplus: 'args.note', holds: false });
    expect(change).toMatchObject({ path: 'agents.a.b.allow[0].where', line: 12 });
    expect(change?.what).toContain('args.note');
  });

  test('the ceiling that it leaves, with the values that it may have', () => {
    const record = refusal('term/terminal_open', {
      code: 'out_of_scope',
      layer: 'ceiling',
      rule: 'agents.a.b.ceiling.terminal',
      constraint: 'terminal.backends (tmux, kitty)',
    });
    const { allowed, change } = explained(record, { backend: 'iterm2' });
    expect(allowed).toEqual([{ field: 'terminal.backends', values: ['tmux', 'kitty'] }]);
    expect(change).toMatchObject({ path: 'agents.a.b.ceiling.terminal.backends', line: 8 });
  });

  test('what is stored beside the document, with the command that changes it', () => {
    const facts = { code: 'out_of_scope', layer: 'narrowing', rule: 'stored.a.b/x.narrow.terminal' };
    const { change } = explained(refusal('term/terminal_open', facts));
    expect(change?.line).toBeUndefined();
    expect(change?.what).toContain('pawl narrow set');
    const broken = explained(
      refusal('term/terminal_open', { code: 'unreadable_ceiling', layer: 'ceiling', constraint: 'terminal' }),
    );
    expect(broken.change?.what).toContain('pawl ceiling show');
  });

  test('the denial that meets it', () => {
    const record = refusal('files/read_text_file', {
      code: 'denied',
      layer: 'policy',
      rule: 'agents.a.b.deny[0]',
      constraint: 'path',
    });
    const { considered, allowed, change, rules } = explained(record, { path: '/data/.env' });
    expect(considered.find(({ list }) => list === 'deny')).toMatchObject({ holds: true });
    expect(allowed).toEqual([]);
    expect(change).toMatchObject({ path: 'agents.a.b.deny[0]', line: 22 });
    expect(rules[0]?.text).toEqual(['- { where: { path: "**/.env" } }']);
  });

  test('the entry that asks, and the budget or limit that is used up', () => {
    const asked = explained(
      refusal('bank/pay', { code: 'consent_required', layer: 'ask', verdict: 'ask', approval: 'a_1' }),
      { to: 'ann', sum: 50 },
    );
    expect(asked).toMatchObject({ verdict: 'ask', approval: 'a_1' });
    expect(asked.change).toMatchObject({ path: 'agents.a.b.allow[1].ask', line: 17 });
    const spent = (detail: string): number | undefined =>
      explained(refusal('bank/pay', { code: 'limit_used_up', layer: 'limit', detail })).change?.line;
    expect(spent('agents.a.b.allow[0]')).toBe(15);
    expect(spent('payments')).toBe(23);
  });

  test('the list of rules where none names the tool', () => {
    const { change } = explained(refusal('files/write_file', { code: 'not_permitted', layer: 'policy' }));
    expect(change).toMatchObject({ path: 'agents.a.b.allow', line: 9 });
  });

  test('nothing to change where no policy changes it', () => {
    for (const code of ['malformed_arguments', 'no_such_cap', 'in_progress', 'internal'])
      expect(explained(refusal('bank/pay', { code })).change).toBeUndefined();
    const frozen = refusal('bank/pay', { code: 'not_permitted', layer: 'policy', detail: 'frozen' });
    expect(explained(frozen).change).toBeUndefined();
    expect(
      explained(refusal('files/read_text_file', { code: 'denied', rule: 'protected' })).change,
    ).toBeUndefined();
  });

  test('the memory that it was answered from', () => {
    const record = refusal('bank/pay', { code: 'not_permitted', layer: 'policy', repeated: 3 });
    expect(explained(record)).toMatchObject({ repeated: 3 });
  });
});

describe('[P.cli.explain] a permitted call is explained by', () => {
  test('the rules that admit it, what was filled in, and how it ended', () => {
    const record = {
      type: 'intent',
      verdict: 'permit',
      level: 'permit',
      call: 'c_1',
      executor: 'a.b',
      tool: 'bank/pay',
      rules: ['agents.a.b.allow[0]'],
      filled: ['args.to'],
      policyGeneration: { number: 3, hash: 'x' },
    };
    const end = { type: 'settlement', call: 'c_1', outcome: 'tool_error', milliseconds: 3 };
    const found = explain({
      records: [
        { seq: 1, at: 5, record, arguments: { to: 'ann', sum: 1 } },
        { seq: 2, at: 6, record: end },
      ],
      policy,
      inForce: 3,
    });
    expect(found).toMatchObject({
      id: 'c_1',
      verdict: 'permit',
      filled: ['args.to'],
      arguments: { to: 'ann', sum: 1 },
      end: { outcome: 'tool_error', milliseconds: 3 },
      considered: [],
    });
    expect(found?.rules[0]).toMatchObject({ line: 11 });
  });
});

describe('[P.cli.explain] an explanation stands', () => {
  test('without the generation, of which then nothing is said', () => {
    const record = refusal('bank/pay', {
      code: 'not_permitted',
      layer: 'policy',
      rule: 'agents.a.b.allow[0]',
    });
    const found = explain({ records: [{ seq: 1, at: 0, record }], policy: undefined, inForce: undefined });
    expect(found).toMatchObject({ rules: [{ rule: 'agents.a.b.allow[0]' }], considered: [], allowed: [] });
    expect(found?.change).toBeUndefined();
  });

  test('with records of any other shape', () => {
    for (const record of [{ type: 'refusal' }, { type: 'refusal', rule: 7, executor: [], tool: {} }])
      expect(explain({ records: [{ seq: 1, at: 0, record }], policy, inForce: 1 })).toMatchObject({ id: '' });
    expect(
      explain({ records: [{ seq: 1, at: 0, record: { type: 'event' } }], policy, inForce: 1 }),
    ).toBeUndefined();
  });
});

test('places are found through keys with dots, and what stands inside a line is told as JSON', () => {
  const inline = 'a.b: { c: [ { d.e: 1 }, [x] ] }\na: { b: 2 }\n';
  const parsed = parseDocument(inline, 'x.yaml');
  if (!parsed.ok) throw new Error('it does not parse');
  const shown = (path: string): readonly string[] | undefined => {
    const place = placeOf(parsed.root, path);
    return place && excerpt(inline, place);
  };
  expect(shown('a.b.c[0].d.e')).toEqual(['1']);
  expect(shown('a.b.c[1]')).toEqual(['["x"]']);
  expect(shown('a.b')).toEqual(['a.b: { c: [ { d.e: 1 }, [x] ] }']);
  expect(shown('a.b.c[2]')).toBeUndefined();
  expect(shown('x')).toBeUndefined();
});
