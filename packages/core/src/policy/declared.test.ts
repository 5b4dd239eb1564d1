/** Declared connectors: lists and inner calls, and that nothing of a call goes on unjudged. */
import { describe, expect, test } from 'vitest';
import { type Tools, closed, filesystemTools, gate } from '../../../../test/policies.js';
import type { Json, JsonObject } from '../ground/index.js';

const text = { type: 'string' };
const data = 'where: { file: /data/** }';

interface Declared {
  readonly fields?: string;
  /** Of the one tool `d/t`. */
  readonly table: string;
  readonly schema: JsonObject;
  readonly where?: string;
  readonly more?: string;
  readonly inner?: Tools[string];
}

function declared({ fields, table, schema, where = data, more = '', inner = filesystemTools }: Declared): {
  code: (args: Json) => string | undefined;
  args: (args: Json) => Json | undefined;
} {
  const document = `
pawl: 1
servers:
  files: { command: x, connector: filesystem, root: /data }
  d: { command: x, connector: c, root: /data }
  r: { command: x, root: /data }
connectors:
  c: { fields: { ${fields ?? 'file: { kind: path }'} }, tools: { t: ${table} } }
agents:
  a:
    allow:
      - { tools: [d/t], ${where} }
      - { tools: [files/read_text_file], where: { path: /data/** } }
${more}`;
  const policy = gate(document, { files: inner, d: { t: schema }, r: { t: closed({ f: text }) } });
  const call = (args: Json): ReturnType<typeof policy.call> => policy.call('d/t', args);
  return { code: (args) => call(args).code, args: (args) => call(args).args };
}

describe('[P.connector.declared] inner calls', () => {
  const reading = (path: string): JsonObject => ({ tool: 'files/read_text_file', arguments: { path } });
  const many = '{ calls: { each: args.batches.calls, tool: tool, arguments: arguments } }';
  const single = '{ calls: { server: files, tool: args.spec.tool, arguments: args.spec.input } }';

  test('what stands where a list of calls should is refused, also beside lists that are in order', () => {
    const { code } = declared({ table: many, schema: { type: 'object' }, where: '' });
    expect(code({ batches: [{ calls: [reading('/data/x')] }] })).toBeUndefined();
    expect(code({ batches: [{ calls: [reading('/data/x')] }, {}] })).toBeUndefined();
    for (const other of [reading('/etc/x'), [[reading('/etc/x')]], 'x', { 0: reading('/etc/x') }]) {
      const args = { batches: [{ calls: [reading('/data/x')] }, { calls: other }] };
      expect(code(args)).toBe('malformed_arguments');
    }
  });

  test('a list in the place of one call is refused: only its first would be judged', () => {
    const { code } = declared({ table: single, schema: { type: 'object' }, where: '' });
    const spec = (path: string): JsonObject => ({ tool: 'read_text_file', input: { path } });
    expect(code({ spec: spec('/data/x') })).toBeUndefined();
    expect(code({ spec: [spec('/data/x'), spec('/etc/x')] })).toBe('malformed_arguments');
  });

  test('more than four thousand and some are refused before they are judged', () => {
    const { code } = declared({ table: many, schema: { type: 'object' }, where: '' });
    const half = { calls: Array.from({ length: 2_100 }, () => reading('/data/x')) };
    expect(code({ batches: [half, half] })).toBe('malformed_arguments');
  });

  test('defaults of the tool and of its arguments are judged and made explicit', () => {
    const table = '{ calls: { server: files, tool: args.tool, arguments: args.input } }';
    const schema = (path: string): JsonObject =>
      closed({
        tool: { ...text, default: 'read_text_file' },
        input: { type: 'object', default: { path } },
      });
    expect(declared({ table, schema: schema('/data/x'), where: '' }).args({})).toEqual({
      tool: 'read_text_file',
      input: { path: '/data/x' },
    });
    expect(declared({ table, schema: schema('/etc/x'), where: '' }).code({})).toBe('not_permitted');
  });

  test('a dispatcher is judged with the calls as they are forwarded, not as they are spelled', () => {
    const { code } = declared({
      table: '{ calls: { server: files, tool: args.tool, arguments: args.input } }',
      schema: closed({ tool: text, input: { type: 'object' } }),
      where: '',
      more: '    deny: [ { tools: [d/t], where: { args.input.path: /data/secret } } ]',
    });
    const read = (path: string): Json => ({ tool: 'read_text_file', input: { path } });
    expect(code(read('/data/open'))).toBeUndefined();
    expect(['/data/secret', '/data/./secret', 'secret'].map((path) => code(read(path)))).toEqual([
      'denied',
      'denied',
      'denied',
    ]);
  });
});

describe('[P.connector.declared] accesses', () => {
  test('an element of a list that leaves its argument out is judged by what that means', () => {
    const table = (more = ''): string =>
      `{ verb: read, reads: { file: args.items.file }, payload: [args.items.n]${more} }`;
    const schema = (file: JsonObject): JsonObject =>
      closed({ items: { type: 'array', items: closed({ file: { ...text, ...file }, n: text }) } }, 'items');
    const args = { items: [{ file: '/data/a' }, { n: 'x' }] };
    const omitted = (what: string): ReturnType<typeof declared> =>
      declared({ table: table(`, omitted: { file: ${what} }`), schema: schema({}) });
    expect(declared({ table: table(), schema: schema({ default: '/etc/x' }) }).code(args)).toBe(
      'not_permitted',
    );
    for (const one of [
      declared({ table: table(), schema: schema({ default: '/data/d' }) }),
      omitted('/data/d'),
    ]) {
      expect(one.args(args)).toEqual({ items: [{ file: '/data/a' }, { n: 'x', file: '/data/d' }] });
    }
    expect([omitted('refuse').code(args), omitted('/etc/x').code(args)]).toEqual([
      'malformed_arguments',
      'not_permitted',
    ]);
    expect(omitted('none').args(args)).toEqual(args);
    const everything = declared({
      fields: 'tenant: { kind: oneOf, values: [n, s], wildcard: all }',
      table: '{ verb: read, reads: { tenant: args.items.t }, omitted: { tenant: all } }',
      schema: closed({ items: { type: 'array', items: closed({ t: text }) } }),
      where: 'where: { tenant: [n, s] }',
    });
    expect([{ items: [{ t: 'n' }] }, { items: [{ t: 'n' }, {}] }].map(everything.code)).toEqual([
      undefined,
      'not_permitted',
    ]);
  });

  test('a list is never replaced by what an omission stands for', () => {
    const { args } = declared({
      table: '{ verb: read, reads: { file: args.items.file }, omitted: { file: /data/d } }',
      schema: closed({ items: { type: 'array', items: closed({ file: text }) } }),
    });
    expect(args({ items: [] })).toEqual({ items: [] });
    expect(args({ items: [{}] })).toEqual({ items: [{ file: '/data/d' }] });
  });

  test('what stands beside a classed argument in its object is raw', () => {
    const { code } = declared({
      table: '{ verb: read, reads: { file: args.spec.path } }',
      schema: closed({ spec: closed({ path: text, other: text }) }),
    });
    expect([code({ spec: { path: 'a' } }), code({ spec: { path: 'a', other: 'b' } })]).toEqual([
      undefined,
      'not_permitted',
    ]);
  });
});
