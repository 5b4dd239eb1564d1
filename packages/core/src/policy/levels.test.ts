/** POLICY section 2: three nested sets, default deny, denials, and the ask list. */
import { describe, expect, test } from 'vitest';
import { filesystemTools, gate, plainTools } from '../../../../test/policies.js';

const plain = (rules: string): ReturnType<typeof gate> =>
  gate(`pawl: 1\nservers: { s: { command: x } }\nagents:\n  a:\n${rules}`, plainTools);
const files = (rules: string): ReturnType<typeof gate> =>
  gate(
    `pawl: 1\nservers: { files: { command: x, connector: filesystem, root: /w } }\nagents:\n  a:\n${rules}`,
    {
      files: filesystemTools,
    },
  );

describe('levels of rules', () => {
  test('[P.level.three-sets] an allow rule without ask permits, with ask it asks at the level that it names', () => {
    const policy = plain(`
    allow:
      - { tools: [s/t], where: { args.x: [p] } }
      - { tools: [s/t], where: { args.x: [s] }, ask: session }
      - { tools: [s/t], where: { args.x: [o] }, ask: once }`);
    expect(['p', 's', 'o', 'n'].map((x) => policy.call('s/t', { x }).decision)).toEqual([
      'permit',
      'session',
      'once',
      'deny',
    ]);
  });

  test('[P.level.permit-beats-ask] a permit rule wins over allow rules that ask, in either order', () => {
    const rules = [
      '{ tools: [s/t], where: { args.x: [a, b] }, ask: once }',
      '{ tools: [s/t], where: { args.x: [a] } }',
    ];
    for (const list of [rules, [...rules].reverse()]) {
      const policy = plain(`\n    allow:\n${list.map((rule) => `      - ${rule}`).join('\n')}`);
      expect(policy.call('s/t', { x: 'a' }).decision).toBe('permit');
      expect(policy.call('s/t', { x: 'b' }).decision).toBe('once');
    }
  });

  test('[P.level.permit-beats-ask] the ask list caps a permit rule and a rule that asks for the session', () => {
    const policy = plain(`
    allow:
      - { tools: [s/t], where: { args.x: [a, b, c] } }
      - { tools: [s/t], where: { args.x: [d] }, ask: session }
    ask:
      - { tools: [s/t], where: { args.x: [b] }, ask: session }
      - { tools: [s/t], where: { args.x: [c, d] } }`);
    expect(['a', 'b', 'c', 'd'].map((x) => policy.call('s/t', { x }).decision)).toEqual([
      'permit',
      'session',
      'once',
      'once',
    ]);
  });

  test('[P.level.permit-beats-ask] the ask list never raises a level', () => {
    const policy = plain(`
    allow: [ { tools: [s/t], ask: once } ]
    ask: [ { tools: [s/t], ask: session } ]`);
    expect(policy.call('s/t').decision).toBe('once');
  });

  test('[P.level.default-deny] an ask entry allows nothing by itself', () => {
    const policy = plain(`
    allow: [ { tools: [s/t], where: { args.x: [a] } } ]
    ask: [ { tools: [s/t], where: { args.x: [b] } } ]`);
    expect(policy.call('s/t', { x: 'b' })).toMatchObject({ decision: 'deny', code: 'not_permitted' });
  });

  test('[P.level.three-sets] a call has the lowest level of its accesses', () => {
    const policy = files(`
    allow:
      - { tools: [files/read_multiple_files], where: { path: /w/free/** } }
      - { tools: [files/read_multiple_files], where: { path: /w/team/** }, ask: session }
      - { tools: [files/read_multiple_files], where: { path: /w/boss/** }, ask: once }`);
    const level = (...paths: readonly string[]): string =>
      policy.call('files/read_multiple_files', { paths: [...paths] }).decision;
    expect(level('/w/free/a', '/w/free/b')).toBe('permit');
    expect(level('/w/team/a', '/w/free/b')).toBe('session');
    expect(level('/w/boss/a', '/w/team/b', '/w/free/c')).toBe('once');
    expect(level('/w/free/a', '/w/other')).toBe('deny');
  });

  test('[P.level.three-sets] a region that reaches into what asks is asked for, and one that does not is free', () => {
    const policy = files(`
    allow:
      - { tools: [files/directory_tree], where: { path: /w/a/** } }
      - { tools: [files/directory_tree], where: { path: /w/** }, ask: session }
    ask: [ { where: { path: /w/a/live/** }, ask: once } ]`);
    const level = (path: string): string => policy.call('files/directory_tree', { path }).decision;
    expect([level('/w/a/dev'), level('/w/b'), level('/w'), level('/w/a'), level('/w/a/live/x')]).toEqual([
      'permit',
      'session',
      'once',
      'once',
      'once',
    ]);
  });
});

describe('denials', () => {
  test('[P.level.deny-wins] a denial that one access of several meets refuses the call', () => {
    const policy = files(`
    allow: [ { tools: [files/read_multiple_files] } ]
    deny: [ { where: { path: /w/key } } ]`);
    expect(policy.permits('files/read_multiple_files', { paths: ['/w/a', '/w/b'] })).toBe(true);
    expect(policy.call('files/read_multiple_files', { paths: ['/w/a', '/w/key'] })).toMatchObject({
      code: 'denied',
      layer: 'policy',
      constraint: 'path',
      rule: 'agents.a.deny[0]',
    });
  });

  test('[P.level.deny-wins] a denial with several fields takes only what meets all of them', () => {
    const policy = plain(`
    allow: [ { tools: [s/t] } ]
    deny: [ { tools: [s/t], where: { args.x: [a], args.y: [1] } } ]`);
    expect(policy.permits('s/t', { x: 'a', y: 1 })).toBe(false);
    expect(policy.permits('s/t', { x: 'a', y: 2 })).toBe(true);
    expect(policy.permits('s/t', { x: 'a' })).toBe(true);
  });

  test('[P.level.default-deny] a tool that no rule names and a server without rules are refused', () => {
    const policy = gate(
      'pawl: 1\nservers: { s: { command: x }, u: { command: y } }\nagents: { a: { allow: [ { tools: [s/t] } ] } }',
      {
        s: { t: {}, v: {} },
        u: { t: {} },
      },
    );
    expect(policy.permits('s/t')).toBe(true);
    expect(policy.call('s/v').code).toBe('not_permitted');
    expect(policy.call('u/t').code).toBe('not_permitted');
  });
});

describe('different accesses of one call', () => {
  test('[P.authority.all-accesses] may be covered by different rules, and each has to be covered', () => {
    const policy = files(`
    allow:
      - { tools: [files/move_file], verbs: [delete], where: { path: /w/from/** } }
      - { tools: [files/move_file], verbs: [write], where: { path: /w/to/** } }`);
    const move = (source: string, destination: string): boolean =>
      policy.permits('files/move_file', { source, destination });
    expect(move('/w/from/a', '/w/to/b')).toBe(true);
    expect(move('/w/to/a', '/w/from/b')).toBe(false);
    expect(move('/w/from/a', '/w/from/b')).toBe(false);
  });
});
