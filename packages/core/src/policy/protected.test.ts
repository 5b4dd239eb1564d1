/** Regions that belong to Pawl itself: denied to every executor, whatever a document says. */
import { describe, expect, test } from 'vitest';
import { filesystemTools, gate, load } from '../../../../test/policies.js';

const document = (allow: string): string =>
  `pawl: 1\nservers: { files: { command: x, connector: filesystem, root: /w } }\nagents: { a: { allow: [ ${allow} ] } }`;
const tools = { files: filesystemTools };

describe('protected regions', () => {
  const policy = gate(document('{ tools: ["files/*"] }'), tools, {
    protectedPaths: ['/w/.pawl', '/w/odd@(x)*{a}'],
  });

  test('[P.protected.regions] are denied with all beneath, to calls that name them or would reach into them', () => {
    const read = (path: string): string | undefined => policy.call('files/read_text_file', { path }).code;
    expect([
      read('/w/.pawl'),
      read('/w/.PAWL/keys/head'),
      read('sub/../.pawl/db'),
      read('/w/odd@(x)*{a}/x'),
    ]).toEqual(['denied', 'denied', 'denied', 'denied']);
    expect([read('/w/.pawl2'), read('/w/a'), read('/w/oddx')]).toEqual([undefined, undefined, undefined]);
    expect(policy.call('files/directory_tree', { path: '/w' }).code).toBe('denied');
    expect(policy.call('files/move_file', { source: '/w', destination: '/x' }).code).toBe('denied');
    expect(policy.permits('files/list_directory', { path: '/w' })).toBe(true);
    expect(policy.permits('files/list_allowed_directories')).toBe(true);
  });

  test('[P.protected.regions] are denied in every path field of a declared connector, whatever its name', () => {
    const text = { type: 'string' };
    const declared = gate(
      `pawl: 1
servers: { d: { command: x, connector: c, root: /w } }
connectors: { c: { fields: { doc: { kind: path }, out: { kind: path } }, tools: { t: { verb: read, reads: { doc: x }, accesses: [ { verb: write, out: y } ] } } } }
agents: { a: { allow: [ { tools: [d/t] } ] } }`,
      { d: { t: { type: 'object', properties: { x: text, y: text } } } },
      { protectedPaths: ['/w/.pawl'] },
    );
    expect(declared.call('d/t', { x: '.pawl/db' })).toMatchObject({ code: 'denied', constraint: 'doc' });
    expect(declared.call('d/t', { x: '/w/a', y: '/w/.pawl' })).toMatchObject({ constraint: 'out' });
    expect(declared.permits('d/t', { x: '/w/a', y: '/w/b' })).toBe(true);
  });

  test('[P.protected.regions] a grant that names one exactly is an error', () => {
    const problems = (allow: string): number =>
      load(document(allow), tools, { protectedPaths: ['/w/.pawl'] }).problems.length;
    expect(problems('{ tools: [files/read_text_file], where: { path: /w/.pawl/** } }')).toBe(1);
    expect(problems('{ tools: [files/read_text_file], where: { path: /w/** } }')).toBe(0);
  });

  test('[P.protected.regions] are denied in arguments that a rule reads as paths', () => {
    const tool = { type: 'object', properties: { f: { type: ['string', 'array'] } } };
    const other = gate(
      `
pawl: 1
servers: { r: { command: x, root: /w } }
agents: { a: { allow: [ { tools: [r/t], where: { args.f: { path: [/w/**] } } } ] } }`,
      { r: { t: tool } },
      { protectedPaths: ['/w/.pawl'] },
    );
    const codes = ['a', '.pawl/keys', 'x/../.PAWL', ['a', '.pawl']].map((f) => other.call('r/t', { f }).code);
    expect(codes).toEqual([undefined, 'denied', 'denied', 'denied']);
  });
});
