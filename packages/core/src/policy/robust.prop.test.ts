/** Whatever a document, a tool or a call contains: an answer, never an exception. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Tools, closed, filesystemTools, gate, load, plainTools } from '../../../../test/policies.js';
import type { Json } from '../ground/index.js';

const words = [
  'pawl',
  'servers',
  'agents',
  'allow',
  'deny',
  'ask',
  'tools',
  'where',
  'verbs',
  'reach',
  'rest',
  'ceiling',
  'instances',
  'narrow',
  'path',
  'args.x',
  'args',
  'any',
  'once',
  'items',
  'optional',
  'in',
  'except',
  'min',
  'glob',
  'set',
  'either',
  's/t',
  's/*',
  '**',
  '/w/**',
  '__proto__',
  'constructor',
  'a',
  'a/b',
  's',
  'command',
  'connector',
  'filesystem',
];
const word = fc.constantFrom(...words);
const scalar = fc.oneof(
  word,
  fc.string({ maxLength: 6, unit: 'binary' }),
  fc.constantFrom<Json>(1, -0, 1.5, true, null, 1e308),
);
const { tree: anything } = fc.letrec<{ tree: Json; list: Json; map: Json }>((tie) => ({
  tree: fc.oneof({ maxDepth: 4, depthSize: 'small' }, scalar, tie('list'), tie('map')),
  list: fc.array(tie('tree'), { maxLength: 3 }),
  map: fc.dictionary(word, tie('tree'), { maxKeys: 3 }),
}));
const json = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' });
const rule = fc.record(
  {
    tools: fc.oneof(fc.constant(['s/t']), anything),
    where: fc.dictionary(fc.constantFrom('args.x', 'args.o.k', 'rest', 'path'), anything, { maxKeys: 2 }),
  },
  { requiredKeys: ['tools'] },
);
const document = fc.oneof(
  anything,
  fc.dictionary(word, anything, { maxKeys: 4 }).map((rest) => ({ ...rest, pawl: 1 })),
  fc.record({
    pawl: fc.constant(1),
    servers: fc.constant({ s: { command: 'x', root: '/w' } }),
    agents: fc.record({
      a: fc.record(
        {
          allow: fc.array(rule, { maxLength: 2 }),
          deny: fc.array(rule, { maxLength: 2 }),
          ceiling: anything,
        },
        { requiredKeys: ['allow'] },
      ),
    }),
  }),
);

describe('robustness', () => {
  test('[P.policy.positions] any document loads or is refused with what is wrong, where, and what is allowed there', () => {
    fc.assert(
      fc.property(document, fc.constantFrom<Tools | undefined>(plainTools, undefined), (each, tools) => {
        const { policy, problems } = load(JSON.stringify(each), tools);
        expect(policy === undefined).toBe(problems.length > 0);
        for (const { at, found, allowed, message } of problems) {
          expect(at.line).toBeGreaterThan(0);
          expect(at.column).toBeGreaterThan(0);
          expect(Math.min(found.length, allowed.length, message.length)).toBeGreaterThan(0);
        }
      }),
      { numRuns: 400 },
    );
  });

  test('[P.decode.no-throw] any arguments are answered, and refusals are short', () => {
    const servers =
      'servers: { s: { command: x, root: /w }, files: { command: x, connector: filesystem, root: /w } }';
    const policy = gate(
      `pawl: 1\n${servers}
agents:
  a:
    ceiling: { s: { args.y: { max: 3 } }, filesystem: { path: [/w/**] } }
    allow:
      - { tools: [s/t], where: { args.x: { either: [[a, 1], { path: [/w/**] }, { items: { glob: "a*" }, maxItems: 2 }] }, args.o.k.l: { optional: [b] }, args.y: any } }
      - { tools: [s/t, s/open], where: { args.z: { except: [secret] }, rest: any }, ask: session }
      - { tools: ["files/*"], where: { path: { in: /w/**, except: "**/.git/**" } } }
    ask: [ { where: { args.y: [2] } } ]
    deny: [ { where: { args.o: { except: [q] } } }, { where: { path: "**/.env" } } ]`,
      {
        s: { ...plainTools['s'], open: { type: 'object', properties: { z: {}, y: { default: 2 }, o: {} } } },
        files: filesystemTools,
      },
    );
    const args = fc.oneof(
      json,
      fc.dictionary(
        fc.constantFrom('x', 'y', 'z', 'o', 'path', 'paths', 'source', 'destination', '__proto__'),
        json,
        { maxKeys: 4 },
      ),
    );
    const tool = fc.constantFrom(
      's/t',
      's/open',
      's/none',
      'files/read_multiple_files',
      'files/move_file',
      'files/directory_tree',
    );
    fc.assert(
      fc.property(tool, args, (name, given) => {
        const verdict = policy.call(name, given);
        expect(verdict.message?.length ?? 0).toBeLessThanOrEqual(200);
        if (verdict.decision === 'deny') expect(verdict.message).not.toBe('');
      }),
      { numRuns: 1500 },
    );
  });

  test('[P.decode.no-throw] patterns whose union is too large to build are no reason to throw, nor to fill', () => {
    const wide = Array.from(
      { length: 4 },
      (_, i) => `{ tools: [s/t], where: { args.x: { glob: "*${'abcd'[i] ?? ''}${'?'.repeat(12)}" } } }`,
    );
    const policy = gate(
      `pawl: 1\nservers: { s: { command: x } }\nagents: { a: { allow: [ ${wide.join(', ')} ], ceiling: { s: { args.x: { glob: "*e????????????" } } } } }`,
      { s: { t: closed({ x: { type: 'string' } }) } },
    );
    expect(policy.call('s/t').decision).toBe('deny');
    expect(policy.permits('s/t', { x: 'a'.repeat(13) })).toBe(false);
  });

  test('[P.authority.extent] a region of which it takes too many steps to see whether rules cover it is refused', () => {
    const [p, q, r, t] = ['a', 'b', 'c', 'd'].map((letter) => `/w/**/*${letter}${'?'.repeat(7)}`);
    const rules = [{ in: '/w/**', except: [p, q] }, [p, r], [q, t]].map((path) => ({
      tools: ['files/directory_tree'],
      where: { path },
    }));
    const servers = { files: { command: 'x', connector: 'filesystem', case: 'insensitive' } };
    const policy = gate(JSON.stringify({ pawl: 1, servers, agents: { a: { allow: rules } } }), {
      files: filesystemTools,
    });
    expect(policy.call('files/directory_tree', { path: '/w' })).toMatchObject({ code: 'not_permitted' });
  });
});
