/** Declared connectors whose fields are commands. */
import { describe, expect, test } from 'vitest';
import { type Gate, type Tools, closed, gate, load } from '../../../../test/policies.js';

const text = { type: 'string' };
const tools: Tools = {
  d: {
    run: closed({ line: text, cwd: text, note: text }, 'line'),
    many: closed({ lines: { type: 'array', items: text } }),
  },
};
const connector = `connectors:
  runner:
    fields: { cmd: { kind: command } }
    tools:
      run: { verb: execute, reads: { cmd: { argument: line, base: cwd } }, payload: [note] }
      many: { accesses: [ { verb: execute, cmd: lines } ] }
`;

function under(lists: string): Gate {
  return gate(
    `pawl: 1\nservers: { d: { command: x, connector: runner, root: /w } }\n${connector}agents: { a: { ${lists} } }\n`,
    tools,
  );
}

describe('[P.connector.declared] [P.kind.command] a field that is a command', () => {
  test('is constrained in its long form, and its words by path', () => {
    const own = under('allow: [ { tools: ["d/*"], where: { cmd: { program: [cat] }, path: /w/** } } ]');
    expect(own.permits('d/run', { line: 'cat a', note: '$(x)' })).toBe(true);
    expect(own.permits('d/run', { line: 'cat a; cat /etc/x' })).toBe(false);
    expect(own.permits('d/run', { line: 'cat a', cwd: '/etc' })).toBe(false);
    expect(own.permits('d/run', { line: 'cat a', cwd: 'sub' })).toBe(true);
    expect(own.permits('d/many', { lines: ['cat a', 'cat b; cat c'] })).toBe(true);
    expect(own.permits('d/many', { lines: ['cat a', 'ls'] })).toBe(false);
    expect(own.permits('d/many', { lines: ['cat a', 'cat $x'] })).toBe(false);
    expect(own.permits('d/many', {})).toBe(false);
  });

  test('leaves nothing to judge where the working directory cannot be resolved', () => {
    const own = under('allow: [ { tools: ["d/*"], where: { cmd: { program: [cat] }, path: /** } } ]');
    expect(own.call('d/run', { line: 'cat a', cwd: '~root' })).toMatchObject({
      code: 'malformed_arguments',
      constraint: 'path',
    });
    expect(own.permits('d/run', { line: 'cat /a', cwd: '~root' })).toBe(true);
  });

  test('combines with constraints on raw arguments and denials', () => {
    const own = under(
      'allow: [ { tools: [d/run], where: { cmd: { program: [cat] }, args.note: [a] } } ], deny: [ { where: { cmd: { has: [-f] } } } ]',
    );
    expect(own.permits('d/run', { line: 'cat a', note: 'a' })).toBe(true);
    expect(own.permits('d/run', { line: 'cat a', note: 'b' })).toBe(false);
    expect(own.call('d/run', { line: 'cat -f', note: 'a' }).code).toBe('denied');
  });

  test('[P.policy.positions] takes a base, and no forward', () => {
    const wrong = connector.replace('base: cwd', 'base: cwd, forward: relative');
    const { problems } = load(
      `pawl: 1\nservers: { d: { command: x, connector: runner } }\n${wrong}agents: { a: { allow: [] } }\n`,
      tools,
    );
    expect(problems.map(({ found }) => found)).toEqual(['a field that is no path']);
  });
});

describe('[P.authority.meet] a ceiling on the paths of a raw tool that runs commands', () => {
  const raw = (ceiling: string): ReturnType<typeof load> =>
    load(
      `pawl: 1\nservers: { d: { command: x, root: /w } }\nagents: { a: { ceiling: { d: { ${ceiling} } }, allow: [ { tools: [d/run], where: { args.line: { program: [cat] } } } ] } }\n`,
      tools,
    );

  test('bounds its words', () => {
    expect(raw('path: [/w/**]').problems).toEqual([]);
    const own = gate(
      `pawl: 1\nservers: { d: { command: x, root: /w } }\nagents: { a: { ceiling: { d: { path: [/w/**] } }, allow: [ { tools: [d/run], where: { args.line: { program: [cat] } } } ] } }\n`,
      tools,
    );
    expect(own.permits('d/run', { line: 'cat a' })).toBe(true);
    expect(own.call('d/run', { line: 'cat /etc/x' })).toMatchObject({
      code: 'out_of_scope',
      layer: 'ceiling',
    });
  });

  test('[P.connector.ceiling-junk] names no other field', () => {
    expect(raw('url: ["https://x.example"]').problems).toHaveLength(1);
  });
});
