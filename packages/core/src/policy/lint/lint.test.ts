/** Findings of lint, and what is none. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../ground/index.js';
import { type Tools, closed, filesystemTools, load } from '../../../../../test/policies.js';
import { lintPolicy } from './lint.js';

const text = { type: 'string' };
const file = join(import.meta.dirname, '../../../../../examples/terminal/tools/term.json');
const listed = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly tools: readonly { readonly name: string; readonly inputSchema: Json }[];
};
const terminal = Object.fromEntries(listed.tools.map(({ name, inputSchema }) => [name, inputSchema]));
const tools: Tools = {
  term: terminal,
  files: filesystemTools,
  mail: { send: closed({ to: text, cc: text, bcc: text, subject: text }) },
  desk: {
    tmux_list: closed({ tenant: text }),
    share: closed({ to: text, cc: text, note: text }),
  },
};
const document = `pawl: 1
servers:
  term: { command: x, connector: terminal }
  files: { command: x, connector: filesystem, root: /data }
  mail: { command: x }
  desk: { command: x, connector: tickets }
connectors:
  tickets:
    fields: { tenant: { kind: oneOf, values: [acme, globex, tmux] }, people: { kind: email } }
    tools:
      tmux_list: { verb: list, reads: { tenant: tenant } }
      share: { accesses: [ { verb: send, people: [to, cc] } ], payload: [note] }
agents:
`;

function findings(agents: string): readonly string[] {
  const { policy, problems, document: read } = load(`${document}${agents}`, tools);
  expect(problems).toEqual([]);
  return lintPolicy(read!, policy!).map(({ message }) => message);
}

const all = 'allow: [ { tools: ["term/*"] } ]';

describe('[P.lint.findings] a name or a description that says a word of a vocabulary', () => {
  test('is a finding when calls may reach others of it', () => {
    expect(findings(`  tmux-operator: { ${all} }\n`)).toEqual([
      'agents.tmux-operator: agent tmux-operator says tmux, may reach kitty, iterm2 (terminal.backends)',
    ]);
    expect(findings(`  a: { description: "Works in iTerm2, and in Kitty.", ${all} }\n`)).toEqual([
      'agents.a: agent a says kitty, iterm2, may reach tmux (terminal.backends)',
    ]);
    expect(
      findings(
        '  a: { description: Works in tmux., allow: [ { tools: [term/terminal_open], where: { backends: [kitty] } } ] }\n',
      ),
    ).toEqual(['agents.a: agent a says tmux, may reach kitty (terminal.backends)']);
  });

  test.each([
    ['the ceiling bounds it', `  tmux: { ceiling: { terminal: { backends: [tmux] } }, ${all} }\n`],
    ['the rules bound it', '  tmux: { allow: [ { tools: ["term/*"], where: { backends: tmux } } ] }\n'],
    ['denials bound it', `  tmux: { ${all}, deny: [ { where: { backends: [kitty, iterm2] } } ] }\n`],
    ['all of it is said', `  a: { description: "tmux, kitty or iterm2", ${all} }\n`],
    ['none of it is said', `  a: { description: "Works in terminals, mostly tmuxes.", ${all} }\n`],
    [
      'it is an example or a default',
      `  a: { description: "Works in a terminal, as tmux; default: kitty.", ${all} }\n`,
    ],
    ['nothing of the connector is granted', '  tmux: { allow: [ { tools: [mail/send] } ] }\n'],
    [
      'each instance is bound',
      `  tmux: { ${all}, instances: required }\ninstances: { tmux/x: { narrow: { terminal: { backends: tmux } } } }\n`,
    ],
  ])('is none when %s', (_, agents) => {
    expect(findings(agents)).toEqual([]);
  });

  test('is one for an instance that is less bound than it says', () => {
    const agents = `  a: { ${all} }\ninstances: { a/tmux: {}, a/x: { narrow: { terminal: { backends: kitty } } } }\n`;
    expect(findings(agents)).toEqual([
      'agents.a: executor a/tmux says tmux, may reach kitty, iterm2 (terminal.backends)',
    ]);
  });

  test('is one for a tool that is granted', () => {
    expect(findings('  a: { allow: [ { tools: [desk/tmux_list] } ] }\n')).toEqual([
      'agents.a: desk/tmux_list says tmux, may reach acme, globex (tickets.tenant)',
    ]);
    expect(findings('  a: { allow: [ { tools: [desk/tmux_list], where: { tenant: tmux } } ] }\n')).toEqual(
      [],
    );
  });
});

describe('[P.lint.findings] one argument of a group', () => {
  const sending = (tool: string, where: string): string =>
    `  a: { allow: [ { tools: [${tool}], where: { ${where} } } ] }\n`;

  test('left open beside one that is bounded is a finding', () => {
    expect(findings(sending('mail/send', 'args.to: [ann], rest: any'))).toEqual([
      'agents.a.allow[0]: bounds args.to of mail/send and leaves args.cc, args.bcc open: both carry recipients',
    ]);
    expect(findings(sending('mail/send', 'args.to: [ann], args.cc: any, args.subject: any'))).toHaveLength(1);
    expect(findings(sending('desk/share', 'args.to: ann@x.example, rest: any'))).toEqual([
      'agents.a.allow[0]: bounds args.to of desk/share and leaves args.cc open: both carry people',
    ]);
    expect(findings(sending('term/terminal_capture', 'args.backend: tmux, rest: any'))).toEqual([
      'agents.a.allow[0]: bounds args.backend of term/terminal_capture and leaves args.target open: both carry backends',
    ]);
  });

  test.each([
    [
      'all are bounded',
      'mail/send',
      'args.to: [ann], args.cc: { optional: ann }, args.bcc: absent, args.subject: any',
    ],
    ['the others have to be left out', 'mail/send', 'args.to: [ann], args.subject: any'],
    ['all are free', 'mail/send', 'args.subject: { maxLength: 80 }, rest: any'],
    ['the field bounds them together', 'desk/share', 'people: "*@x.example"'],
    [
      'the field bounds them together and more is said',
      'desk/share',
      'people: "*@x.example", args.to: present, rest: any',
    ],
  ])('is none when %s', (_, tool, where) => {
    expect(findings(sending(tool, where))).toEqual([]);
  });
});

describe('[P.lint.findings] a recursive tool', () => {
  const granting = (path: string, deny: string, tool = 'directory_tree'): string =>
    `  a: { allow: [ { tools: [files/${tool}, files/read_text_file], where: { path: ${path} } } ], deny: [ ${deny} ] }\n`;

  test('of which denials leave no call is a finding', () => {
    const told = (at: number): string =>
      `agents.a.deny[${at}]: leaves no call of files/directory_tree: beneath every folder that it may take something is denied; say reach: named, or deny one place instead of names everywhere`;
    expect(findings(granting('/data/**', '{ where: { path: "**/.env" } }'))).toEqual([told(0)]);
    expect(
      findings(granting('[/data/a/**]', '{ where: { path: /etc/** } }, { where: { path: /data/a/*/x } }')),
    ).toEqual([]);
    expect(findings(granting('/data', '{ where: { path: /data/x } }'))).toHaveLength(1);
  });

  test.each([
    ['some folder stays clear', '/data/**', '{ where: { path: /data/secret/** } }', 'directory_tree'],
    [
      'the denial judges what is named',
      '/data/**',
      '{ where: { path: "**/.env" }, reach: named }',
      'directory_tree',
    ],
    ['it moves by name', '/data/**', '{ where: { path: "**/.env" } }', 'move_file'],
    ['it takes single files', '/data/**', '{ where: { path: "**/.env" } }', 'list_directory'],
  ])('is none when %s', (_, path, deny, tool) => {
    expect(findings(granting(path, deny, tool))).toEqual([]);
  });

  test('that no rule lets take a whole folder is a finding where it is named exactly', () => {
    expect(
      findings('  a: { allow: [ { tools: [files/directory_tree], where: { path: "/data/*.txt" } } ] }\n'),
    ).toEqual([
      'agents.a.allow[0]: holds no call of files/directory_tree: it takes whole folders, and no folder lies wholly inside',
    ]);
    expect(findings('  a: { allow: [ { tools: ["files/*"], where: { path: "/data/*.txt" } } ] }\n')).toEqual(
      [],
    );
  });
});

describe('[P.lint.findings] [P.rule.never-matches] a rule that meets nothing', () => {
  test('because it lies wholly outside the ceiling or a narrowing is a finding', () => {
    const ceiling = 'ceiling: { filesystem: { path: /data/** } }';
    const rule = '{ tools: [files/read_text_file], where: { path: /etc/** } }';
    expect(findings(`  a: { ${ceiling}, allow: [ { tools: [files/write_file] }, ${rule} ] }\n`)).toEqual([
      'agents.a.allow[1]: can never match: it lies wholly outside agents.a.ceiling.filesystem',
    ]);
    const narrow = (glob: string): string => `{ narrow: { filesystem: { path: ${glob} } } }`;
    const agents = `  a: { allow: [ ${rule} ] }\ninstances: { a/x: ${narrow('/data/**')}, a/y: ${narrow('/etc/a/**')} }\n`;
    expect(findings(agents)).toEqual([]);
  });

  test('because nothing that it asks for is allowed is a finding', () => {
    const asking = (ask: string): readonly string[] =>
      findings(
        `  a: { allow: [ { tools: [mail/send], where: { args.to: [ann, bo], rest: any } } ], ask: [ ${ask} ] }\n`,
      ).filter((message) => message.startsWith('agents.a.ask'));
    const told = ['agents.a.ask[0]: asks for nothing: no allow rule holds anything that it meets'];
    expect(asking('{ tools: [mail/send], where: { args.to: eve } }')).toEqual(told);
    expect(asking('{ tools: [files/write_file] }')).toEqual(told);
    expect(asking('{ tools: [mail/send], where: { args.to: bo } }')).toEqual([]);
    expect(asking('{ tools: ["mail/*"] }')).toEqual([]);
  });
});

test('[P.lint.findings] without schemas nothing is guessed', () => {
  const { policy, document: read } = load(`${document}  tmux: { ${all} }\n`);
  expect(lintPolicy(read!, policy!)).toEqual([]);
});

describe('[P.lint.findings] credentials that others can read', () => {
  const servers = (entry: string): readonly string[] => {
    const loaded = load(`pawl: 1\nservers:\n  s: ${entry}\nagents: { a: { allow: [ { tools: [s/t] } ] } }\n`);
    expect(loaded.problems).toEqual([]);
    return lintPolicy(loaded.document!, loaded.policy!).map(({ path }) => path);
  };

  test('in the document are findings, stored ones are none', () => {
    expect(servers('{ command: x, env: { API_TOKEN: abcdef, LEVEL: warn } }')).toEqual([
      'servers.s.env.API_TOKEN',
    ]);
    expect(servers('{ url: "https://h/", headers: { Authorization: Bearer x } }')).toEqual([
      'servers.s.headers.authorization',
    ]);
    expect(servers('{ command: x, env: { API_TOKEN: { secret: t } } }')).toEqual([]);
    expect(servers('{ url: "https://h/", headers: { Authorization: { secret: t } } }')).toEqual([]);
  });

  test('on an unencrypted way to another machine are a finding', () => {
    const plain = (host: string): readonly string[] =>
      servers(`{ url: "http://${host}/", headers: { X: a } }`);
    expect(plain('tools.example')).toEqual(['servers.s.url']);
    expect(plain('10.0.0.7')).toEqual(['servers.s.url']);
    for (const host of ['localhost', '127.0.0.1:99', '[::1]']) expect(plain(host)).toEqual([]);
    expect(servers('{ url: "http://tools.example/" }')).toEqual([]);
  });
});
