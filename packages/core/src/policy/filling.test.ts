/** POLICY section 4, fill: one allowed value is given to an argument that was left out, several are told. */
import { describe, expect, test } from 'vitest';
import { type Tools, closed, gate } from '../../../../test/policies.js';

const text = { type: 'string' };
const tools: Tools = {
  s: {
    t: closed({
      x: text,
      y: { type: 'integer' },
      z: text,
      l: { type: 'array', items: text },
      o: { type: 'object' },
      d: { ...text, default: 'dd' },
    }),
    need: closed({ x: text, y: { type: 'integer' } }, 'x', 'y'),
  },
};
const under = (rules: string, more = ''): ReturnType<typeof gate> =>
  gate(`pawl: 1\nservers: { s: { command: x, root: /w } }\n${more}agents:\n  a:\n${rules}`, tools);
const allowing = (...wheres: readonly string[]): ReturnType<typeof gate> =>
  under(`    allow:\n${wheres.map((where) => `      - { tools: [s/t], where: ${where} }`).join('\n')}`);

describe('a single allowed value', () => {
  test('[P.fill.single] fills an omitted argument, and the filled call is what is judged and forwarded', () => {
    const policy = allowing('{ args.x: [a], args.z: any }');
    expect(policy.call('s/t', { z: 'q' })).toMatchObject({
      decision: 'permit',
      args: { z: 'q', x: 'a' },
      filled: ['args.x'],
    });
    expect(policy.call('s/t', { x: 'b' })).toMatchObject({ decision: 'deny', code: 'not_permitted' });
    expect(policy.call('s/t', { x: 'a' })).toMatchObject({ args: { x: 'a' }, filled: [] });
  });

  test('[P.fill.single] null for an omission is filled too', () => {
    expect(allowing('{ args.x: [a] }').call('s/t', { x: null }).args).toEqual({ x: 'a' });
  });

  test('[P.fill.single] may be found in any kind that leaves one', () => {
    expect(allowing('{ args.y: { min: 3, max: 3 } }').call('s/t').args).toEqual({ y: 3 });
    expect(allowing('{ args.y: { above: 2, below: 4, integer: true } }').call('s/t').args).toEqual({ y: 3 });
    expect(allowing('{ args.x: { in: [a, b], except: [B] } }').call('s/t').args).toEqual({ x: 'a' });
    expect(allowing('{ args.x: { path: [/w/only] } }').call('s/t').args).toEqual({ x: '/w/only' });
    expect(allowing('{ args.x: { all: [[a, b], { prefix: b }] } }').call('s/t').args).toEqual({ x: 'b' });
  });

  test('[P.fill.single] of several rules the same value fills, and the level is that of the filled call', () => {
    const policy = under(`
    allow: [ { tools: [s/t], where: { args.x: [a], args.y: any } }, { tools: [s/t], where: { args.x: [a], args.z: any } } ]
    ask: [ { tools: [s/t], where: { args.x: [a] } } ]`);
    expect(policy.call('s/t', { y: 1 })).toMatchObject({ decision: 'once', args: { y: 1, x: 'a' } });
  });

  test('[P.fill.single] only rules that the given arguments meet count', () => {
    const policy = allowing('{ args.x: [a], args.y: [1] }', '{ args.x: [b], args.y: [2] }');
    expect(policy.call('s/t', { y: 1 }).args).toEqual({ y: 1, x: 'a' });
    expect(policy.call('s/t', { y: 2 }).args).toEqual({ y: 2, x: 'b' });
    expect(policy.call('s/t', { x: 'b' }).args).toEqual({ x: 'b', y: 2 });
    expect(policy.call('s/t', { y: 3 })).toMatchObject({ decision: 'deny' });
  });

  test('[P.fill.single] is filled to a fixpoint', () => {
    const policy = allowing('{ args.x: [a], args.y: [1], args.z: [u, v] }');
    expect(policy.call('s/t', { z: 'u' })).toMatchObject({
      args: { z: 'u', x: 'a', y: 1 },
      filled: ['args.x', 'args.y'],
    });
    const narrowed = gate(
      `pawl: 1
servers: { s: { command: x } }
agents:
  a:
    ceiling: { s: { args.x: [a, q] } }
    allow: [ { tools: [s/t], where: { args.x: [a], args.y: [1] } }, { tools: [s/t], where: { args.x: [b], args.y: [2] } } ]`,
      tools,
    );
    expect(narrowed.call('s/t')).toMatchObject({ decision: 'permit', args: { x: 'a', y: 1 } });
  });

  test('[P.fill.single] fills a nested argument', () => {
    expect(allowing('{ args.o.deep.k: [7] }').call('s/t')).toMatchObject({
      args: { o: { deep: { k: 7 } } },
      filled: ['args.o.deep.k'],
    });
    expect(allowing('{ args.o.deep.k: [7], args.o.e: any }').call('s/t', { o: { e: 1 } }).args).toEqual({
      o: { e: 1, deep: { k: 7 } },
    });
  });

  test('[P.fill.single] a value that the tool would not take is no value', () => {
    expect(allowing('{ args.x: [a, 1, true] }').call('s/t').args).toEqual({ x: 'a' });
    expect(allowing('{ args.l: [a] }').permits('s/t')).toBe(false);
    expect(allowing('{ args.l: [a] }').call('s/t', { l: ['a'] }).args).toEqual({ l: ['a'] });
  });

  test('[P.fill.single] what is required is checked after filling', () => {
    const policy = under('    allow: [ { tools: [s/need], where: { args.x: [a], args.y: any } } ]');
    expect(policy.call('s/need', { y: 1 }).args).toEqual({ y: 1, x: 'a' });
    expect(policy.call('s/need', {})).toMatchObject({
      decision: 'deny',
      code: 'malformed_arguments',
      layer: 'decode',
    });
    expect(policy.call('s/need', { x: 'b' })).toMatchObject({ code: 'malformed_arguments' });
  });
});

describe('a call with several accesses', () => {
  const files = gate(
    `pawl: 1
servers: { f: { command: x, connector: filesystem } }
agents:
  a:
    allow:
      - { tools: [f/edit_file], verbs: [read], where: { path: "/w/**" } }
      - { tools: [f/edit_file], verbs: [write], where: { path: "/w/**", args.dryRun: [true], args.edits: any } }`,
    {
      f: { edit_file: closed({ path: text, edits: { type: 'array' }, dryRun: { type: 'boolean' } }, 'path') },
    },
  );

  test('[P.fill.single] is filled with what all of them take, though some of them take more', () => {
    expect(files.call('f/edit_file', { path: '/w/a' })).toMatchObject({
      decision: 'permit',
      args: { path: '/w/a', dryRun: true },
      filled: ['args.dryRun'],
    });
    expect(files.permits('f/edit_file', { path: '/w/a', dryRun: false })).toBe(false);
  });
});

describe('where nothing is filled', () => {
  test('[P.fill.single] leaving it out is allowed as sent', () => {
    expect(allowing('{ args.x: { optional: [a] } }').call('s/t').args).toEqual({});
    expect(allowing('{ args.x: [a] }', '{ args.z: any }').call('s/t')).toMatchObject({
      decision: 'permit',
      args: {},
    });
    expect(allowing('{ args.x: [a] }', '{ args.y: { optional: [1] } }').call('s/t')).toMatchObject({
      decision: 'permit',
      args: {},
    });
  });

  test('[P.fill.single] a default stands there, which is judged as it is', () => {
    expect(allowing('{ args.d: [other] }').call('s/t')).toMatchObject({
      decision: 'deny',
      code: 'not_permitted',
    });
  });

  test('[P.fill.single] several values are told by name and value', () => {
    const found = allowing('{ args.x: [a, b], args.y: any }').call('s/t', { y: 1 });
    expect(found).toMatchObject({
      decision: 'deny',
      code: 'several_values',
      layer: 'policy',
      constraint: 'args.x',
    });
    expect(found.message).toContain('"a"');
    expect(found.message).toContain('"b"');
    expect(allowing('{ args.x: [a] }', '{ args.x: [b] }').call('s/t').code).toBe('several_values');
  });

  test('[P.fill.single] too many to list, or more than one could list, are not filled and not named', () => {
    for (const where of [
      '{ args.y: { min: 1, max: 3.5 } }',
      '{ args.x: { prefix: a } }',
      '{ args.x: present }',
      '{ args.x: { except: [a] } }',
    ]) {
      expect([where, allowing(where).call('s/t').code]).toEqual([where, 'not_permitted']);
    }
  });

  test('[P.fill.single] two rules that differ in which argument they want do not fill either', () => {
    const policy = allowing('{ args.x: [a] }', '{ args.y: [1] }');
    expect(policy.call('s/t')).toMatchObject({ decision: 'deny', code: 'not_permitted' });
  });

  test('[P.fill.not-from-denial] a denial that leaves one of several values fills nothing', () => {
    const policy = under(`
    allow: [ { tools: [s/t], where: { args.x: [a, b] } } ]
    deny: [ { tools: [s/t], where: { args.x: [a] } } ]`);
    expect(policy.call('s/t').decision).toBe('deny');
    expect(policy.permits('s/t', { x: 'b' })).toBe(true);
  });

  test('[P.fill.not-from-denial] a single value that a denial takes away is refused as denied', () => {
    const policy = under(`
    allow: [ { tools: [s/t], where: { args.x: [a], args.y: any } } ]
    deny: [ { tools: [s/t], where: { args.x: [a], args.y: [1] } } ]`);
    expect(policy.call('s/t', { y: 1 })).toMatchObject({ decision: 'deny', code: 'denied' });
    expect(policy.call('s/t', { y: 2 }).args).toEqual({ y: 2, x: 'a' });
  });
});

describe('ceilings and narrowings that bind', () => {
  const bound = (ceiling: string, rule: string, narrow = ''): ReturnType<typeof gate> =>
    gate(
      `pawl: 1
servers: { s: { command: x } }
agents:
  a:
    ${ceiling === '' ? '' : `ceiling: { s: ${ceiling} }`}
    allow: [ { tools: [s/t]${rule} } ]
${narrow === '' ? '' : `instances: { a/i: { narrow: { s: ${narrow} } } }\n`}`,
      tools,
    );

  test('[P.fill.single] a ceiling of one value binds a free rule', () => {
    expect(bound('{ args.x: [a] }', '').call('s/t').args).toEqual({ x: 'a' });
    expect(bound('{ args.x: [a, b] }', '').call('s/t')).toMatchObject({
      code: 'several_values',
      constraint: 'args.x',
    });
  });

  test('[P.fill.single] the values of everything that applies are met', () => {
    expect(bound('{ args.x: [b, c] }', ', where: { args.x: [a, b] }').call('s/t').args).toEqual({ x: 'b' });
    expect(bound('{ args.y: { max: 3 } }', ', where: { args.y: { min: 3 } }').call('s/t').args).toEqual({
      y: 3,
    });
    expect(
      bound('{ args.x: [a, b, c] }', '', '{ args.x: [c] }').call('s/t', {}, { instance: 'i' }).args,
    ).toEqual({ x: 'c' });
    expect(
      bound('{ args.x: [a, b] }', '', '{ args.x: [b, c] }').call('s/t', {}, { instance: 'i' }).args,
    ).toEqual({ x: 'b' });
  });

  test('[P.fill.single] a rule that wants the argument away adds no value to a ceiling', () => {
    const policy = gate(
      `pawl: 1
servers: { s: { command: x } }
agents:
  a:
    ceiling: { s: { args.x: [a, b] } }
    allow: [ { tools: [s/t], where: { args.x: [a], args.y: [1] } }, { tools: [s/t], where: { args.z: [q] } } ]`,
      tools,
    );
    expect(policy.call('s/t')).toMatchObject({ decision: 'permit', args: { x: 'a', y: 1 } });
  });
});
