/** POLICY section 3: which tools, verbs and arguments a rule speaks of. */
import { describe, expect, test } from 'vitest';
import { closed, filesystemTools, gate, load, plainTools } from '../../../../test/policies.js';

const head =
  'pawl: 1\nservers: { s: { command: x }, files: { command: y, connector: filesystem, root: /w } }\nagents:\n  a:\n';
const tools = { ...plainTools, files: filesystemTools };
const under = (rules: string): ReturnType<typeof gate> => gate(head + rules, tools);
const problem = (rules: string): string =>
  load(head + rules, tools)
    .problems.map((each) => `${each.at.line}:${each.at.column} ${each.message}`)
    .join('\n');

describe('tools of a rule', () => {
  test('[P.rule.glob] a pattern in allow covers the tools that its server lists, and only those', () => {
    const policy = gate(
      'pawl: 1\nservers: { s: { command: x }, u: { command: y } }\nagents: { a: { allow: [ { tools: ["s/get_*"] } ] } }',
      {
        s: { get_one: {}, get_: {}, set_one: {}, forget_one: {} },
        u: { get_one: {} },
      },
    );
    const admitted = ['s/get_one', 's/get_', 's/set_one', 's/forget_one', 's/get_two', 'u/get_one'].map(
      (tool) => policy.permits(tool),
    );
    expect(admitted).toEqual([true, true, false, false, false, false]);
  });

  test('[P.rule.glob] a pattern in deny and ask waits for tools that are not there yet, in allow it is an error', () => {
    expect(
      load(
        `${head}    allow: [ { tools: [s/t] } ]\n    deny: [ { tools: ["s/drop_*"] } ]\n    ask: [ { tools: ["s/x*"] } ]`,
        tools,
      ).problems,
    ).toEqual([]);
    expect(problem('    allow: [ { tools: ["s/drop_*"] } ]')).toMatch(/^5:24 .*s\/drop_\*/u);
  });

  test('[P.rule.glob] a pattern over servers is an error, and so is a name without a server', () => {
    expect(problem('    allow: [ { tools: ["*/t"] } ]')).toMatch(/^5:24 .*"\*\/t"/u);
    expect(problem('    allow: [ { tools: ["s*/t"] } ]')).toContain('"s*/t"');
    expect(problem('    allow: [ { tools: [t] } ]')).toContain('"t"');
    expect(problem('    allow: [ { tools: ["s/"] } ]')).toContain('"s/"');
  });

  test('[P.rule.glob] no pattern covers a name that begins with @', () => {
    const policy = gate(
      'pawl: 1\nservers: { s: { command: x } }\nagents: { a: { allow: [ { tools: ["s/*"] } ] } }',
      {
        s: { t: {}, '@resource': {}, '@prompt:p': {} },
      },
    );
    expect([...policy.policy.executors.values()].flatMap((each) => each.reachable)).toEqual(['s/t']);
    expect(problem('    allow: [ { tools: ["s/@resource"] } ]')).toContain('does not enforce');
  });

  test('[P.rule.glob] the first slash splits server and tool', () => {
    const policy = gate(
      'pawl: 1\nservers: { s: { command: x } }\nagents: { a: { allow: [ { tools: [s/a/b] } ] } }',
      { s: { 'a/b': {}, a: {} } },
    );
    expect(policy.permits('s/a/b')).toBe(true);
    expect(policy.permits('s/a')).toBe(false);
  });

  test('[P.rule.field-absent] deny and ask without tools cover every tool that has the field', () => {
    const policy = under(`
    allow: [ { tools: ["files/*", s/t] } ]
    deny: [ { where: { path: /w/no/** } } ]
    ask: [ { where: { args.x: [odd] } } ]`);
    expect(policy.permits('files/read_text_file', { path: '/w/no/a' })).toBe(false);
    expect(policy.permits('files/write_file', { path: '/w/no/a', content: '' })).toBe(false);
    expect(policy.permits('files/list_allowed_directories')).toBe(true);
    expect(policy.call('s/t', { x: 'odd' }).decision).toBe('once');
    expect(policy.permits('s/t', { x: '/w/no/a' })).toBe(true);
  });

  test('[P.rule.field-absent] a field that an exactly named tool lacks is an error; in a pattern it leaves the tool out', () => {
    expect(problem('    allow: [ { tools: [s/t], where: { path: /w/** } } ]')).toMatch(
      /^5:\d+ .*field path/u,
    );
    expect(problem('    allow: [ { tools: [s/t], where: { args.nope: [1] } } ]')).toContain('args.nope');
    expect(problem('    allow: [ { tools: ["s/*"], where: { args.nope: [1] } } ]')).toContain('args.nope');
    const policy = under('    allow: [ { tools: ["files/*"], where: { path: /w/** } } ]');
    expect(policy.permits('files/list_allowed_directories')).toBe(false);
    expect(policy.permits('files/read_text_file', { path: '/w/a' })).toBe(true);
    expect(policy.findings.map((each) => each.message).join()).toContain('list_allowed_directories');
  });
});

describe('verbs of a rule', () => {
  test('[P.rule.verbs] narrow a rule to the accesses that have them', () => {
    const policy = under(
      '    allow: [ { tools: ["files/*"], verbs: [read, list], where: { path: /w/** } } ]',
    );
    expect(policy.permits('files/read_text_file', { path: '/w/a' })).toBe(true);
    expect(policy.permits('files/list_directory', { path: '/w/a' })).toBe(true);
    expect(policy.permits('files/write_file', { path: '/w/a', content: '' })).toBe(false);
    expect(policy.permits('files/edit_file', { path: '/w/a', edits: [] })).toBe(false);
  });

  test('[P.rule.verbs] a denial of a verb leaves the other verbs', () => {
    const policy = under(`
    allow: [ { tools: ["files/*"], where: { path: /w/** } } ]
    deny: [ { verbs: [write], where: { path: /w/frozen/** } } ]`);
    expect(policy.permits('files/read_text_file', { path: '/w/frozen/a' })).toBe(true);
    expect(policy.permits('files/write_file', { path: '/w/frozen/a', content: '' })).toBe(false);
    expect(policy.permits('files/edit_file', { path: '/w/frozen/a', edits: [] })).toBe(false);
  });

  test('[P.rule.verbs] a verb that an exactly named tool does not have is an error, whatever stands beside it', () => {
    expect(problem('    allow: [ { tools: [files/read_text_file], verbs: [write] } ]')).toContain('write');
    expect(problem('    allow: [ { tools: [files/read_text_file], verbs: [read, write] } ]')).toContain(
      'write',
    );
    expect(problem('    allow: [ { tools: [files/edit_file], verbs: [read, write] } ]')).toBe('');
  });

  test('[P.rule.verbs] a tool without connector has the verb call alone', () => {
    expect(under('    allow: [ { tools: [s/t], verbs: [call] } ]').permits('s/t')).toBe(true);
    expect(problem('    allow: [ { tools: [s/t], verbs: [read] } ]')).toContain('read');
    expect(problem('    allow: [ { tools: ["s/*"], verbs: [read] } ]')).not.toBe('');
    expect(problem('    allow: [ { tools: [s/t], verbs: [] } ]')).toContain('verbs');
    expect(problem('    allow: [ { tools: [s/t], verbs: [look] } ]')).toContain('look');
  });
});

describe('the closed world of allow', () => {
  test('[P.rule.closed-world] a rule that names one argument wants every other absent', () => {
    const policy = under('    allow: [ { tools: [s/t], where: { args.x: [a] } } ]');
    expect(policy.permits('s/t', { x: 'a' })).toBe(true);
    expect(policy.call('s/t', { x: 'a', y: 1 })).toMatchObject({
      code: 'not_permitted',
      constraint: 'args.y',
    });
  });

  test('[P.rule.closed-world] an argument is freed by name with any, and all of them with rest: any', () => {
    const one = under('    allow: [ { tools: [s/t], where: { args.x: [a], args.y: any } } ]');
    expect([one.permits('s/t', { x: 'a', y: 1 }), one.permits('s/t', { x: 'a', z: 1 })]).toEqual([
      true,
      false,
    ]);
    const all = under('    allow: [ { tools: [s/t], where: { args.x: [a], rest: any } } ]');
    expect(all.permits('s/t', { x: 'a', y: 1, z: 2, o: { p: {} } })).toBe(true);
    expect(all.permits('s/t', { x: 'b', y: 1 })).toBe(false);
    expect(problem('    allow: [ { tools: [s/t], where: { args.x: [a], rest: present } } ]')).toContain(
      'rest',
    );
  });

  test('[P.rule.closed-world] it holds at every depth, in arrays too, and any frees a whole value', () => {
    const policy = under('    allow: [ { tools: [s/t], where: { args.o.a.b: [1], args.o.c: any } } ]');
    expect(policy.permits('s/t', { o: { a: { b: 1 } } })).toBe(true);
    expect(policy.permits('s/t', { o: { a: { b: 1 }, c: { d: { e: 1 } } } })).toBe(true);
    expect(policy.permits('s/t', { o: { a: { b: 1, x: 1 } } })).toBe(false);
    expect(policy.permits('s/t', { o: { a: { b: 1 }, x: 1 } })).toBe(false);
    expect(policy.permits('s/t', { o: { a: [{ b: 1 }, { b: 1 }] } })).toBe(true);
    expect(policy.permits('s/t', { o: { a: [{ b: 1 }, { b: 1, x: 1 }] } })).toBe(false);
    expect(policy.permits('s/t', { o: { a: [{ b: 1 }, 5] } })).toBe(false);
    expect(policy.permits('s/t', { o: { a: [{ b: 1 }, { b: 2 }] } })).toBe(false);
  });

  test('[P.rule.closed-world] arguments that feed a named field count as named', () => {
    const policy = under(
      '    allow: [ { tools: [files/read_text_file], where: { path: /w/**, args.head: { max: 9 } } } ]',
    );
    expect(policy.permits('files/read_text_file', { path: '/w/a', head: 3 })).toBe(true);
    expect(policy.permits('files/read_text_file', { path: '/w/a', head: 3, tail: 3 })).toBe(false);
    const other = under('    allow: [ { tools: [files/read_text_file], where: { args.head: { max: 9 } } } ]');
    expect(other.permits('files/read_text_file', { path: '/w/a', head: 3 })).toBe(false);
  });

  test('[P.rule.closed-world] with connector fields only, payload is free', () => {
    const policy = under(
      '    allow: [ { tools: [files/read_text_file, files/write_file], where: { path: /w/** } } ]',
    );
    expect(policy.permits('files/read_text_file', { path: '/w/a', head: 3, tail: 3 })).toBe(true);
    expect(policy.permits('files/write_file', { path: '/w/a', content: 'any text' })).toBe(true);
  });

  test('[P.rule.closed-world] an argument that the connector does not class is absent unless freed', () => {
    const grown = {
      files: { read_text_file: closed({ path: { type: 'string' }, follow: { type: 'boolean' } }, 'path') },
    };
    const rule = (where: string): ReturnType<typeof gate> =>
      gate(`${head}    allow: [ { tools: [files/read_text_file]${where} } ]`, {
        s: plainTools['s'] ?? {},
        ...grown,
      });
    const call = { path: '/w/a', follow: true };
    expect(rule(', where: { path: /w/** }').call('files/read_text_file', call)).toMatchObject({
      code: 'not_permitted',
      constraint: 'args.follow',
    });
    expect(rule(', where: { path: /w/**, rest: any }').permits('files/read_text_file', call)).toBe(true);
    expect(rule(', where: { path: /w/**, args.follow: any }').permits('files/read_text_file', call)).toBe(
      true,
    );
    expect(rule('').permits('files/read_text_file', call)).toBe(true);
  });

  test('[P.rule.closed-world] in deny and ask unnamed arguments are free', () => {
    const policy = under(`
    allow: [ { tools: [s/t] } ]
    deny: [ { tools: [s/t], where: { args.x: [a] } } ]
    ask: [ { tools: [s/t], where: { args.x: [b] } } ]`);
    expect(policy.permits('s/t', { x: 'a', y: 1, o: {} })).toBe(false);
    expect(policy.call('s/t', { x: 'b', y: 1, o: {} }).decision).toBe('once');
  });

  test('[P.rule.closed-world] a dotted name is quoted, and is another argument than the path', () => {
    const odd = { s: { t: closed({ 'a.b': { type: 'string' }, a: { type: 'object' } }) } };
    const policy = gate(
      'pawl: 1\nservers: { s: { command: x } }\nagents: { a: { allow: [ { tools: [s/t], where: { \'args."a.b"\': [v] } } ] } }',
      odd,
    );
    expect(policy.permits('s/t', { 'a.b': 'v' })).toBe(true);
    expect(policy.permits('s/t', { a: { b: 'v' } })).toBe(false);
  });
});

describe('the reach of a denial', () => {
  const tree = (deny: string): ((path: string) => boolean) => {
    const policy = under(
      `    allow: [ { tools: ["files/*"], where: { path: /w/** } } ]\n    deny: [ ${deny} ]`,
    );
    return (path) => policy.permits('files/directory_tree', { path });
  };

  test('[P.rule.reach] reaches what is beneath the path of a recursive tool, and spares what it cannot meet', () => {
    const permits = tree('{ where: { path: /w/a/secret/** } }');
    expect([permits('/w'), permits('/w/a'), permits('/w/a/secret'), permits('/w/a/secret/x')]).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect([permits('/w/a/other'), permits('/w/b')]).toEqual([true, true]);
  });

  test('[P.rule.reach] with reach: named judges the path that the call names only', () => {
    const permits = tree('{ where: { path: /w/a/secret/** }, reach: named }');
    expect([permits('/w'), permits('/w/a'), permits('/w/a/secret'), permits('/w/a/secret/x')]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test('[P.rule.reach] a pattern at any depth still judges recursive reads by everything beneath', () => {
    expect(tree('{ where: { path: "**/.env" } }')('/w/a')).toBe(false);
  });

  const moving = (deny: string): ((source: string, destination: string) => boolean) => {
    const policy = under(
      `    allow: [ { tools: ["files/*"], where: { path: /w/** } } ]\n    deny: [ ${deny} ]`,
    );
    return (source, destination) => policy.permits('files/move_file', { source, destination });
  };

  test('[P.rule.reach] a pattern at any depth follows the name for moves, one with a place reaches below', () => {
    const named = moving('{ where: { path: "**/.env" } }');
    expect([named('/w/a', '/w/b'), named('/w/.env', '/w/b'), named('/w/a', '/w/.ENV')]).toEqual([
      true,
      false,
      false,
    ]);
    const placed = moving('{ where: { path: /w/a/.env } }');
    expect([placed('/w/a', '/w/b'), placed('/w/b', '/w/a'), placed('/w/b', '/w/c')]).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('[P.rule.reach] patterns of both kinds in one list are each judged in their own way', () => {
    const both = moving('{ where: { path: ["**/.env", /w/keys/one] } }');
    expect([both('/w/a', '/w/b'), both('/w/keys', '/w/b'), both('/w/.env', '/w/b')]).toEqual([
      true,
      false,
      false,
    ]);
    const either = moving(
      '{ where: { path: { either: ["**/.env", { in: /w/keys/**, except: /w/keys/pub } ] } } }',
    );
    expect([either('/w/a', '/w/b'), either('/w/keys', '/w/b'), either('/w/.env', '/w/b')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('[P.rule.reach] the ask list reaches as a denial does', () => {
    const policy = under(`
    allow: [ { tools: ["files/*"], where: { path: /w/** } } ]
    ask: [ { where: { path: ["**/.env", /w/live/x] } } ]`);
    const move = (source: string): string =>
      policy.call('files/move_file', { source, destination: '/w/new' }).decision;
    expect([move('/w/a'), move('/w/.env'), move('/w/live')]).toEqual(['permit', 'once', 'once']);
    expect(policy.call('files/directory_tree', { path: '/w/a' }).decision).toBe('once');
  });
});

describe('regions', () => {
  test('[P.authority.extent] a subtree is admitted only if everything beneath is', () => {
    const policy = under(
      '    allow: [ { tools: [files/directory_tree, files/list_directory], where: { path: ["/w/*", /w/lib/**] } } ]',
    );
    const tree = (path: string): boolean => policy.permits('files/directory_tree', { path });
    expect([tree('/w/a'), tree('/w/lib'), tree('/w/lib/x'), tree('/w')]).toEqual([false, true, true, false]);
    expect(policy.permits('files/list_directory', { path: '/w/a' })).toBe(true);
  });

  test('[P.authority.extent] several rules together may cover a region', () => {
    const policy = under(`
    allow:
      - { tools: [files/directory_tree], where: { path: /w } }
      - { tools: [files/directory_tree], where: { path: { in: "/w/*/**", except: /w/odd/** } } }
      - { tools: [files/directory_tree], where: { path: "/w/{odd,Odd,oDd,odD,ODd,OdD,oDD,ODD}/**" } }`);
    expect(policy.permits('files/directory_tree', { path: '/w' })).toBe(true);
    const gap = under(`
    allow:
      - { tools: [files/directory_tree], where: { path: "/w/*/**" } }`);
    expect(gap.permits('files/directory_tree', { path: '/w' })).toBe(false);
    expect(gap.permits('files/directory_tree', { path: '/w/odd' })).toBe(true);
  });

  test('[P.authority.extent] rules that differ in another field do not cover a region together', () => {
    const policy = under(`
    allow:
      - { tools: [files/search_files], where: { path: "/w/a/**", args.pattern: [p], rest: any } }
      - { tools: [files/search_files], where: { path: "/w/{b,c}/**", args.pattern: [q], rest: any } }`);
    const search = (path: string, pattern: string): boolean =>
      policy.permits('files/search_files', { path, pattern });
    expect([search('/w/a', 'p'), search('/w/b', 'q'), search('/w/a', 'q'), search('/w', 'p')]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
