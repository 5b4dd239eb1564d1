/** POLICY section 5, calls of tools whose connector the document declares: what they access, what is filled, what is forwarded. */
import { describe, expect, test } from 'vitest';
import { type Tools, type Verdict, closed, gate } from '../../../../test/policies.js';

const text = { type: 'string' };
const texts = { type: 'array', items: text };

const desk = `
connectors:
  desk:
    fields:
      site: { kind: oneOf, values: [north, south, west], wildcard: every }
      level: { kind: oneOf, values: [1, 2, 3] }
      tag: { kind: oneOf }
      person: { kind: email }
      doc: { kind: path }
      page: { kind: url }
      host: { kind: host }
    tools:
      plain: { verb: list, reads: { site: site_id } }
      defaulted: { verb: list, reads: { site: site_id } }
      wide: { verb: list, reads: { site: site_id } }
      every: { verb: list, reads: { site: site_id }, omitted: { site: every } }
      none: { verb: list, reads: { site: site_id }, omitted: { site: none } }
      refuse: { verb: list, reads: { site: site_id }, omitted: { site: refuse } }
      home: { verb: list, reads: { site: site_id }, omitted: { site: north } }
      look: { verb: read, reads: { site: [site_id, { argument: ref, prefix: ":" }] } }
      fallback: { verb: read, reads: { site: [site_id, { argument: ref, prefix: ":" }] } }
      refs: { verb: read, reads: { site: { argument: refs, prefix: "::" } } }
      level: { verb: read, reads: { level: level } }
      tag: { verb: read, reads: { tag: args.o.tag } }
      send:
        accesses:
          - { verb: send, person: [to, cc] }
          - { verb: read, doc: attachment }
        payload: [body]
      touch: { verb: list, accesses: [ { verb: write, doc: file } ] }
      purge: { accesses: [ { verb: delete, doc: folder, extent: subtree } ] }
      peek: { verb: list, reads: { doc: folder }, extent: children }
      start: { verb: execute, reads: { doc: { argument: script, base: args.folder, argv: true, forward: relative } } }
      run: { verb: execute, reads: { doc: { argument: script, base: folder } } }
      ref: { verb: execute, reads: { site: { argument: ref, prefix: ":", argv: true } } }
      num: { verb: execute, reads: { tag: { argument: n, argv: true } } }
      open: { verb: connect, reads: { page: address, host: address } }
      dial: { verb: connect, reads: { host: name } }
      pair: { verb: send, reads: { site: sites, person: people } }
`;
const tools: Tools = {
  d: {
    plain: closed({ site_id: text }),
    defaulted: closed({ site_id: { ...text, default: 'south' } }),
    wide: closed({ site_id: { ...text, default: 'every' } }),
    every: closed({ site_id: text }),
    none: closed({ site_id: text }),
    refuse: closed({ site_id: text }),
    home: closed({ site_id: { ...text, default: 'south' } }),
    look: closed({ site_id: text, ref: text }),
    fallback: closed({ site_id: { ...text, default: 'south' }, ref: text }),
    refs: closed({ refs: texts }, 'refs'),
    level: closed({ level: {} }, 'level'),
    tag: closed({ o: { type: 'object' } }),
    send: closed(
      { to: texts, cc: { ...texts, default: ['desk@x.example'] }, attachment: text, body: text, bcc: texts },
      'to',
    ),
    touch: closed({ file: text }),
    purge: closed({ folder: text }, 'folder'),
    peek: closed({ folder: text }, 'folder'),
    start: closed({ script: text, folder: { ...text, default: 'jobs' }, mode: text }, 'script'),
    run: closed({ script: text, folder: text }, 'script'),
    ref: closed({ ref: text }),
    num: closed({ n: {} }),
    open: closed({ address: text }, 'address'),
    dial: closed({ name: text }, 'name'),
    pair: closed({ sites: texts, people: texts }),
    hidden: closed({ q: text }),
  },
};

const under = (rules: string, unlisted = 'refuse', extra = ''): ReturnType<typeof gate> =>
  gate(
    `pawl: 1\nservers: { d: { command: x, connector: desk, root: /w, home: /home/dev } }\n${desk}    unlisted: ${unlisted}\nagents:\n  a:\n    ${extra}allow: ${rules}\n`,
    tools,
  );
const allowing = (tool: string, where: string): ReturnType<typeof gate> =>
  under(`[ { tools: [d/${tool}], where: ${where} } ]`);
const whole = (tool: string, extra = ''): ReturnType<typeof gate> =>
  under(`[ { tools: [d/${tool}] } ]`, 'refuse', extra);
const seen = ({ accesses }: Verdict): readonly string[] =>
  accesses.map(({ tool: _tool, ...rest }) => Object.values(rest).join(' '));

describe('[P.connector.group] arguments of one field', () => {
  const policy = allowing('look', '{ site: [north, west] }');

  test('a prefixed one carries what stands before the first prefix, and nothing without it', () => {
    expect(new Set(seen(policy.call('d/look', { ref: 'west:1:2' })))).toEqual(new Set(['read west']));
    expect(policy.call('d/look', { ref: 'south:1' })).toMatchObject({
      code: 'not_permitted',
      constraint: 'site',
    });
    expect(seen(policy.call('d/look', { site_id: 'north', ref: '17' }))).toEqual(['read north']);
    expect(policy.call('d/look', { ref: ':1' }).decision).toBe('deny');
  });

  test('all that they name is judged', () => {
    expect(seen(policy.call('d/look', { site_id: 'north', ref: 'west:1' }))).toEqual([
      'read north',
      'read west',
    ]);
    expect(policy.permits('d/look', { site_id: 'north', ref: 'south:1' })).toBe(false);
    expect(policy.permits('d/look', { site_id: 'south', ref: 'west:1' })).toBe(false);
  });

  test('an array names each of its elements', () => {
    const many = allowing('refs', '{ site: [north, west] }');
    expect(many.permits('d/refs', { refs: ['north::a', 'west::b'] })).toBe(true);
    expect(many.permits('d/refs', { refs: ['north::a', 'south::b'] })).toBe(false);
    expect(many.permits('d/refs', { refs: ['north::a', 'b'] })).toBe(true);
    for (const refs of [[], ['north:a'], ['a', 'b']]) {
      expect(many.call('d/refs', { refs })).toMatchObject({
        code: 'malformed_arguments',
        layer: 'decode',
        constraint: 'site',
      });
    }
  });

  test('with one value allowed the member that may hold it is filled', () => {
    const one = allowing('look', '{ site: west }');
    expect(one.call('d/look', { ref: '17' })).toMatchObject({
      args: { ref: '17', site_id: 'west' },
      filled: ['args.site_id'],
    });
    expect(one.permits('d/look', { ref: 'north:17' })).toBe(false);
  });

  test('one that is left out is filled with what another one names by its prefix', () => {
    for (const allowed of [policy, allowing('look', '{ site: west }')])
      expect(allowed.call('d/look', { ref: 'west:17' })).toMatchObject({
        args: { ref: 'west:17', site_id: 'west' },
        filled: ['args.site_id'],
      });
    expect(whole('look').call('d/look', { ref: 'west:17' })).toMatchObject({
      args: { ref: 'west:17' },
      filled: [],
    });
  });

  test('of several allowed values another member selects one', () => {
    expect(policy.call('d/look', { site_id: 'every', ref: 'west:1' })).toMatchObject({
      args: { site_id: 'west', ref: 'west:1' },
      filled: ['args.site_id'],
    });
    expect(policy.call('d/look', { site_id: 'every', ref: 'south:1' }).decision).toBe('deny');
    expect(policy.call('d/look', { site_id: 'every', ref: '1' })).toMatchObject({ code: 'several_values' });
    expect(policy.call('d/look', { ref: '1' })).toMatchObject({
      code: 'several_values',
      constraint: 'args.site_id',
    });
  });

  test('a member that the call leaves out and the schema fills counts with its default', () => {
    const fallback = allowing('fallback', '{ site: [north, west] }');
    expect(fallback.permits('d/fallback', { ref: 'west:1' })).toBe(false);
    expect(fallback.permits('d/fallback', { site_id: 'north', ref: 'west:1' })).toBe(true);
    expect(
      allowing('fallback', '{ site: [south, west] }').call('d/fallback', { ref: 'west:1' }).args,
    ).toEqual({
      ref: 'west:1',
      site_id: 'south',
    });
  });

  test('more accesses than can be judged are refused', () => {
    const people = Array.from({ length: 4000 }, (_, i) => `p${i}@x.example`);
    const verdict = whole('pair').call('d/pair', {
      sites: Array.from({ length: 4000 }, () => 'north'),
      people,
    });
    expect(verdict).toMatchObject({ code: 'malformed_arguments', constraint: 'person' });
    expect(
      whole('pair').call('d/pair', { sites: ['north', 'west'], people: people.slice(0, 3) }).accesses,
    ).toHaveLength(6);
  });
});

describe('[P.connector.omitted] a field that a call leaves out', () => {
  const fixed = '{ site: [north, west] }';

  test('of reads is refused, or filled where one value is allowed', () => {
    expect(allowing('plain', fixed).call('d/plain')).toMatchObject({ code: 'several_values' });
    expect(allowing('plain', '{ site: north }').call('d/plain').args).toEqual({ site_id: 'north' });
    expect(whole('plain').call('d/plain')).toMatchObject({
      code: 'malformed_arguments',
      layer: 'decode',
      constraint: 'site',
    });
  });

  test('of reads stays refused where another rule does not look at the field', () => {
    const policy = under('[ { tools: [d/plain] }, { tools: [d/plain], where: { site: north } } ]');
    expect(policy.call('d/plain')).toMatchObject({ code: 'malformed_arguments', constraint: 'site' });
    expect(policy.permits('d/plain', { site_id: 'south' })).toBe(true);
  });

  test('has the schema’s default, which is judged and forwarded and never replaced', () => {
    expect(allowing('defaulted', '{ site: [south] }').call('d/defaulted').args).toEqual({ site_id: 'south' });
    expect(allowing('defaulted', '{ site: north }').call('d/defaulted')).toMatchObject({
      code: 'not_permitted',
    });
    const args = {};
    expect(whole('defaulted').call('d/defaulted', args).args).toBe(args);
    expect(whole('defaulted', 'deny: [ { where: { site: south } } ]\n    ').call('d/defaulted').code).toBe(
      'denied',
    );
  });

  test('whose default is the wildcard is narrowed to the one allowed value', () => {
    expect(allowing('wide', '{ site: north }').call('d/wide')).toMatchObject({
      args: { site_id: 'north' },
      filled: ['args.site_id'],
    });
    expect(allowing('wide', fixed).call('d/wide').code).toBe('several_values');
    expect(seen(whole('wide').call('d/wide'))).toEqual(['list all every']);
    expect(whole('wide', 'deny: [ { where: { site: south } } ]\n    ').call('d/wide').code).toBe('denied');
  });

  test('means what the connector says', () => {
    expect(seen(whole('every').call('d/every'))).toEqual(['list all every']);
    expect(allowing('every', fixed).call('d/every').code).toBe('several_values');
    expect(allowing('every', '{ site: [north, south, west] }').call('d/every').code).toBe('several_values');
    expect(allowing('every', '{ site: west }').call('d/every').args).toEqual({ site_id: 'west' });
    expect(seen(whole('none').call('d/none'))).toEqual(['list']);
    expect(allowing('none', fixed).call('d/none')).toMatchObject({ code: 'not_permitted' });
    expect(allowing('refuse', '{ site: north }').call('d/refuse')).toMatchObject({
      code: 'malformed_arguments',
      constraint: 'site',
    });
    expect(whole('refuse').permits('d/refuse', { site_id: 'south' })).toBe(true);
    expect(allowing('home', fixed).call('d/home').args).toEqual({ site_id: 'north' });
    expect(allowing('home', '{ site: west }').call('d/home').code).toBe('not_permitted');
    expect(seen(whole('home').call('d/home'))).toEqual(['list north']);
  });

  test('of accesses is no access, also by null', () => {
    expect(seen(whole('send').call('d/send', { to: ['a@x.example'], cc: [], attachment: null }))).toEqual([
      'send a@x.example',
    ]);
    const doc = allowing('send', '{ doc: /w/out/** }');
    expect(doc.permits('d/send', { to: ['a@x.example'], attachment: '/w/out/a' })).toBe(false);
  });

  test('of accesses has the schema’s default too, arrays included', () => {
    const people = allowing('send', '{ person: "*@x.example" }');
    expect(people.call('d/send', { to: ['a@x.example'] }).args).toEqual({
      to: ['a@x.example'],
      cc: ['desk@x.example'],
    });
    expect(allowing('send', '{ person: a@x.example }').permits('d/send', { to: ['a@x.example'] })).toBe(
      false,
    );
    expect(
      allowing('send', '{ person: a@x.example }').permits('d/send', { to: ['a@x.example'], cc: [] }),
    ).toBe(true);
  });

  test('though the schema requires one of its arguments is refused', () => {
    for (const rules of [whole('send'), allowing('send', '{ person: "*@x.example" }')]) {
      expect(rules.call('d/send', { to: [], cc: [] })).toMatchObject({
        code: 'malformed_arguments',
        layer: 'decode',
      });
    }
    expect(whole('send').call('d/send', { to: [], cc: [], attachment: '/w/a' }).code).toBe(
      'malformed_arguments',
    );
    expect(allowing('purge', '{ doc: /w/tmp }').call('d/purge').args).toEqual(undefined);
  });

  test('leaves the one access of the tool’s own verb', () => {
    expect(seen(whole('touch').call('d/touch'))).toEqual(['list']);
    const listed = under('[ { tools: [d/touch], verbs: [list] } ]');
    expect([listed.permits('d/touch'), listed.permits('d/touch', { file: '/w/a' })]).toEqual([true, false]);
    const written = under('[ { tools: [d/touch], verbs: [write] } ]');
    expect([written.permits('d/touch'), written.permits('d/touch', { file: '/w/a' })]).toEqual([false, true]);
  });
});

describe('[P.connector.wildcard] a wildcard', () => {
  test('lies inside an unconstrained field only, and meets every denial', () => {
    expect(whole('plain').call('d/plain', { site_id: 'every' })).toMatchObject({
      decision: 'permit',
      args: { site_id: 'every' },
    });
    expect(allowing('plain', '{ site: [north, south, west] }').permits('d/plain', { site_id: 'every' })).toBe(
      false,
    );
    expect(
      whole('plain', 'deny: [ { where: { site: west } } ]\n    ').call('d/plain', { site_id: 'every' }).code,
    ).toBe('denied');
    expect(allowing('plain', '{ site: any }').permits('d/plain', { site_id: 'every' })).toBe(true);
  });

  test('is narrowed to the one value that is allowed', () => {
    const west = allowing('plain', '{ site: west }');
    expect(west.call('d/plain', { site_id: 'every' })).toMatchObject({
      args: { site_id: 'west' },
      filled: ['args.site_id'],
    });
  });

  test('before a prefix means everything as well', () => {
    expect(
      whole('look', 'deny: [ { where: { site: west } } ]\n    ').call('d/look', { ref: 'every:1' }).code,
    ).toBe('denied');
    expect(allowing('look', '{ site: [north, south, west] }').permits('d/look', { ref: 'every:1' })).toBe(
      false,
    );
    expect(whole('look').permits('d/look', { ref: 'every:1' })).toBe(true);
  });

  test('compares exactly: no folding, no blanks', () => {
    for (const site of ['EVERY', ' every', 'every ']) {
      expect(allowing('plain', '{ site: [north] }').permits('d/plain', { site_id: site })).toBe(false);
    }
  });
});

describe('[P.connector.declared] what fields hold', () => {
  test('values are strict, and what is no scalar is none', () => {
    const policy = allowing('level', '{ level: [1, 2] }');
    expect([1, 1.0, 2].map((level) => policy.permits('d/level', { level }))).toEqual([true, true, true]);
    for (const level of [3, '1', true, null, [3], [1, 3], { a: 1 }, '']) {
      expect([level, policy.permits('d/level', { level })]).toEqual([level, false]);
    }
    expect(policy.permits('d/level', { level: [1, 2] })).toBe(true);
    expect(policy.call('d/level', { level: { a: 1 } }).code).toBe('malformed_arguments');
    expect(whole('level').permits('d/level', { level: { a: 1 } })).toBe(true);
  });

  test('a denial of one value leaves the others', () => {
    const policy = under(
      '[ { tools: [d/level], where: { level: [1, 2] } } ]',
      'refuse',
      'deny: [ { where: { level: [2] } } ]\n    ',
    );
    expect([1, 2].map((level) => policy.permits('d/level', { level }))).toEqual([true, false]);
  });

  test('a nested argument may feed one, and text in it is judged as it is', () => {
    const policy = allowing('tag', '{ tag: [é, b] }');
    expect(policy.permits('d/tag', { o: { tag: 'é' } })).toBe(true);
    expect(policy.call('d/tag', { o: { tag: 'e\u0301' } }).code).toBe('malformed_arguments');
    expect(policy.call('d/tag', { o: { tag: 'b\0' } }).code).toBe('malformed_arguments');
    expect(allowing('tag', '{ tag: b }').call('d/tag', {}).args).toEqual({ o: { tag: 'b' } });
  });

  test('payload is free, and what is classed nowhere has to be freed', () => {
    const people = allowing('send', '{ person: "*@x.example" }');
    expect(people.permits('d/send', { to: ['a@x.example'], body: 'mal@y.example \0 e\u0301' })).toBe(true);
    expect(people.call('d/send', { to: ['a@x.example'], bcc: ['a@x.example'] })).toMatchObject({
      constraint: 'args.bcc',
    });
    expect(
      allowing('send', '{ person: "*@x.example", args.bcc: any, args.body: any }').permits('d/send', {
        to: ['a@x.example'],
        bcc: ['m@y.example'],
      }),
    ).toBe(true);
  });

  test('an email is one plain address', () => {
    const people = allowing('send', '{ person: "*@x.example" }');
    for (const to of [
      'a@x.example, m@y.example',
      'A <a@x.example>',
      'a@x.example\nbcc: m@y.example',
      'm@y.example',
    ]) {
      expect([to, people.permits('d/send', { to: [to], cc: [] })]).toEqual([to, false]);
    }
    expect(people.permits('d/send', { to: ['a@X.EXAMPLE'], cc: [] })).toBe(true);
  });

  test('a host that a url feeds is the host of that url; another is a host', () => {
    const open = allowing('open', '{ host: "**.x.example" }');
    expect(open.permits('d/open', { address: 'https://a.x.example:8443/b?c' })).toBe(true);
    expect(open.permits('d/open', { address: 'https://u:p@a.x.example/' })).toBe(true);
    for (const address of [
      'https://a.x.example@m.example/',
      'https://x.example/',
      'a.x.example',
      'data:text/plain,a.x.example',
      'https://m.example/?a.x.example',
    ]) {
      expect([address, open.permits('d/open', { address })]).toEqual([address, false]);
    }
    expect(
      allowing('open', '{ page: "https://x.example/a/**" }').permits('d/open', {
        address: 'https://x.example/a/b',
      }),
    ).toBe(true);
    expect(
      allowing('open', '{ page: "https://x.example/a/**" }').permits('d/open', {
        address: 'https://u@x.example/a/b',
      }),
    ).toBe(false);
    const dial = allowing('dial', '{ host: [x.example, private] }');
    expect(['X.EXAMPLE.', '10.0.0.1', '0x0a000001'].map((name) => dial.permits('d/dial', { name }))).toEqual([
      true,
      true,
      true,
    ]);
    expect(
      ['https://x.example/', '8.8.8.8', 'a.x.example'].map((name) => dial.permits('d/dial', { name })),
    ).toEqual([false, false, false]);
  });

  test('a folder is taken with all beneath it, or with its entries', () => {
    const purge = allowing('purge', '{ doc: [/w/tmp/**, "/w/a*"] }');
    expect(['/w/tmp', 'tmp/x', '/w/ab'].map((folder) => purge.permits('d/purge', { folder }))).toEqual([
      true,
      true,
      false,
    ]);
    const peek = allowing('peek', '{ doc: "/w/in/*" }');
    expect(['/w/in', '/w', '/w/in/a'].map((folder) => peek.permits('d/peek', { folder }))).toEqual([
      true,
      false,
      false,
    ]);
    const denied = whole('purge', 'deny: [ { where: { doc: /w/keep/** } } ]\n    ');
    expect(['/w', '/w/keep/x', '/w/tmp'].map((folder) => denied.permits('d/purge', { folder }))).toEqual([
      false,
      false,
      true,
    ]);
  });
});

describe('[P.connector.base] paths on the way to a command line', () => {
  const start = allowing('start', '{ doc: /w/jobs/** }');

  test('a relative one is meant from its base, and forwarded relative to it', () => {
    expect(start.call('d/start', { script: 'a.sh', folder: '/w/jobs/x' }).args).toEqual({
      script: 'a.sh',
      folder: '/w/jobs/x',
    });
    expect(start.call('d/start', { script: 'b/../a.sh', folder: 'jobs' }).args).toEqual({
      script: 'a.sh',
      folder: 'jobs',
    });
    expect(start.call('d/start', { script: '/w/jobs/a.sh', folder: 'jobs' }).args).toEqual({
      script: 'a.sh',
      folder: 'jobs',
    });
    expect(start.call('d/start', { script: '/w/jobs/a.sh', folder: '/other' }).args).toEqual({
      script: '/w/jobs/a.sh',
      folder: '/other',
    });
    expect(start.call('d/start', { script: '.', folder: 'jobs' }).args).toEqual({
      script: '.',
      folder: 'jobs',
    });
    expect(start.permits('d/start', { script: '../a.sh', folder: 'jobs' })).toBe(false);
    expect(start.permits('d/start', { script: 'a.sh', folder: '/tmp' })).toBe(false);
  });

  test('its base is what the schema says where the call leaves it out, and is forwarded as it was judged', () => {
    expect(start.call('d/start', { script: 'a.sh' }).args).toEqual({ script: 'a.sh', folder: 'jobs' });
    expect(allowing('start', '{ doc: /w/a.sh }').permits('d/start', { script: 'a.sh' })).toBe(false);
    expect(start.call('d/start', { script: 'a.sh', folder: '/w/link/../jobs' }).args).toEqual({
      script: 'a.sh',
      folder: '/w/jobs',
    });
    expect(start.call('d/start', { script: 'a.sh', folder: 'x/../jobs/' }).args).toEqual({
      script: 'a.sh',
      folder: 'jobs',
    });
    expect(start.call('d/start', { script: 'a.sh', folder: '~bo/jobs' }).code).toBe('malformed_arguments');
  });

  test('without forward it is forwarded absolute', () => {
    const run = allowing('run', '{ doc: /w/jobs/** }');
    expect(run.call('d/run', { script: 'a.sh', folder: 'jobs' }).args).toEqual({
      script: '/w/jobs/a.sh',
      folder: 'jobs',
    });
    expect(run.call('d/run', { script: 'jobs/a.sh' }).args).toEqual({ script: '/w/jobs/a.sh' });
    expect(run.permits('d/run', { script: 'a.sh' })).toBe(false);
  });

  test('what begins with - is refused, as sent and as it would be forwarded', () => {
    for (const script of ['-c', '--', './-c', 'x/../-c', '/w/jobs/-c']) {
      expect([script, start.call('d/start', { script, folder: '/w/jobs' }).code]).toEqual([
        script,
        'malformed_arguments',
      ]);
    }
    expect(start.permits('d/start', { script: 'a-b', folder: '/w/jobs' })).toBe(true);
    expect(whole('ref').permits('d/ref', { ref: '-x:1' })).toBe(false);
    expect(whole('ref').permits('d/ref', { ref: 'north:-1' })).toBe(true);
    expect([-1, '-1', ['a', '-b']].map((n) => whole('num').permits('d/num', { n }))).toEqual([
      false,
      false,
      false,
    ]);
    expect([1, '1', ['a', 'b']].map((n) => whole('num').permits('d/num', { n }))).toEqual([true, true, true]);
  });

  test('a rule that names the field and an argument counts the base as named', () => {
    const policy = allowing('start', '{ doc: /w/jobs/**, args.mode: [fast] }');
    expect(policy.permits('d/start', { script: 'a', folder: 'jobs', mode: 'fast' })).toBe(true);
    expect(policy.permits('d/start', { script: 'a', folder: 'jobs', mode: 'slow' })).toBe(false);
  });
});

describe('[P.connector.unlisted] a tool that the table does not list', () => {
  test('is absent, or read by its raw arguments', () => {
    expect(under('[ { tools: ["d/*"] } ]').call('d/hidden', { q: 'a' })).toMatchObject({
      code: 'not_permitted',
    });
    const raw = under('[ { tools: [d/hidden], where: { args.q: [a] } } ]', 'raw');
    expect([raw.permits('d/hidden', { q: 'a' }), raw.permits('d/hidden', { q: 'b' })]).toEqual([true, false]);
    expect(raw.call('d/hidden', { q: 'a' }).accesses).toMatchObject([{ verb: 'call' }]);
    expect(() => under('[ { tools: [d/hidden] } ]')).toThrow(/tool d\/hidden/u);
    expect(() => under('[ { tools: [d/hidden], where: { site: north } } ]', 'raw')).toThrow(/field site/u);
  });
});
