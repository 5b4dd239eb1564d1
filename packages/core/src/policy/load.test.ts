/** What a document may not say: each error has its line and column, what was found and what is allowed there. */
import { describe, expect, test } from 'vitest';
import { type Tools, closed, filesystemTools, load } from '../../../../test/policies.js';

const text = { type: 'string' };
const tools: Tools = {
  s: { t: closed({ x: text, n: { type: 'integer' }, e: { enum: ['p', 'q'] } }) },
  files: filesystemTools,
};
const servers = '  s: { command: x }\n  files: { command: y, connector: filesystem, root: /w }\n';

/** `line:column found | allowed`, one a problem. */
function problems(document: string, known: Tools | undefined = tools): readonly string[] {
  return load(document, known).problems.map(
    ({ at, found, allowed }) => `${at.line}:${at.column} ${found} | ${allowed}`,
  );
}

const rule = (item: string, list = 'allow'): readonly string[] => {
  const allow = list === 'allow' ? '' : '    allow: [ { tools: [s/t] } ]\n';
  return problems(`pawl: 1\nservers:\n${servers}agents:\n  a:\n${allow}    ${list}:\n      - ${item}\n`);
};
const where = (constraint: string): readonly string[] =>
  rule(`{ tools: [s/t], where: { args.x: ${constraint} } }`);
const server = (entry: string): readonly string[] =>
  problems(`pawl: 1\nservers:\n  ${entry}\nagents: { a: { allow: [] } }\n`, {});
const top = (line: string): readonly string[] =>
  problems(`pawl: 1\n${line}\nagents: { a: { allow: [] } }\n`, {});

describe('documents', () => {
  test('[P.policy.unknown-key] duplicate and unknown keys are errors where they stand', () => {
    expect(top('colour: red')).toEqual([expect.stringMatching(/^2:1 key "colour" \| pawl, servers/u)]);
    expect(problems('pawl: 1\nagents: { a: { allow: [], alow: [] } }\n', {})).toEqual([
      expect.stringMatching(/^2:27 key "alow" \| .*allow/u),
    ]);
    expect(problems('pawl: 1\nagents:\n  a: { allow: [] }\n  a: { allow: [] }\n', {})).toEqual([
      expect.stringMatching(/^4:3 /u),
    ]);
    expect(rule('{ tools: [s/t], when: now }')).toEqual([
      expect.stringMatching(/^8:25 key "when" \| tools/u),
    ]);
    expect(rule('{ tools: [s/t], reach: named }')).toEqual([expect.stringMatching(/^8:25 key "reach"/u)]);
    expect(rule('{ tools: [s/t], ask: once }', 'deny')).toEqual([expect.stringMatching(/^9:25 key "ask"/u)]);
    expect(server('u: { command: x, colour: red }')).toEqual([expect.stringMatching(/^3:20 key "colour"/u)]);
    expect(top('results: { max: 1 }')).toEqual([expect.stringMatching(/^2:12 key "max" \| maxBytes/u)]);
  });

  test('[P.policy.positions] the version, and shapes that are something else', () => {
    expect(problems('agents: { a: { allow: [] } }\n', {})).toEqual([
      expect.stringMatching(/^1:1 no key "pawl" \| pawl: 1/u),
    ]);
    expect(problems('pawl: 2\nagents: { a: { allow: [] } }\n', {})).toEqual(['1:7 2 | 1']);
    expect(problems('[]', {})).toEqual([expect.stringMatching(/^1:1 an empty list \| a mapping/u)]);
    expect(problems('pawl: 1\nagents: [a]\n', {})).toEqual([
      expect.stringMatching(/^2:9 a list \| a mapping/u),
    ]);
    expect(problems('pawl: 1\nagents: { a: { allow: { tools: [s/t] } } }\n', {})).toEqual([
      expect.stringMatching(/^2:23 a mapping \| a list of rules/u),
    ]);
    expect(problems('pawl: 1\nagents: { a b: { allow: [] } }\n', {})).toEqual([
      expect.stringMatching(/^2:11 agent name "a b"/u),
    ]);
  });

  test('[P.policy.positions] names of servers', () => {
    for (const name of ['My_Server', 'pawl', '"9"'])
      expect(server(`${name}: { command: x }`)).toEqual([expect.stringMatching(/^3:3 server name/u)]);
    expect(server('a-9: { command: x }')).toEqual([]);
  });

  test('[P.policy.positions] a server named like a connector that it does not have', () => {
    expect(server('filesystem: { command: x }')).toEqual([
      expect.stringMatching(/^3:3 server name "filesystem"/u),
    ]);
    expect(server('terminal: { command: x }')).toEqual([
      expect.stringMatching(/^3:3 server name "terminal"/u),
    ]);
    expect(server('filesystem: { command: x, connector: filesystem }')).toEqual([]);
    expect(
      problems('pawl: 1\nservers: {}\nagents: { a: { allow: [] } }\n', { filesystem: { t: {} } }),
    ).toEqual([expect.stringContaining('"filesystem"')]);
  });

  test('[P.policy.positions] a server of the exact package whose tools match has the connector without saying so', () => {
    const named = (args: string, name = 'filesystem'): readonly string[] =>
      problems(
        `pawl: 1\nservers:\n  ${name}: { command: npx, args: [-y, "${args}", /w] }\nagents: { a: { allow: [ { tools: [${name}/read_text_file], where: { path: /w/** } } ] } }\n`,
        { [name]: filesystemTools },
      );
    expect(named('@modelcontextprotocol/server-filesystem')).toEqual([]);
    expect(named('@modelcontextprotocol/server-filesystem@2026.8.31', 'files')).toEqual([]);
    expect(named('@modelcontextprotocol/server-filesystem-plus', 'files')).toEqual([
      expect.stringContaining('field path'),
    ]);
    expect(
      problems(
        'pawl: 1\nservers:\n  files: { command: npx, args: ["@modelcontextprotocol/server-filesystem"] }\nagents: { a: { allow: [ { tools: [files/read_text_file], where: { path: /w/** } } ] } }\n',
        { files: { ...filesystemTools, more: {} } },
      ),
    ).toEqual([expect.stringContaining('field path')]);
  });

  test('[P.policy.positions] settings outside what they may be', () => {
    expect(top('exposure: open')).toEqual(['2:11 "open" | readable, opaque']);
    expect(top('disclose: all')).toEqual(['2:11 "all" | names, values']);
    expect(top('sessions: { ttl: soon }')).toEqual([expect.stringMatching(/^2:18 "soon" \| a duration/u)]);
    expect(top('results: { maxBytes: 0 }')).toEqual([expect.stringMatching(/^2:22 0 \|/u)]);
    expect(top('audit: { arguments: all }')).toEqual(['2:21 "all" | digest, authority, full']);
    expect(top('reload: { posture: none }')).toEqual(['2:20 "none" | recheck, bind']);
    expect(
      top(
        'sessions: { ttl: 30m }\nexposure: opaque\ndisclose: names\nresults: { maxBytes: 5 }\naudit: { arguments: full }\nreload: { posture: bind }',
      ),
    ).toEqual([]);
  });

  test('[P.policy.positions] instances of agents that are not there', () => {
    expect(problems('pawl: 1\nagents: { a: { allow: [] } }\ninstances: { b/x: {} }\n', {})).toEqual([
      expect.stringMatching(/^3:14 instance "b\/x" \| AGENT\/NAME/u),
    ]);
    expect(problems('pawl: 1\nagents: { a: { allow: [] } }\ninstances: { a: {} }\n', {})).toEqual([
      expect.stringMatching(/^3:14 instance "a"/u),
    ]);
    expect(problems('pawl: 1\nagents: { a: { allow: [], instances: maybe } }\n', {})).toEqual([
      expect.stringMatching(/^2:38 "maybe" \| required, optional/u),
    ]);
  });
});

describe('what is not enforced yet', () => {
  test.each([
    ['identity', top('identity: {}'), '2:11'],
    ['share: stateless', server('u: { command: x, share: stateless }'), '3:27'],
  ])('[P.policy.not-built-yet] %s is an error that says so', (what, found, place) => {
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(what);
    expect(found[0]?.startsWith(`${place} `)).toBe(true);
  });

  test('connectors may be empty', () => {
    expect(top('connectors: {}')).toEqual([]);
  });
});

describe('rules', () => {
  test('[P.policy.positions] empty where, tools, constraint and set are errors', () => {
    expect(rule('{ tools: [s/t], where: {} }')).toEqual([expect.stringMatching(/^8:32 an empty mapping/u)]);
    expect(rule('{ tools: [] }')).toEqual([expect.stringMatching(/^8:18 an empty list/u)]);
    expect(where('[]')).toEqual([expect.stringMatching(/^8:42 an empty list/u)]);
    expect(where('{}')).toEqual([expect.stringMatching(/^8:42 an empty mapping/u)]);
    expect(rule('{ where: { args.x: [a] } }')).toEqual([expect.stringMatching(/^8:9 no tools/u)]);
    expect(rule('{ verbs: [call] }', 'deny')).toEqual([
      expect.stringMatching(/^9:9 neither tools nor where/u),
    ]);
    expect(top('sets: { none: [] }')).toEqual([expect.stringMatching(/^2:15 an empty list/u)]);
    expect(load('pawl: 1\nagents: { a: { allow: [] } }\n', {}).problems).toEqual([]);
    expect(load('pawl: 1\nagents: { a: { allow: [] } }\n', {}).findings).toHaveLength(1);
  });

  test('[P.policy.unknown-key] names that are no fields', () => {
    for (const name of ['args', 'any', 'args.', 'args..x', "'args.\"x'"]) {
      expect([name, rule(`{ tools: [s/t], where: { ${name}: [a] } }`).length]).toEqual([name, 1]);
    }
    expect(rule('{ tools: [s/t], where: { rest: any } }')).toEqual([]);
  });

  test('[P.policy.unknown-key] the same argument written in two ways is given twice', () => {
    expect(rule('{ tools: [s/t], where: { args.x: [a], \'args."x"\': [b] } }')).toEqual([
      expect.stringMatching(/^8:47 .*args\.x/u),
    ]);
  });

  test('[P.policy.unknown-key] unknown kinds, kinds mixed in a list, sets and facts that are not there', () => {
    expect(where('{ startsWith: a }')).toEqual([expect.stringMatching(/^8:44 "startsWith"/u)]);
    expect(where('[a, { prefix: b }]')).toHaveLength(1);
    expect(where('{ set: nobody }')).toEqual([expect.stringContaining('nobody')]);
    expect(where('{ fact: rota.today }')).toEqual([expect.stringContaining('rota')]);
  });

  test('[P.rule.never-matches] servers and tools that are not there', () => {
    expect(rule('{ tools: [u/t] }')).toEqual(['8:19 server u | s, files']);
    expect(rule('{ tools: [s/u] }')).toEqual([
      expect.stringMatching(/^8:19 tool s\/u \| a tool of this server: t/u),
    ]);
    expect(rule('{ tools: [s/u] }', 'deny')).toEqual([expect.stringMatching(/^9:19 tool s\/u/u)]);
    expect(
      load(
        `pawl: 1\nservers:\n${servers}agents: { a: { allow: [ { tools: [s/u] }, { tools: [s/t] } ] } }\n`,
        tools,
        { vanishedTool: 'finding' },
      ),
    ).toMatchObject({ problems: [], findings: [{ at: { line: 5, column: 35 } }] });
  });

  test('[P.rule.never-matches] constraints that the types and listed values of the tool cannot meet', () => {
    expect(where('[1, true]')).toEqual([
      expect.stringMatching(/^8:9 a rule that no call of s\/t can match/u),
    ]);
    expect(where('[1, a]')).toEqual([]);
    expect(rule('{ tools: [s/t], where: { args.n: { prefix: a } } }')).toHaveLength(1);
    expect(rule('{ tools: [s/t], where: { args.e: [r] } }')).toHaveLength(1);
    expect(rule('{ tools: [s/t], where: { args.e: [p, r] } }')).toEqual([]);
    expect(rule('{ tools: ["s/*"], where: { args.x: [1] } }')).toHaveLength(1);
    expect(rule('{ tools: [s/t], where: { args.x: [1] } }', 'deny')).toHaveLength(1);
  });

  test('[P.rule.never-matches] rules that denials take away as a whole', () => {
    const pair = (allow: string, ...deny: readonly string[]): readonly string[] =>
      problems(
        `pawl: 1\nservers:\n${servers}agents:\n  a:\n    allow:\n      - ${allow}\n    deny:\n${deny.map((each) => `      - ${each}`).join('\n')}\n`,
      );
    expect(pair('{ tools: [s/t] }', '{ tools: [s/t] }')).toEqual([
      expect.stringMatching(/^8:9 a rule that can never match/u),
    ]);
    expect(
      pair('{ tools: [s/t], where: { args.x: [a] } }', '{ tools: [s/t], where: { args.x: [A, b] } }'),
    ).toHaveLength(1);
    expect(
      pair(
        '{ tools: [s/t], where: { args.x: [a, b] } }',
        '{ tools: [s/t], where: { args.x: [a] } }',
        '{ tools: [s/t], where: { args.x: [b] } }',
      ),
    ).toHaveLength(1);
    expect(
      pair('{ tools: [files/read_text_file], where: { path: /w/a/** } }', '{ where: { path: /w/** } }'),
    ).toHaveLength(1);
    expect(
      pair('{ tools: [s/t], where: { args.x: [a, c] } }', '{ tools: [s/t], where: { args.x: [a] } }'),
    ).toEqual([]);
    expect(
      pair(
        '{ tools: [s/t], where: { args.x: [a], args.n: any } }',
        '{ tools: [s/t], where: { args.x: [a], args.n: [1] } }',
      ),
    ).toEqual([]);
    expect(
      pair(
        '{ tools: [files/edit_file], where: { path: /w/a/** } }',
        '{ verbs: [write], where: { path: /w/** } }',
      ),
    ).toEqual([]);
  });

  test('[P.rule.field-absent] a pattern of which some tools lack the field is a finding', () => {
    const found = load(
      `pawl: 1\nservers:\n${servers}agents:\n  a:\n    allow:\n      - { tools: ["files/*"], where: { path: /w/** } }\n`,
      tools,
    ).findings;
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ at: { line: 8, column: 19 }, path: 'agents.a.allow[0]' });
  });

  test('[P.policy.positions] texts that are not in normal form and a lone ** are findings, each told once', () => {
    const found = load(
      `pawl: 1\nservers:\n${servers}agents:\n  a:\n    allow:\n      - { tools: ["files/*"], where: { path: ["**", "/cafe\u0301"] } }\n`,
      {
        files: {
          read_text_file: filesystemTools['read_text_file'] ?? {},
          write_file: filesystemTools['write_file'] ?? {},
        },
      },
    ).findings;
    expect(found.map(({ at }) => `${at.line}:${at.column}`)).toEqual(['8:47', '8:53']);
    expect(found[0]?.message).toContain('**');
    expect(found[1]?.message).toContain('NFC');
  });

  test('[P.policy.positions] a problem is told once, in the order of the document', () => {
    const found = problems(
      `pawl: 1\nservers:\n${servers}agents:\n  a: { allow: [ { tools: ["files/*"], where: { path: "/w/../x" } } ] }\n  b: { allow: [ { tools: [s/no] } ] }\n`,
    );
    expect(found.map((each) => each.split(' ')[0])).toEqual(['6:54', '7:27']);
  });
});

describe('without schemas', () => {
  test('[P.rule.never-matches] what only schemas could tell is no error', () => {
    const schemaless = (item: string): readonly string[] =>
      load(`pawl: 1\nservers:\n${servers}agents:\n  a:\n    allow:\n      - ${item}\n`).problems.map(
        (each) => each.message,
      );
    expect(schemaless('{ tools: [s/anything], where: { args.x: [a] } }')).toEqual([]);
    expect(schemaless('{ tools: ["files/*"], where: { path: /w/** } }')).toEqual([]);
    expect(schemaless('{ tools: [s/t], where: { path: /w/** } }')).toHaveLength(1);
    expect(schemaless('{ tools: [u/t] }')).toHaveLength(1);
  });
});
