/** POLICY section 5, ceilings and narrowings: they only narrow, by connector or by server. */
import { describe, expect, test } from 'vitest';
import { type Tools, type Verdict, closed, filesystemTools, gate, load } from '../../../../test/policies.js';

const text = { type: 'string' };
const tools: Tools = {
  s: {
    t: closed({ x: text, n: { type: 'number' }, path: text }),
    u: closed({ q: text }),
    open: { type: 'object' },
  },
  files: filesystemTools,
  more: filesystemTools,
};
const servers =
  'pawl: 1\nservers:\n  s: { command: x }\n  files: { command: y, connector: filesystem, root: /w }\n  more: { command: y, connector: filesystem, root: /w }\n';
const everything = '[ { tools: ["s/*"] }, { tools: ["files/*", "more/*"] } ]';
const under = (ceiling: string, narrow = '', allow = everything): ReturnType<typeof gate> =>
  gate(
    `${servers}agents: { a: { allow: ${allow}${ceiling === '' ? '' : `, ceiling: ${ceiling}`} } }\n${narrow === '' ? '' : `instances: { a/i: { narrow: ${narrow} } }\n`}`,
    tools,
  );
const read = (policy: ReturnType<typeof gate>, path: string, options = {}): Verdict =>
  policy.call('files/read_text_file', { path }, options);

describe('a ceiling by connector', () => {
  test('[P.authority.meet] bounds the field on every server of the connector, and nothing else', () => {
    const policy = under('{ filesystem: { path: [/w/in/**] } }');
    expect(read(policy, '/w/in/a').decision).toBe('permit');
    expect(read(policy, '/w/out')).toMatchObject({
      decision: 'deny',
      code: 'out_of_scope',
      layer: 'ceiling',
      constraint: 'filesystem.path (/w/in/**)',
      rule: 'agents.a.ceiling.filesystem',
    });
    expect(policy.permits('more/read_text_file', { path: '/w/out' })).toBe(false);
    expect(policy.permits('s/t', { path: '/etc' })).toBe(true);
    expect(policy.permits('files/list_allowed_directories')).toBe(true);
  });

  test('[P.authority.meet] allows nothing by itself', () => {
    const policy = under(
      '{ filesystem: { path: ["/**"] } }',
      '',
      '[ { tools: [files/read_text_file], where: { path: /w/a } } ]',
    );
    expect(read(policy, '/w/b')).toMatchObject({ code: 'not_permitted', layer: 'policy' });
  });

  test('[P.authority.extent] holds a region only as a whole', () => {
    const policy = under('{ filesystem: { path: [/w/in/**, "/w/*"] } }');
    const tree = (path: string): boolean => policy.permits('files/directory_tree', { path });
    expect([tree('/w/in'), tree('/w/in/a'), tree('/w/other'), tree('/w')]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test('[P.authority.meet] together with one by server both hold, also for regions', () => {
    const policy = under('{ filesystem: { path: [/w/in/**] }, files: { path: ["/w/*/pub/**"] } }');
    expect([
      read(policy, '/w/in/pub/a').decision,
      read(policy, '/w/in/a').decision,
      read(policy, '/w/x/pub/a').decision,
    ]).toEqual(['permit', 'deny', 'deny']);
    expect(read(policy, '/w/in/a').constraint).toBe('files.path (/w/*/pub/**)');
    const tree = (server: string, path: string): boolean =>
      policy.permits(`${server}/directory_tree`, { path });
    expect([
      tree('files', '/w/in/pub'),
      tree('files', '/w/in'),
      tree('files', '/w/x/pub'),
      tree('more', '/w/in'),
    ]).toEqual([true, false, false, true]);
  });

  test('[P.kind.path-lexical] makes the field constrained: canonical forwarding, and values that its kind refuses', () => {
    const policy = under('{ filesystem: { path: [/w/**] } }');
    expect(policy.call('files/read_text_file', { path: 'a/../b' }).args).toEqual({ path: '/w/b' });
    expect(read(policy, '~bo/a').code).toBe('malformed_arguments');
  });
});

describe('a ceiling by server', () => {
  test('[P.authority.meet] bounds arguments of its tools; other arguments stay free', () => {
    const policy = under('{ s: { args.x: [a, b], args.n: { max: 9 } } }');
    expect(policy.permits('s/t', { x: 'a', n: 3, path: 'any' })).toBe(true);
    expect(policy.call('s/t', { x: 'c', n: 3 })).toMatchObject({
      code: 'out_of_scope',
      layer: 'ceiling',
      constraint: 's.args.x (a, b)',
    });
    expect(policy.call('s/t', { x: 'a', n: 10 }).constraint).toMatch(/^s\.args\.n/u);
    expect(policy.permits('s/u', { q: 'z' })).toBe(true);
  });

  test('[P.kind.absent] an argument that the tool lists and the call leaves out does not hold', () => {
    const policy = under('{ s: { args.x: [a, b] } }');
    expect(policy.call('s/t', { n: 1 }).decision).toBe('deny');
    expect(policy.permits('s/open', { other: 1 })).toBe(true);
    expect(policy.permits('s/open', { x: 'c' })).toBe(false);
    expect(policy.permits('s/open', { x: 'a' })).toBe(true);
  });

  test('[P.ask.out-of-scope-first] a call that asks and is out of scope is refused, never asked', () => {
    const policy = under('{ s: { args.x: [a] } }', '', '[ { tools: [s/t], ask: once } ]');
    expect(policy.call('s/t', { x: 'a' }).decision).toBe('once');
    expect(policy.call('s/t', { x: 'b' })).toMatchObject({ decision: 'deny', code: 'out_of_scope' });
  });
});

describe('narrowings', () => {
  test('[P.authority.meet] hold for their instance alone, within the ceiling', () => {
    const policy = gate(
      `${servers}agents: { a: { allow: ${everything}, ceiling: { filesystem: { path: [/w/in/**] } } } }
instances: { a/ann: { narrow: { filesystem: { path: ["/w/*/ann/**"] } } }, a/bea: {} }\n`,
      tools,
    );
    expect(read(policy, '/w/in/ann/x', { instance: 'ann' }).decision).toBe('permit');
    expect(read(policy, '/w/in/bea/x', { instance: 'ann' })).toMatchObject({
      code: 'out_of_scope',
      layer: 'narrowing',
      constraint: 'filesystem.path (/w/*/ann/**)',
      rule: 'instances.a/ann.narrow.filesystem',
    });
    expect(read(policy, '/w/out/ann/x', { instance: 'ann' }).layer).toBe('ceiling');
    expect(read(policy, '/w/in/any', { instance: 'bea' }).decision).toBe('permit');
  });

  test('[P.authority.meet] one that lies outside the ceiling leaves nothing', () => {
    const policy = under('{ filesystem: { path: [/w/in/**] } }', '{ filesystem: { path: [/etc/**] } }');
    for (const path of ['/w/in/a', '/etc/a', '/x'])
      expect(read(policy, path, { instance: 'i' }).decision).toBe('deny');
    expect(policy.permits('s/t', {}, { instance: 'i' })).toBe(true);
  });

  test('[S002.gate-never-skipped] an agent with instances acts through one of them, unless it says optional', () => {
    const of = (keys: string, instances: string): ReturnType<typeof gate> =>
      gate(`${servers}agents: { a: { allow: ${everything}${keys} } }\n${instances}`, tools);
    const required = of('', 'instances: { a/i: {} }\n');
    expect(required.call('s/t')).toMatchObject({ decision: 'deny', code: 'no_instance', layer: 'agent' });
    expect(required.permits('s/t', {}, { instance: 'i' })).toBe(true);
    expect(required.call('s/t', {}, { instance: 'j' }).code).toBe('no_instance');
    const optional = of(', instances: optional', 'instances: { a/i: {} }\n');
    expect([optional.permits('s/t'), optional.permits('s/t', {}, { instance: 'i' })]).toEqual([true, true]);
    expect(optional.call('s/t', {}, { instance: 'j' }).code).toBe('no_instance');
    expect(of(', instances: required', '').call('s/t').code).toBe('no_instance');
    expect(of('', '').permits('s/t')).toBe(true);
    expect(of('', '').call('s/t', {}, { instance: 'j' }).code).toBe('no_instance');
    expect(required.call('s/t', {}, { agent: 'b', instance: 'i' })).toMatchObject({
      code: 'no_agent',
      layer: 'agent',
    });
  });
});

describe('what a ceiling may not say', () => {
  const problems = (ceiling: string): readonly string[] =>
    load(`${servers}agents:\n  a:\n    ceiling: ${ceiling}\n    allow: ${everything}\n`, tools).problems.map(
      ({ at, found, allowed }) => `${at.line}:${at.column} ${found} | ${allowed}`,
    );

  test('[P.connector.ceiling-junk] unknown names and fields are errors, with what is allowed', () => {
    expect(problems('{ nothing: { path: [/w/**] } }')).toEqual([
      '8:16 nothing, which is no connector and no server | s, files, more, filesystem, terminal, fetch, git, shell, browser, sql',
    ]);
    expect(problems('{ filesystem: { paths: [/w/**] } }')).toEqual(['8:30 field paths | path']);
    expect(problems('{ s: { path: [/w/**] } }')).toEqual([
      expect.stringMatching(/^8:21 field path \| args\.NAME/u),
    ]);
    expect(problems('{ s: { args.none: [a] } }')).toEqual([]);
    expect(problems('{ files: { args.none: [a] } }')).toEqual([
      expect.stringMatching(/^8:25 field args\.none/u),
    ]);
    expect(problems('{ filesystem: {} }')).toEqual([
      expect.stringMatching(/^8:28 an empty mapping \| at least one field/u),
    ]);
    expect(problems('{ filesystem: { path: [] } }')).toHaveLength(1);
    expect(problems('{ s: { rest: any } }')).toHaveLength(1);
  });

  test('[P.connector.ceiling-junk] arguments are named by server only, with exact values, numbers or texts', () => {
    expect(problems('{ filesystem: { args.path: [/w] } }')).toEqual([
      expect.stringMatching(/^8:30 field args\.path \| path/u),
    ]);
    expect(problems('{ s: { args.path: { path: [/w/**] } } }')).toEqual([
      expect.stringMatching(/^8:21 .*kind path/u),
    ]);
    for (const fine of [
      '[a, b]',
      '{ max: 3 }',
      '{ prefix: a }',
      '{ either: [[a], { prefix: b }] }',
      '{ all: [{ prefix: a }, { suffix: b }] }',
      '{ optional: [a] }',
      '{ in: { prefix: a }, except: [ab] }',
    ]) {
      expect([fine, problems(`{ s: { args.x: ${fine} } }`).filter((each) => each.includes('kind'))]).toEqual([
        fine,
        [],
      ]);
    }
  });

  test('[P.connector.ceiling-junk] a ceiling of a connector that the agent has no tool of is legal and silent', () => {
    const found = load(
      'pawl: 1\nservers: { s: { command: x } }\nagents: { a: { allow: [ { tools: [s/u] } ], ceiling: { filesystem: { path: [/w/**] } } } }\n',
      { s: tools['s'] ?? {} },
    );
    expect([found.problems, found.findings]).toEqual([[], []]);
  });
});
