/** What a refusal says: code, layer, constraint and rule as the contract has them, and a message that gives nothing away. */
import { describe, expect, test } from 'vitest';
import { type Tools, closed, filesystemTools, gate } from '../../../../test/policies.js';

const text = { type: 'string' };
const tools: Tools = {
  s: { t: closed({ x: text, y: { type: 'number' } }), u: closed({ q: text }) },
  files: filesystemTools,
};
const servers =
  'pawl: 1\nservers:\n  s: { command: x, root: /w }\n  files: { command: y, connector: filesystem, root: /w }\n';
const under = (rules: string): ReturnType<typeof gate> => gate(`${servers}agents:\n  a:\n${rules}`, tools);

describe('not_permitted', () => {
  test('[P.level.default-deny] names the field if exactly one rule failed in exactly one field', () => {
    const policy = under('    allow: [ { tools: [s/t], where: { args.x: [a, b], args.y: { max: 3 } } } ]');
    expect(policy.call('s/t', { x: 'c', y: 1 })).toMatchObject({
      code: 'not_permitted',
      layer: 'policy',
      constraint: 'args.x',
      rule: 'agents.a.allow[0]',
    });
    expect(policy.call('s/t', { x: 'a', y: 9 }).constraint).toBe('args.y');
    expect(policy.call('s/t', { x: 'c', y: 9 })).not.toHaveProperty('constraint');
    expect(policy.call('s/u')).not.toHaveProperty('constraint');
  });

  test('[P.level.default-deny] names none if two rules came as near, whichever their order', () => {
    const policy = under(
      '    allow: [ { tools: [s/t], where: { args.x: [a], args.y: any } }, { tools: [s/t], where: { args.y: [1], args.x: any } } ]',
    );
    expect(policy.call('s/t', { x: 'c', y: 2 })).not.toHaveProperty('constraint');
    const near = under(
      '    allow: [ { tools: [s/t], where: { args.x: [a], args.y: any } }, { tools: [s/t], where: { args.y: [1], args.x: [z] } } ]',
    );
    expect(near.call('s/t', { x: 'c', y: 2 })).toMatchObject({
      constraint: 'args.x',
      rule: 'agents.a.allow[0]',
    });
  });

  test('[P.rule.closed-world] names the argument that has to be left out', () => {
    const found = under('    allow: [ { tools: [s/t], where: { args.x: [a] } } ]').call('s/t', {
      x: 'a',
      y: 1,
    });
    expect(found).toMatchObject({ code: 'not_permitted', constraint: 'args.y' });
    expect(found.message).toContain('args.y must be left out');
  });

  test('[P.level.default-deny] for several accesses the first that is outside is the one that is told', () => {
    const policy = under('    allow: [ { tools: [files/read_multiple_files], where: { path: /w/** } } ]');
    expect(policy.call('files/read_multiple_files', { paths: ['/w/a', '/etc/b'] })).toMatchObject({
      constraint: 'path',
      rule: 'agents.a.allow[0]',
    });
  });
});

describe('denied', () => {
  test('[P.level.deny-wins] names the field and the rule of the denial', () => {
    const policy = under(
      '    allow: [ { tools: ["s/*", "files/*"] } ]\n    deny: [ { tools: [s/u] }, { where: { path: "**/.env" } }, { tools: [s/t], where: { args.x: [k] } } ]',
    );
    expect(policy.call('files/read_text_file', { path: '/w/.env' })).toMatchObject({
      code: 'denied',
      layer: 'policy',
      constraint: 'path',
      rule: 'agents.a.deny[1]',
    });
    expect(policy.call('s/t', { x: 'K' })).toMatchObject({
      code: 'denied',
      constraint: 'args.x',
      rule: 'agents.a.deny[2]',
    });
    expect(policy.call('s/u')).toMatchObject({ code: 'denied', rule: 'agents.a.deny[0]' });
    expect(policy.call('s/u')).not.toHaveProperty('constraint');
  });

  test('[P.level.deny-wins] the message does not show what is denied', () => {
    const policy = under(
      '    allow: [ { tools: [s/t] } ]\n    deny: [ { tools: [s/t], where: { args.x: [hidden-one, hidden-two] } } ]',
    );
    const { message } = policy.call('s/t', { x: 'hidden-one' }, { disclosure: 'values' });
    expect(message).not.toContain('hidden-two');
  });

  test('[P.level.deny-wins] is told before a ceiling, and a malformed call before both', () => {
    const policy = under(
      '    ceiling: { s: { args.x: [a] } }\n    allow: [ { tools: [s/t] } ]\n    deny: [ { tools: [s/t], where: { args.x: [b] } } ]',
    );
    expect(policy.call('s/t', { x: 'b' }).code).toBe('denied');
    expect(policy.call('s/t', { x: 'c' }).code).toBe('out_of_scope');
    expect(policy.call('s/t', { x: 'b', nope: 1 }).code).toBe('malformed_arguments');
  });
});

describe('messages', () => {
  const long = Array.from({ length: 40 }, (_, i) => `value-number-${i}`).join(', ');
  const policy = gate(
    `${servers}agents:
  a:
    ceiling: { s: { args.x: [${long}, a, b] } }
    allow: [ { tools: [s/t], where: { args.x: [${long}], args.y: any } }, { tools: [s/u], where: { args.q: [one, two] } } ]
  other: { allow: [ { tools: [s/t], where: { args.x: [theirs] } } ] }
`,
    tools,
  );

  test('[P.decode.no-throw] have at most 200 characters, whatever is in the call and in the rules', () => {
    const calls = [
      { x: 'z'.repeat(5000) },
      { x: 'a', y: 1 },
      {},
      { ['k'.repeat(5000)]: 1 },
      { y: 'text' },
      { x: '\u0000' },
    ];
    for (const args of calls) {
      for (const disclosure of ['names', 'values'] as const) {
        const { decision, message } = policy.call('s/t', args, { disclosure });
        expect(decision).toBe('deny');
        expect(message?.length).toBeLessThanOrEqual(200);
      }
    }
  });

  test('[P.level.default-deny] show short lists, long ones only where values are disclosed, none where names are', () => {
    expect(policy.call('s/u', { q: 'no' }).message).toContain('one, two');
    expect(policy.call('s/u', { q: 'no' }, { disclosure: 'names' }).message).not.toContain('two');
    expect(policy.call('s/t', { x: 'no' }).message).not.toContain('value-number');
    expect(policy.call('s/t', { x: 'no' }, { disclosure: 'values' }).message).toContain('value-number-0');
  });

  test('[P.level.default-deny] hold nothing of another executor', () => {
    for (const disclosure of ['names', 'values'] as const) {
      for (const args of [{ x: 'no' }, {}, { x: 'no', y: 1 }]) {
        const found = policy.call('s/t', args, { disclosure });
        expect(JSON.stringify(found)).not.toContain('theirs');
      }
    }
  });
});
