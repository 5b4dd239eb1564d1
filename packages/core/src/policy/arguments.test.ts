/** POLICY section 4, reading values: absence, defaults, null, text, and what a constrained position refuses. */
import { describe, expect, test } from 'vitest';
import { type Tools, closed, filesystemTools, gate, load, plainTools } from '../../../../test/policies.js';
import type { JsonObject } from '../ground/index.js';

const text = { type: 'string' };
const head = 'pawl: 1\nservers: { s: { command: x, root: /w, home: /home/dev } }\nagents:\n  a:\n';
const under = (rules: string, tools: Tools = plainTools): ReturnType<typeof gate> =>
  gate(head + rules, tools);
const allowing = (where: string, tools: Tools = plainTools): ReturnType<typeof gate> =>
  under(`    allow: [ { tools: [s/t], where: ${where} } ]`, tools);
const properties = (schema: JsonObject, ...required: readonly string[]): Tools => ({
  s: { t: closed(schema, ...required) },
});

describe('absent arguments', () => {
  test('[P.kind.absent] meet no constraint but any, absent and optional', () => {
    const admits = (constraint: string): boolean =>
      allowing(`{ args.x: ${constraint}, args.y: any }`).permits('s/t', { y: 1 });
    for (const constraint of ['any', 'absent', '{ optional: [a, b] }', '{ optional: { min: 1 } }'])
      expect([constraint, admits(constraint)]).toEqual([constraint, true]);
    for (const constraint of [
      'present',
      '[a, b]',
      '{ min: 1 }',
      '{ glob: "*" }',
      '{ path: [/w/**] }',
      '{ except: [a] }',
      '{ items: [a] }',
      '{ in: { glob: "*" }, except: [a] }',
    ]) {
      expect([constraint, admits(constraint)]).toEqual([constraint, false]);
    }
  });

  test('[P.kind.absent] a denial of an argument does not meet a call without it, a denial of absence does', () => {
    const policy = under(`
    allow: [ { tools: [s/t] } ]
    deny: [ { tools: [s/t], where: { args.x: { except: [a] } } }, { tools: [s/t], where: { args.y: absent, args.z: present } } ]`);
    expect([
      policy.permits('s/t'),
      policy.permits('s/t', { x: 'a' }),
      policy.permits('s/t', { x: 'b' }),
    ]).toEqual([true, true, false]);
    expect([policy.permits('s/t', { z: 1 }), policy.permits('s/t', { z: 1, y: 1 })]).toEqual([false, true]);
  });

  test('[P.kind.absent] null under an optional property that is not nullable is an omission, forwarded as one', () => {
    const tools = properties({
      x: text,
      n: { type: ['string', 'null'] },
      d: { type: ['string', 'null'], default: null },
    });
    const policy = allowing(
      '{ args.x: absent, args.n: [[null, v]], args.d: { optional: [v] } }'.replace(
        '[[null, v]]',
        '[null, v]',
      ),
      tools,
    );
    expect(policy.call('s/t', { x: null, n: 'v' })).toMatchObject({ decision: 'permit', args: { n: 'v' } });
    expect(policy.call('s/t', { n: null })).toMatchObject({ decision: 'permit', args: { n: null } });
    expect(policy.call('s/t', { n: 'v', d: null }).args).toEqual({ n: 'v' });
  });

  test('[P.kind.combinations] except is any present value outside, of any type, in both polarities', () => {
    const admitting = allowing('{ args.x: { except: [root] } }');
    expect(
      [5, false, 'guest', null, ['a'], 'ROOT', 'root'].map((x) => admitting.permits('s/t', { x })),
    ).toEqual([true, true, true, true, true, false, false]);
    const refusing = under(`
    allow: [ { tools: [s/t] } ]
    deny: [ { tools: [s/t], where: { args.x: { except: [root, /w/ok] } } } ]`);
    expect(['root', '/w/ok', 'ROOT', 'guest', 5].map((x) => refusing.permits('s/t', { x }))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  test('[P.kind.arrays] an empty array meets a raw constraint in allow, and no denial', () => {
    const policy = under(`
    allow: [ { tools: [s/t], where: { args.x: [a, b] } } ]
    deny: [ { tools: [s/t], where: { args.x: [b] } } ]`);
    expect(
      [[], ['a'], ['a', 'b'], ['a', 'c'], [['a']], [['b']]].map((x) => policy.permits('s/t', { x })),
    ).toEqual([true, true, false, false, true, false]);
  });

  test('[P.kind.arrays] a path through an array means every element in allow and some element in deny', () => {
    const policy = under(`
    allow: [ { tools: [s/t], where: { args.o.l.k: [a, b], rest: any } } ]
    deny: [ { tools: [s/t], where: { args.o.l.k: [b] } } ]`);
    const permits = (...ks: readonly (string | undefined)[]): boolean =>
      policy.permits('s/t', { o: { l: ks.map((k): JsonObject => (k === undefined ? { j: 1 } : { k })) } });
    expect([
      permits(),
      permits('a', 'a'),
      permits('a', 'c'),
      permits('a', 'b'),
      permits('a', undefined),
    ]).toEqual([true, true, false, false, false]);
  });
});

describe('defaults in constrained positions', () => {
  const tools = properties({ mode: { ...text, default: 'fast' }, n: { type: 'number' } });

  test('[P.kind.defaults] are judged and forwarded', () => {
    expect(allowing('{ args.mode: [fast, slow] }', tools).call('s/t')).toMatchObject({
      decision: 'permit',
      args: { mode: 'fast' },
      filled: [],
    });
    expect(allowing('{ args.mode: [fast, slow] }', tools).call('s/t', { mode: 'slow' }).args).toEqual({
      mode: 'slow',
    });
  });

  test('[P.kind.defaults] are refused outside the set, never replaced', () => {
    expect(allowing('{ args.mode: [slow] }', tools).call('s/t')).toMatchObject({
      decision: 'deny',
      code: 'not_permitted',
      constraint: 'args.mode',
    });
    const denied = under(
      '    allow: [ { tools: [s/t] } ]\n    deny: [ { tools: [s/t], where: { args.mode: [fast] } } ]',
      tools,
    );
    expect(denied.call('s/t')).toMatchObject({ code: 'denied', constraint: 'args.mode' });
    expect(denied.permits('s/t', { mode: 'slow' })).toBe(true);
  });

  test('[P.kind.defaults] are forwarded where a denial alone constrains the argument', () => {
    const policy = under(
      '    allow: [ { tools: [s/t] } ]\n    deny: [ { tools: [s/t], where: { args.mode: [slow] } } ]',
      tools,
    );
    expect(policy.call('s/t').args).toEqual({ mode: 'fast' });
  });

  test('[P.kind.defaults] stay away where nothing constrains the argument, any and present included', () => {
    expect(under('    allow: [ { tools: [s/t] } ]', tools).call('s/t').args).toEqual({});
    expect(allowing('{ args.mode: any, args.n: { optional: { min: 1 } } }', tools).call('s/t').args).toEqual(
      {},
    );
    expect(allowing('{ args.mode: present }', tools).permits('s/t')).toBe(false);
  });

  test('[P.kind.defaults] an omitted argument stays an omission for a rule that does not name it', () => {
    const policy = under(
      `
    allow:
      - { tools: [s/t], where: { args.mode: [slow], args.n: [1] } }
      - { tools: [s/t], where: { args.n: [2] } }`,
      tools,
    );
    expect(policy.call('s/t', { n: 2 })).toMatchObject({ decision: 'permit', args: { n: 2, mode: 'fast' } });
    expect(policy.permits('s/t', { n: 2, mode: 'fast' })).toBe(false);
    expect(policy.permits('s/t', { n: 1 })).toBe(false);
  });

  test('[P.kind.defaults] of an object around the argument are judged and forwarded too', () => {
    const nested = properties({
      o: {
        type: 'object',
        properties: { depth: { type: 'number' } },
        additionalProperties: false,
        default: { depth: 9 },
      },
    });
    const denying = under(
      '    allow: [ { tools: [s/t] } ]\n    deny: [ { tools: [s/t], where: { args.o.depth: { above: 3 } } } ]',
      nested,
    );
    expect(denying.call('s/t')).toMatchObject({ code: 'denied' });
    expect(denying.call('s/t', { o: {} }).args).toEqual({ o: {} });
    expect(allowing('{ args.o.depth: { max: 9 } }', nested).call('s/t').args).toEqual({ o: { depth: 9 } });
  });

  test('[P.kind.defaults] inside the elements of an array are judged one by one', () => {
    const nested = properties({
      l: { type: 'array', items: { type: 'object', properties: { k: { ...text, default: 'd' } } } },
    });
    const policy = allowing('{ args.l.k: [c, d] }', nested);
    expect(policy.call('s/t', { l: [{}, { k: 'c' }] }).args).toEqual({ l: [{ k: 'd' }, { k: 'c' }] });
    expect(policy.permits('s/t', { l: [{}, { k: 'e' }] })).toBe(false);
  });
});

describe('what a constrained position refuses', () => {
  const odd: readonly (readonly [string, string])[] = [
    ['not NFC', 'cafe\u0301'],
    ['a lone surrogate', 'x\ud800'],
    ['U+0000', 'x\u0000'],
  ];

  test('[P.kind.text-unicode] a constrained string that is not NFC, has a lone surrogate or U+0000 is refused as unreadable', () => {
    for (const where of [
      '{ args.x: { glob: "*" } }',
      '{ args.x: { except: [z] } }',
      '{ args.x: { path: [/w/**] } }',
    ]) {
      for (const [, value] of odd) {
        expect(allowing(where).call('s/t', { x: value })).toMatchObject({
          code: 'malformed_arguments',
          layer: 'decode',
          constraint: 'args.x',
        });
        expect(allowing(where).permits('s/t', { x: ['ok', value] })).toBe(false);
      }
    }
  });

  test('[P.kind.text-unicode] a list that only denies or asks refuses it too, and what nothing constrains is never touched', () => {
    const denying = under(
      '    allow: [ { tools: [s/t] } ]\n    deny: [ { tools: [s/t], where: { args.x: [z] } } ]',
    );
    const asking = under(
      '    allow: [ { tools: [s/t] } ]\n    ask: [ { tools: [s/t], where: { args.x: [z] } } ]',
    );
    const free = under('    allow: [ { tools: [s/t], where: { args.x: any, args.y: present } } ]');
    for (const [what, value] of odd) {
      expect([what, denying.permits('s/t', { x: value })]).toEqual([what, false]);
      expect([what, asking.call('s/t', { x: value }).decision]).toEqual([what, 'deny']);
      expect([what, denying.permits('s/t', { y: value })]).toEqual([what, true]);
      expect([what, free.call('s/t', { x: value, y: value }).args]).toEqual([what, { x: value, y: value }]);
    }
  });

  test('[P.kind.strict-types] "1" is not 1, true is not "true", 1 is 1.0', () => {
    const policy = allowing('{ args.x: [1, "2", true] }');
    expect([1, '1', 2, '2', true, 'true', null].map((x) => policy.permits('s/t', { x }))).toEqual([
      true,
      false,
      false,
      true,
      true,
      false,
      false,
    ]);
  });

  test('[P.kind.path-lexical] a raw path is judged in its canonical form and forwarded so, in arrays too', () => {
    const policy = allowing('{ args.x: { path: [/w/**, ~/notes] } }');
    expect(policy.call('s/t', { x: 'a/../b/' }).args).toEqual({ x: '/w/b' });
    expect(policy.call('s/t', { x: '~/./notes' }).args).toEqual({ x: '/home/dev/notes' });
    expect(policy.call('s/t', { x: ['a', '/w//b'] }).args).toEqual({ x: ['/w/a', '/w/b'] });
    expect(policy.permits('s/t', { x: '../etc' })).toBe(false);
    expect(policy.permits('s/t', { x: ['a', '/etc'] })).toBe(false);
    expect(policy.call('s/t', { x: '~bo/a' })).toMatchObject({ code: 'malformed_arguments' });
    expect(policy.permits('s/t', { x: 5 })).toBe(false);
  });

  test('[P.kind.path-lexical] where another rule admits the text as it was sent, that is what is forwarded', () => {
    const policy = allowing('{ args.x: { either: [["-"], { path: [/w/**] }] } }');
    expect(policy.call('s/t', { x: '-' }).args).toEqual({ x: '/w/-' });
    const apart = allowing('{ args.x: { either: [["-"], { path: [/w/in/**] }] } }');
    expect(apart.call('s/t', { x: '-' }).args).toEqual({ x: '-' });
    expect(apart.call('s/t', { x: 'in/./a' }).args).toEqual({ x: '/w/in/a' });
  });

  test('[P.authority.order-free] which form is forwarded does not depend on the order of rules', () => {
    const rules = [
      '{ tools: [s/t], where: { args.x: ["a/../b", c] } }',
      '{ tools: [s/t], where: { args.x: { path: [/w/b] } } }',
    ];
    const forwarded = [rules, [...rules].reverse()].map(
      (list) => under(`    allow: [ ${list.join(', ')} ]`).call('s/t', { x: 'a/../b' }).args,
    );
    expect(forwarded).toEqual([{ x: '/w/b' }, { x: '/w/b' }]);
  });

  test('[S002.same-object] without constraints the arguments are forwarded as the very same object', () => {
    const args: JsonObject = { x: '../odd', o: { deep: [1] } };
    expect(under('    allow: [ { tools: [s/t] } ]').call('s/t', args).args).toBe(args);
    expect(allowing('{ args.x: any, args.o: present }').call('s/t', args).args).toBe(args);
  });
});

describe('paths of a connector', () => {
  const files = (rules: string, server = 'root: /w'): ReturnType<typeof gate> =>
    gate(
      `pawl: 1\nservers: { files: { command: x, connector: filesystem, ${server} } }\nagents:\n  a:\n${rules}`,
      { files: filesystemTools },
    );

  test('[P.kind.path-lexical] are forwarded canonical where a list constrains the field, in arrays too', () => {
    const policy = files('    allow: [ { tools: ["files/*"], where: { path: /w/** } } ]');
    expect(policy.call('files/read_text_file', { path: 'a/./b' }).args).toEqual({ path: '/w/a/b' });
    expect(policy.call('files/read_multiple_files', { paths: ['a', '/w/x/../b'] }).args).toEqual({
      paths: ['/w/a', '/w/b'],
    });
    expect(policy.call('files/move_file', { source: 'a/', destination: './b' }).args).toEqual({
      source: '/w/a',
      destination: '/w/b',
    });
    expect(policy.permits('files/read_text_file', { path: '../../../w/../etc/passwd' })).toBe(false);
    expect(policy.call('files/read_text_file', { path: '~/a' })).toMatchObject({
      code: 'malformed_arguments',
      layer: 'decode',
      constraint: 'path',
    });
  });

  test('[S002.same-object] are forwarded as sent where nothing constrains the field', () => {
    const args: JsonObject = { path: '~bo/../x', head: 3 };
    expect(files('    allow: [ { tools: ["files/*"] } ]').call('files/read_text_file', args).args).toBe(args);
  });

  test('[P.kind.path-lexical] a denial alone makes the field constrained', () => {
    const policy = files('    allow: [ { tools: ["files/*"] } ]\n    deny: [ { where: { path: /w/key } } ]');
    expect(policy.permits('files/read_text_file', { path: 'sub/../key' })).toBe(false);
    expect(policy.call('files/read_text_file', { path: '~bo/x' }).code).toBe('malformed_arguments');
    expect(policy.call('files/read_text_file', { path: '/w/a/' }).args).toEqual({ path: '/w/a' });
  });

  test('[P.kind.polarity] allow compares code points, deny folds, and except flips', () => {
    const policy = files(`
    allow: [ { tools: ["files/*"], where: { path: { in: /w/Docs/**, except: /w/Docs/Vault/** } } } ]
    deny: [ { where: { path: { in: "**/*.KEY", except: "**/pub.key" } } } ]`);
    const permits = (path: string): boolean => policy.permits('files/read_text_file', { path });
    expect([permits('/w/Docs/a'), permits('/w/docs/a'), permits('/w/Docs/vault/a')]).toEqual([
      true,
      false,
      false,
    ]);
    expect([permits('/w/Docs/a.key'), permits('/w/Docs/pub.key'), permits('/w/Docs/PUB.key')]).toEqual([
      false,
      true,
      false,
    ]);
  });

  test('[P.kind.polarity] a server that folds letters folds in allow too', () => {
    const policy = files(
      '    allow: [ { tools: ["files/*"], where: { path: /w/Docs/** } } ]',
      'root: /w, case: insensitive',
    );
    expect(policy.permits('files/read_text_file', { path: '/W/dOCS/a' })).toBe(true);
    expect(policy.permits('files/read_text_file', { path: '/w/other' })).toBe(false);
  });

  test('[P.connector.filesystem] a call that names no path is refused', () => {
    const policy = files('    allow: [ { tools: ["files/*"] } ]');
    expect(policy.call('files/read_multiple_files', { paths: [] })).toMatchObject({
      code: 'malformed_arguments',
      layer: 'decode',
    });
    expect(policy.call('files/read_text_file')).toMatchObject({ code: 'malformed_arguments' });
    expect(policy.permits('files/list_allowed_directories')).toBe(true);
  });

  test('[P.kind.path-lexical] an element that is no text is not passed over where no schema is known', () => {
    const policy = gate(
      'pawl: 1\nservers: { files: { command: x, connector: filesystem, root: /w } }\nagents: { a: { allow: [ { tools: [files/read_multiple_files], where: { path: /w/** } } ] } }',
    );
    expect(policy.permits('files/read_multiple_files', { paths: ['/w/a'] })).toBe(true);
    expect(policy.permits('files/read_multiple_files', { paths: ['/w/a', { path: '/etc' }] })).toBe(false);
  });
});

describe('unknown arguments', () => {
  test('[P.decode.unknown-argument] are malformed under a closed schema, whatever a rule frees', () => {
    expect(under('    allow: [ { tools: [s/t] } ]').call('s/t', { nope: 1 })).toMatchObject({
      code: 'malformed_arguments',
      layer: 'decode',
    });
    expect(allowing('{ args.x: [a], rest: any }').permits('s/t', { x: 'a', nope: 1 })).toBe(false);
  });

  test('[P.decode.unknown-argument] under an open schema whole-tool rules admit them, and constrained rules have to name or free them', () => {
    for (const schema of [
      { type: 'object', properties: { x: text }, additionalProperties: true },
      { type: 'object' },
      {},
    ]) {
      const tools = { s: { t: schema } };
      expect(under('    allow: [ { tools: [s/t] } ]', tools).permits('s/t', { more: 1 })).toBe(true);
      expect(allowing('{ args.x: [a] }', tools).permits('s/t', { x: 'a', more: 1 })).toBe(false);
      expect(allowing('{ args.x: [a], args.more: [1] }', tools).permits('s/t', { x: 'a', more: 1 })).toBe(
        true,
      );
      expect(allowing('{ args.x: [a], rest: any }', tools).permits('s/t', { x: 'a', more: 1 })).toBe(true);
    }
  });

  test('[P.decode.unknown-argument] names of what every object has are ordinary arguments', () => {
    const tools = { s: { t: {} } };
    const policy = allowing('{ args.constructor: [a], args.toString: { optional: [b] } }', tools);
    expect(policy.permits('s/t', { constructor: 'a' })).toBe(true);
    expect(policy.permits('s/t', {})).toBe(true);
    expect(policy.permits('s/t', { constructor: 'a', hasOwnProperty: 1 })).toBe(false);
    expect(
      load(`${head}    allow: [ { tools: [s/t], where: { args.constructor: [a] } } ]`, plainTools).problems,
    ).toHaveLength(1);
  });
});
