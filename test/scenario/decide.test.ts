/** What `decide` and `lint` read, print and answer as exit code. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseToolName, readableName } from '@pawl/core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Files, type Outcome, decide, lint } from './pawl.js';
import { integer, text, tool } from './tools.js';

const pair: Files = {
  policy: `
pawl: 1
servers: { shop: { command: shop-mcp } }
agents:
  buyer:
    allow:
      - { tools: [shop/buy], where: { args.item: [tea, jam] }, ask: once }
      - { tools: [shop/look] }
  clerk:
    allow: [ { tools: ["shop/*"] } ]
instances:
  buyer/ann: { narrow: { shop: { args.item: [tea] } } }
  buyer/bo: {}
`,
  tools: { shop: [tool('buy', { item: text }), tool('look', {}), tool('shut', {})] },
};

const single: Files = {
  policy: `
pawl: 1
servers: { shop: { command: shop-mcp } }
agents: { clerk: { allow: [ { tools: [shop/buy], where: { args.item: [tea] } } ] } }
`,
  tools: { shop: [tool('buy', { item: text })] },
};

const buy = { id: 1, tool: 'shop/buy', args: { item: 'tea' } };

function answers({ out }: Outcome): readonly Record<string, unknown>[] {
  expect(out === '' || out.endsWith('\n')).toBe(true);
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('[P.decide.lines] the lines of decide', () => {
  test('one answer a line in the order of the input, whatever the ids are', async () => {
    const ids = ['z', 'a', 'a', 7, null, { deep: [1] }, true];
    const outcome = await decide(
      single,
      ids.map((id) => ({ ...buy, id })),
    );
    expect(outcome.code).toBe(0);
    expect(outcome.err).toBe('');
    expect(answers(outcome).map(({ id }) => id)).toEqual(ids);
  });

  test('no line at all is no answer and exit 0; blank lines count for nothing', async () => {
    expect(await decide(single, [])).toEqual({ code: 0, out: '', err: '' });
    const outcome = await decide(single, ['', JSON.stringify(buy), '   ', '']);
    expect([outcome.code, answers(outcome).length]).toEqual([0, 1]);
  });

  test('carriage returns at the end of lines are no part of them', async () => {
    const outcome = await decide(single, [`${JSON.stringify(buy)}\r`, `${JSON.stringify(buy)}\r`]);
    expect(answers(outcome).map(({ decision }) => decision)).toEqual(['permit', 'permit']);
  });

  test.each([
    ['no JSON', '{"id":1,"tool":"shop/buy"'],
    ['a list', '[1]'],
    ['a text', '"shop/buy"'],
    ['without id', '{"tool":"shop/buy","args":{}}'],
    ['without tool and message', '{"id":1,"args":{}}'],
    ['a tool that is no text', '{"id":1,"tool":["shop/buy"]}'],
    ['an agent that is no text', '{"id":1,"tool":"shop/buy","args":{"item":"tea"},"agent":7}'],
    ['raw that is no text', '{"id":1,"tool":"shop/buy","raw":{"item":"tea"}}'],
    ['a key twice', '{"id":1,"tool":"shop/buy","tool":"shop/look"}'],
  ])('%s: exit 3, its place on stderr, and nothing printed of the good lines', async (_what, line) => {
    const outcome = await decide(single, [buy, line, buy]);
    expect([outcome.code, outcome.out]).toEqual([3, '']);
    expect(outcome.err).toContain('calls.jsonl:2:1');
  });

  test('the only agent is meant where none is named', async () => {
    const [answer] = answers(await decide(single, [buy]));
    expect(answer).toMatchObject({ id: 1, decision: 'permit', args: { item: 'tea' } });
  });

  test('of several agents none is meant: denied no_agent at layer agent', async () => {
    const [answer] = answers(await decide(pair, [buy]));
    expect(answer).toMatchObject({ decision: 'deny', code: 'no_agent', layer: 'agent' });
  });

  test('--agent and --instance are meant by lines that name none, and a line that names its own wins', async () => {
    const lines = [
      buy,
      { ...buy, instance: 'bo', args: { item: 'jam' } },
      { ...buy, args: { item: 'jam' } },
      { ...buy, agent: 'clerk' },
      { ...buy, agent: 'buyer', instance: 'nobody' },
    ];
    const outcome = await decide(pair, lines, ['--json', '--agent', 'buyer', '--instance', 'ann']);
    expect(answers(outcome).map(({ decision, code }) => [decision, code])).toEqual([
      ['ask', 'consent_required'],
      ['ask', 'consent_required'],
      ['deny', 'out_of_scope'],
      ['permit', undefined],
      ['deny', 'no_instance'],
    ]);
  });

  test('an instance that is not declared, and a required one that is not named, are no_instance', async () => {
    const lines = [{}, { instance: 'cy' }, { instance: '' }, { instance: 'Ann' }].map((more) => ({
      ...buy,
      agent: 'buyer',
      ...more,
    }));
    const got = answers(await decide(pair, lines));
    expect(got.map(({ code, layer }) => `${String(code)} ${String(layer)}`)).toEqual(
      lines.map(() => 'no_instance agent'),
    );
  });

  test('--assume-consent makes a permit of an ask and of nothing else', async () => {
    const lines = [
      { ...buy, agent: 'buyer', instance: 'bo' },
      { ...buy, agent: 'buyer', instance: 'bo', args: { item: 'gin' } },
      { ...buy, agent: 'buyer', instance: 'ann', args: { item: 'jam' } },
    ];
    const before = answers(await decide(pair, lines));
    const after = answers(await decide(pair, lines, ['--json', '--assume-consent']));
    expect(before.map(({ decision }) => decision)).toEqual(['ask', 'deny', 'deny']);
    expect(after.map(({ decision }) => decision)).toEqual(['permit', 'deny', 'deny']);
    expect(before[0]).toMatchObject({ code: 'consent_required', layer: 'ask', args: { item: 'tea' } });
    expect(after[0]).not.toHaveProperty('code');
  });

  test('a permit has no code, layer, constraint or message; a denial no arguments', async () => {
    const [permit, denied] = answers(await decide(single, [buy, { ...buy, args: { item: 'gin' } }]));
    for (const key of ['code', 'layer', 'constraint', 'message', 'filled'])
      expect(permit).not.toHaveProperty(key);
    expect(denied).not.toHaveProperty('args');
    expect(denied).toMatchObject({ code: 'not_permitted', layer: 'policy', constraint: 'args.item' });
    expect(denied?.['rule']).toBe('agents.clerk.allow[0]');
    expect(String(denied?.['message']).length).toBeLessThanOrEqual(200);
  });

  test('tools that are not there, not allowed or misspelt are denied', async () => {
    const tools = [
      'shop/sell',
      'shop/shut',
      'shop/BUY',
      'shop/buy ',
      'shop',
      '/buy',
      'shop/',
      'other/buy',
      '',
    ];
    const lines = tools.map((name) => ({ ...buy, tool: name, agent: 'buyer', instance: 'bo' }));
    const got = answers(await decide(pair, lines));
    expect(got.map(({ decision, code }) => [decision, code])).toEqual(
      tools.map((name) => ['deny', name === 'shop/shut' ? 'not_permitted' : 'no_such_cap']),
    );
  });

  test('a constraint is named where exactly one rule failed in exactly one field, and a ceiling with its values', async () => {
    const policy = `
pawl: 1
servers: { shop: {} }
agents:
  one: { allow: [ { tools: [shop/buy], where: { args.item: [tea], args.n: [1] } } ] }
  two: { allow: [ { tools: [shop/buy], where: { args.item: [tea], args.n: any } }, { tools: [shop/buy], where: { args.item: [jam], args.n: any } } ] }
  top: { ceiling: { shop: { args.item: [tea, jam] } }, allow: [ { tools: [shop/buy] } ] }
`;
    const tools = { shop: [tool('buy', { item: text, n: integer })] };
    const lines = [
      { agent: 'one', args: { item: 'gin', n: 1 } },
      { agent: 'one', args: { item: 'tea', n: 2 } },
      { agent: 'one', args: { item: 'gin', n: 2 } },
      { agent: 'two', args: { item: 'gin', n: 1 } },
      { agent: 'top', args: { item: 'gin', n: 1 } },
    ].map((line) => ({ ...buy, ...line }));
    const got = answers(await decide({ policy, tools }, lines));
    expect(got.map(({ code, constraint }) => [code, constraint])).toEqual([
      ['not_permitted', 'args.item'],
      ['not_permitted', 'args.n'],
      ['not_permitted', undefined],
      ['not_permitted', undefined],
      ['out_of_scope', 'shop.args.item (tea, jam)'],
    ]);
    expect(String(got[4]?.['message'])).toContain('shop.args.item (tea, jam)');
  });

  test('with disclose: names no text tells a value of the rules', async () => {
    const policy = `
pawl: 1
servers: { shop: {} }
disclose: names
agents:
  one: { allow: [ { tools: [shop/buy], where: { args.item: [tea, jam] } } ] }
  top: { ceiling: { shop: { args.item: [tea, jam] } }, allow: [ { tools: [shop/buy] } ] }
`;
    const lines = ['one', 'top'].flatMap((agent) => [
      { ...buy, agent, args: { item: 'gin' } },
      { ...buy, agent, args: {} },
    ]);
    const tools = { shop: [tool('buy', { item: text }, [])] };
    const { out } = await decide({ policy, tools }, lines);
    expect(answers({ code: 0, out, err: '' }).map(({ code }) => code)).toEqual([
      'not_permitted',
      'several_values',
      'out_of_scope',
      'several_values',
    ]);
    expect(out).not.toMatch(/tea|jam/u);
  });

  test('a fault of one line leaves its neighbours alone', async () => {
    const lines = [buy, { id: 2, tool: 'shop/buy', raw: '{' }, { ...buy, id: 3 }];
    const got = answers(await decide(single, lines));
    expect(got.map(({ decision }) => decision)).toEqual(['permit', 'deny', 'permit']);
    expect(got[1]).toMatchObject({ code: 'malformed_arguments', layer: 'decode' });
  });

  test('raw wins over args', async () => {
    const [answer] = answers(await decide(single, [{ ...buy, raw: '{"item":"gin"}' }]));
    expect(answer).toMatchObject({ decision: 'deny', code: 'not_permitted' });
  });

  test('without --json a person reads the id, the decision and the reason', async () => {
    const { code, out } = await decide(single, [buy, { ...buy, id: 'b', args: { item: 'gin' } }], []);
    expect(code).toBe(0);
    expect(out).toMatch(/^1 permit\nb deny not_permitted policy args\.item: .+\n$/u);
  });
});

describe('[P.decide.lines] decide and what is known of the tools', () => {
  test('without --tools every name and any arguments are judged by the rules alone', async () => {
    const { policy } = single;
    const lines = [
      buy,
      { ...buy, args: { item: 'tea', more: 1 } },
      { ...buy, args: { item: 'gin' } },
      { ...buy, tool: 'shop/unknown' },
      {
        id: 5,
        message:
          '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"shop__buy","arguments":{"item":"tea"}}}',
      },
    ];
    const outcome = await decide({ policy }, lines);
    expect(outcome.code).toBe(0);
    expect(answers(outcome).map(({ decision }) => decision)).toEqual([
      'permit',
      'deny',
      'deny',
      'deny',
      'permit',
    ]);
  });

  test('a tool that vanished is a load error with --tools and none without', async () => {
    const { policy } = single;
    const gone = await decide({ policy, tools: { shop: [] } }, [buy]);
    expect([gone.code, gone.out]).toEqual([3, '']);
    expect((await decide({ policy }, [buy])).code).toBe(0);
  });

  test('a server only in --tools needs no entry and is read raw; an entry may lack command and url', async () => {
    const policy = `
pawl: 1
servers: { desk: {} }
agents: { clerk: { allow: [ { tools: [shop/buy, desk/note], where: { args.item: [tea] } } ] } }
`;
    const tools = { shop: [tool('buy', { item: text })], desk: [tool('note', { item: text })] };
    const got = answers(
      await decide({ policy, tools }, [buy, { ...buy, tool: 'desk/note' }, { ...buy, args: { item: 'x' } }]),
    );
    expect(got.map(({ decision }) => decision)).toEqual(['permit', 'permit', 'deny']);
  });
});

describe('[P.policy.positions] documents that do not load', () => {
  const broken = `pawl: 1
servers: { shop: { command: shop-mcp } }
agents:
  clerk:
    allow:
      - tools: [shop/buy]
        wehre: { args.item: [tea] }
`;

  test('decide --json: exit 3, one line of JSON on stderr, nothing on stdout', async () => {
    const outcome = await decide({ ...single, policy: broken }, [buy]);
    expect([outcome.code, outcome.out]).toEqual([3, '']);
    expect(outcome.err.trimEnd().split('\n')).toHaveLength(1);
    const { error } = JSON.parse(outcome.err) as { error: Record<string, unknown> };
    expect(error).toMatchObject({ line: 7, column: 9 });
    expect(String(error['file'])).toMatch(/policy\.yaml$/u);
    expect(String(error['found'])).toContain('wehre');
    expect(String(error['allowed'])).toContain('where');
    expect(typeof error['message']).toBe('string');
  });

  test('for people: file:line:column, what was found and what is allowed', async () => {
    const outcome = await decide({ ...single, policy: broken }, [buy], []);
    expect([outcome.code, outcome.out]).toEqual([3, '']);
    expect(outcome.err).toMatch(/policy\.yaml:7:9: .*wehre.*where/u);
  });

  test('lint answers the same error with exit 3, as JSON on stderr with stdout empty', async () => {
    const outcome = await lint({ ...single, policy: broken }, ['--json']);
    expect([outcome.code, outcome.out]).toEqual([3, '']);
    expect(JSON.parse(outcome.err)).toMatchObject({ error: { line: 7, column: 9 } });
  });

  test('an error that is only seen with the tools has its place too', async () => {
    const policy = single.policy.replace('args.item', 'args.itme');
    const outcome = await decide({ ...single, policy }, [buy]);
    expect(outcome.code).toBe(3);
    const { error } = JSON.parse(outcome.err) as { error: Record<string, unknown> };
    expect(error['line']).toBe(4);
    expect(String(error['found'])).toContain('args.itme');
    expect((await decide({ policy }, [buy])).code).toBe(0);
  });

  test.each([
    ['', 'empty'],
    ['pawl: 1\n---\npawl: 1\n', 'second document'],
    ['pawl: 1\nservers: {\n', 'YAML'],
    ['- pawl: 1\n', 'list'],
    ['pawl: 1\nagents:\n\tclerk: {}\n', 'YAML'],
    ['pawl: 1\nx: &a [*a]\n', 'anchor'],
  ])('a text that is no document: %j', async (policy, mention) => {
    const outcome = await decide({ ...single, policy }, [buy]);
    expect([outcome.code, outcome.out]).toEqual([3, '']);
    expect(outcome.err).toContain(mention);
  });
});

describe('[P.cli.exit-codes] lint', () => {
  const findings = single.policy.replace('clerk: {', 'idle: { allow: [] }, clerk: {');

  test('a clean document: exit 0, also with --strict, and no output as JSON', async () => {
    expect((await lint(single)).code).toBe(0);
    expect(await lint(single, ['--strict', '--json'])).toEqual({ code: 0, out: '', err: '' });
  });

  test('findings: exit 0, with --strict 1', async () => {
    const policy = findings;
    const plain = await lint({ ...single, policy }, ['--json']);
    expect(plain.code).toBe(0);
    expect(JSON.parse(plain.out)).toMatchObject({
      line: 4,
      message: expect.stringContaining('nothing is allowed') as string,
    });
    expect((await lint({ ...single, policy }, ['--strict'])).code).toBe(1);
  });

  test('decide is not troubled by findings, and tells them on stderr only to people', async () => {
    const policy = findings;
    const line = { ...buy, agent: 'clerk' };
    expect((await decide({ ...single, policy }, [line])).err).toBe('');
    const people = await decide({ ...single, policy }, [line], []);
    expect(people.code).toBe(0);
    expect(people.out).toBe('1 permit\n');
    expect(people.err).toContain('(finding)');
  });
});

describe('[P.policy.not-built-yet] keys of the contract that this version does not enforce', () => {
  const rule = 'allow: [ { tools: [shop/buy] } ]';
  const document = (top: string, server: string, agent: string): string => `
pawl: 1
${top}
servers: { shop: { ${server} } }
agents: { clerk: { ${agent} } }
`;

  test.each([
    ['identity', document('identity: { oauth: { issuer: https://login.example } }', '', rule)],
    ['surfaces', document('', 'surfaces: [sampling]', rule)],
    ['share: stateless', document('', 'share: stateless', rule)],
  ])('%s is a load error that says so', async (what, policy) => {
    const outcome = await decide({ ...single, policy }, [buy]);
    expect([outcome.code, outcome.out]).toEqual([3, '']);
    expect(outcome.err).toContain(what);
    expect(outcome.err).toMatch(/not built yet|does not enforce/u);
  });

  test('their values that change nothing are accepted', async () => {
    const server =
      'command: x, sandbox: none, share: principal, platform: posix, surfaces: [], case: sensitive, cwd: /, env: { A: b }';
    const top = `connectors: {}
sets: {}
facts: {}
sessions: { ttl: 12h }
exposure: readable
disclose: values
audit: { arguments: authority }
results: { maxBytes: 262144 }
reload: { posture: bind }`;
    const outcome = await decide(
      { ...single, policy: document(top, server, `description: Buys., ${rule}`) },
      [buy],
    );
    expect(outcome).toMatchObject({ code: 0, err: '' });
  });
});

describe('[P.cli.exit-codes] files that decide cannot use', () => {
  const call = [buy];

  test.each<[string, Readonly<Record<string, string>>]>([
    ['no JSON', { 'shop.json': '{' }],
    ['no list of tools', { 'shop.json': '{"tools":{}}' }],
    ['a tool without a name', { 'shop.json': '{"tools":[{"inputSchema":{}}]}' }],
    ['a key twice', { 'shop.json': '{"tools":[],"tools":[]}' }],
    ['a name that is no server', { 'My_Shop.json': '{"tools":[]}' }],
  ])('definitions with %s: exit 3, the file on stderr, nothing on stdout', async (_what, files) => {
    const folder = mkdtempSync(join(tmpdir(), 'pawl-tools-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    const outcome = await decide({ policy: single.policy }, call, ['--json', '--tools', folder]);
    expect([outcome.code, outcome.out]).toEqual([3, '']);
    expect(outcome.err).toContain(Object.keys(files).join());
  });

  test('a folder or a policy that is not there: exit 3', async () => {
    const gone = await decide({ policy: single.policy }, call, ['--json', '--tools', '/nowhere/at/all']);
    expect([gone.code, gone.out]).toEqual([3, '']);
    const nothing = await decide(single, call, ['--json', '--policy', '/nowhere/at/all.yaml']);
    expect([nothing.code, nothing.out]).toEqual([3, '']);
    expect(JSON.parse(nothing.err)).toMatchObject({ error: { line: 1, column: 1 } });
  });

  test('a file of another kind in the folder of definitions is left alone', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pawl-tools-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'README.md'), 'notes');
    writeFileSync(join(folder, 'shop.json'), JSON.stringify({ tools: single.tools?.['shop'] }));
    const outcome = await decide({ policy: single.policy }, call, ['--json', '--tools', folder]);
    expect(answers(outcome)).toMatchObject([{ decision: 'permit' }]);
  });
});

describe('[P.names.readable] messages name tools as a model reads them', () => {
  const names = ['buy', 'a.b', 'a/b', 'a_b', `${'long_'.repeat(12)}name`, 'UPPER-lower'];
  const files: Files = {
    policy: `
pawl: 1
servers: { shop: {} }
agents: { clerk: { allow: [ { tools: ["shop/*"] } ] } }
`,
    tools: { shop: names.map((name) => tool(name, {})) },
  };
  const lines = names.map((name) => {
    const readable = readableName(parseToolName(`shop/${name}`)!);
    const params = { name: readable, arguments: {} };
    return { id: name, message: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }) };
  });

  test('every tool is found by its readable name, and each by its own', async () => {
    const got = answers(await decide(files, lines));
    expect(got.map(({ decision }) => decision)).toEqual(names.map(() => 'permit'));
    expect(got.map(({ accesses }) => (accesses as { tool: string }[])[0]?.tool)).toEqual(
      names.map((name) => `shop/${name}`),
    );
  });
});
