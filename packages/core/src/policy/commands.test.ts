/** POLICY section 4, command: members of the constraint, words and redirections, through whole policies. */
import { describe, expect, test } from 'vitest';
import { type Gate, load } from '../../../../test/policies.js';
import { allowing, git, permitted, policy, servers, some, tools } from '../../../../test/commands.js';

describe('[P.kind.command] the members of the constraint', () => {
  test('program is the bare name as spelled; one spelled as a path is granted as that path', () => {
    const lines = ['git a', '/usr/bin/git a', './git a', 'Git a', 'gitk a', "'git' a", 'g\\it a'];
    expect(permitted(allowing(git), lines)).toEqual(['git a', "'git' a", 'g\\it a']);
    expect(permitted(allowing(some('{ program: [/usr/bin/git] }')), lines)).toEqual(['/usr/bin/git a']);
    expect(permitted(allowing(some('{ program: ["git*"] }')), lines)).toEqual([
      'git a',
      'gitk a',
      "'git' a",
      'g\\it a',
    ]);
    expect(permitted(allowing(some('{ program: ["*"] }')), ['git a', '/bin/git a'])).toEqual(['git a']);
  });

  test('a denied program is denied in every folder and in every case', () => {
    const under = policy(
      'allow: [ { tools: [sh/run], where: { args.command: any } } ], deny: [ { tools: [sh/run], where: { args.command: { program: [rm] } } } ]',
    );
    const lines = [
      'rm a',
      '/bin/rm a',
      '../rm a',
      'RM a',
      'ls; rm a',
      "sh -c 'rm a'",
      'nohup rm a',
      'ls rm',
      'rmdir a',
    ];
    expect(permitted(under, lines)).toEqual(['ls rm', 'rmdir a']);
    expect(under.call('sh/run', { command: 'rm a' })).toMatchObject({
      code: 'denied',
      constraint: 'args.command',
    });
  });

  test('args is positional: * one word, ** any number, globs inside words', () => {
    const lines = ['git', 'git a', 'git a b', 'git a.txt', 'git x a.txt', 'git x y a.txt'];
    const args = (list: string): readonly string[] =>
      permitted(allowing(some(`{ program: [git], args: ${list} }`)), lines);
    expect(args('["*"]')).toEqual(['git a', 'git a.txt']);
    expect(args('["**"]')).toEqual(lines);
    expect(args('["*", "**"]')).toEqual(lines.slice(1));
    expect(args('["**", "*.txt"]')).toEqual(['git a.txt', 'git x a.txt', 'git x y a.txt']);
    expect(args('["?", "*"]')).toEqual(['git a b', 'git x a.txt']);
    expect(permitted(allowing(some('{ program: [git], args: ["a b"] }')), ['git a b', "git 'a b'"])).toEqual([
      "git 'a b'",
    ]);
    expect(permitted(allowing(some('{ program: [git], args: ["*"] }')), ['git "a\nb\tc"'])).toHaveLength(1);
  });

  test('sub is the subcommand after known global options; an unknown option has none', () => {
    const status = allowing(some('{ program: [git], sub: [status] }'));
    const lines = [
      'git status',
      'git -C /repo status -s',
      'git --git-dir=/r --no-pager status',
      'git --git-dir /r status',
      'git push status',
      'git -c alias.status=!rm status',
      'git --exec-path=/x status',
      'git -x status',
      'git',
      'git --version',
      'git Status',
    ];
    expect(permitted(status, lines)).toEqual(lines.slice(0, 4));
    expect(
      permitted(allowing(some('{ program: [kubectl, gh], sub: [get, "pr view"] }')), [
        'kubectl -n x get pods',
        'kubectl -nx --context=y get pods',
        'gh pr view 1',
        'gh pr merge 1',
        'kubectl delete pods',
      ]),
    ).toEqual(['kubectl -n x get pods', 'kubectl -nx --context=y get pods', 'gh pr view 1']);
  });

  test('with sub, args are the words after it', () => {
    const log = allowing(some('{ program: [git], sub: [log], args: [-n, "*"] }'));
    expect(permitted(log, ['git log -n 5', 'git -C x log -n 5', 'git log', 'git log -n 5 x'])).toEqual([
      'git log -n 5',
      'git -C x log -n 5',
    ]);
  });

  test('a denied sub meets commands whose subcommand cannot be told', () => {
    const under = policy(
      'allow: [ { tools: [sh/run], where: { args.command: any } } ], deny: [ { tools: [sh/run], where: { args.command: { program: [git, cargo], sub: [push, publish] } } } ]',
    );
    const lines = [
      'git push',
      'git -C x push',
      'git -c a=b status',
      '/usr/bin/git PUSH',
      'cargo +nightly publish',
      'git status',
      'git --version',
      'git',
      'npm publish',
    ];
    expect(permitted(under, lines)).toEqual(['git status', 'git --version', 'git', 'npm publish']);
  });

  test('has is some word, for denials', () => {
    const under = policy(
      'allow: [ { tools: [sh/run], where: { args.command: { program: [git] } } } ], deny: [ { tools: [sh/run], where: { args.command: { has: [--force, "-f*"] } } } ]',
    );
    const lines = [
      'git push',
      'git push --force',
      'git push -fu',
      "git push '--FORCE'",
      'git a; git b -f',
      'git --forced',
    ];
    expect(permitted(under, lines)).toEqual(['git push', 'git --forced']);
  });

  test('parts of constraints combine: except, all, either, lists of arguments', () => {
    const except = allowing(
      some('{ in: { program: [git] }, except: { program: [git], sub: [push], env: any } }'),
    );
    expect(permitted(except, ['git status', 'git push', 'git -x push', 'ls'])).toEqual(['git status']);
    const either = allowing(some('{ either: [ { program: [git] }, { program: [ls], args: [-l] } ] }'));
    expect(permitted(either, ['git a; ls -l', 'ls'])).toEqual(['git a; ls -l']);
    const all = allowing(some('{ all: [ { program: [git] }, { suffix: "x" } ] }'));
    expect(permitted(all, ['git x', 'git y', 'ls x'])).toEqual(['git x']);
    const listed = allowing('{ args.list: { program: [git] } }');
    expect(listed.permits('sh/run', { list: ['git a', 'git b; git c'] })).toBe(true);
    expect(listed.permits('sh/run', { list: ['git a', 'git b; ls'] })).toBe(false);
    expect(listed.permits('sh/run', { list: ['git a', 'git $x'] })).toBe(false);
    const few = allowing('{ args.list: { items: { program: [git] }, maxItems: 2 } }');
    expect(few.permits('sh/run', { list: ['git a', 'git b'] })).toBe(true);
    expect(few.permits('sh/run', { list: ['git a', 'git b', 'git c'] })).toBe(false);
    const two = allowing('{ args.command: { program: [git] }, args.other: { program: [ls] } }');
    expect(two.permits('sh/run', { command: 'git a; git b', other: 'ls; ls -l' })).toBe(true);
    expect(two.permits('sh/run', { command: 'git a', other: 'ls; rm a' })).toBe(false);
    expect(two.permits('sh/run', { command: 'git a' })).toBe(false);
  });

  test('an omitted command is filled where one is allowed', () => {
    const one = allowing(some('{ program: [git], args: [status] }'));
    expect(one.call('sh/run', {})).toMatchObject({
      args: { command: 'git status' },
      filled: ['args.command'],
    });
    expect(allowing(some('{ optional: { program: [git] } }')).permits('sh/run', {})).toBe(true);
    expect(allowing(git).permits('sh/run', {})).toBe(false);
  });
});

describe('[P.kind.command] words as paths', () => {
  const cat = allowing(
    some('{ program: [cat, cp, ls, make, tar, echo, git, cd, find] }', ', path: ["/data/**", "/proj/**"]'),
  );

  test('are judged by a rule that names path, against the working directory, with all beneath', () => {
    const lines = [
      'cat /data/a',
      'cat a ../data/b',
      'cat /data',
      'cat /etc/passwd',
      'cat ../etc/passwd',
      'cat /data/a /etc/b',
      'cp /data/a /etc/a',
      'cat /data/../etc/x',
      'cat /',
      'cat ~/x',
      'cat "/etc/passwd"',
    ];
    expect(permitted(cat, lines)).toEqual(lines.slice(0, 3));
  });

  test('are free in a rule that names no path', () => {
    expect(permitted(allowing(some('{ program: [cat] }')), ['cat /etc/passwd', 'cat ~root/x'])).toHaveLength(
      2,
    );
  });

  test('one rule may free the words of its own commands only', () => {
    const both = allowing(some('{ program: [ls] }'), some('{ program: [cat] }', ', path: /data/**'));
    expect(
      permitted(both, [
        'ls /etc; cat /data/a',
        'ls /etc; cat /etc/a',
        'cat /data/a > /data/b',
        'ls /etc > /data/b',
      ]),
    ).toEqual(['ls /etc; cat /data/a', 'cat /data/a > /data/b']);
  });

  test('of options and assignments only the part from /, ~ or .. counts', () => {
    const lines = [
      'tar --file=/data/x',
      'tar -C/data/x',
      'tar -xvz',
      'make A=b',
      'tar --file=/etc/x',
      'make DIR=../etc',
      'tar -f~/x',
      'make CC=/bin/x',
    ];
    expect(permitted(cat, lines)).toEqual(lines.slice(0, 4));
  });

  test('an unquoted glob is the folder of its literal prefix', () => {
    const lines = [
      'cat /data/*.txt',
      'cat *',
      'cat /data/a?/x',
      'cat /etc/*',
      'cat /da*',
      'cat /data/*/../../etc/x',
      'cat /data/[a]/../x',
    ];
    expect(permitted(cat, lines)).toEqual(lines.slice(0, 3));
    expect(permitted(allowing(some('{ program: [cat] }', ', path: "/data/*"')), ["cat '/data/*'"])).toEqual(
      [],
    );
  });

  test('verbs are read, write and delete, unless the program does less', () => {
    const verbs = (command: string): readonly string[] =>
      allowing(some('{ program: ["*"] }'))
        .call('sh/run', { command })
        .accesses.map(({ verb, path }) => `${verb} ${path ?? ''}`);
    expect(verbs('cat a')).toEqual(['execute ', 'read /proj/a']);
    expect(verbs('foo a')).toEqual(['execute ', 'read /proj/a', 'write /proj/a', 'delete /proj/a']);
    expect(verbs('find . -name x')).toEqual(['execute ', 'read /proj', 'read /proj/x']);
    expect(verbs('find . -delete')).toContain('delete /proj');
    expect(verbs('echo /etc/passwd')).toEqual(['execute ']);
    expect(verbs("git commit -m '/etc/passwd'")).toEqual([
      'execute ',
      'read /proj/commit',
      'write /proj/commit',
      'delete /proj/commit',
    ]);
    expect(verbs('git commit --message=/etc/x')).not.toContain('read /etc/x');
  });

  test('a command with no such word accesses the working directory', () => {
    const verbs = (under: Gate, command: string): boolean => under.permits('sh/run', { command });
    expect(verbs(cat, 'ls -l')).toBe(true);
    expect(verbs(allowing(some('{ program: [ls] }', ', path: /data/**')), 'ls -l')).toBe(false);
    expect(verbs(allowing(some('{ program: [ls] }', ', path: /proj/**')), 'ls')).toBe(true);
  });

  test('a denial that names path judges them, with what is beneath; one that follows the name judges names only', () => {
    const under = (deny: string): Gate =>
      policy(
        `allow: [ { tools: [sh/run], where: { args.command: { program: ["*"] } } } ], deny: [ ${deny} ]`,
      );
    const lines = [
      'cat a',
      'cat .env',
      'cat b/.env',
      'cat .',
      'cat /secret/x',
      'cat /',
      'ls -l',
      'cat --x=/secret/y',
    ];
    expect(permitted(under('{ where: { path: "**/.env" } }'), lines)).toEqual([
      'cat a',
      'cat .',
      'cat /secret/x',
      'cat /',
      'ls -l',
      'cat --x=/secret/y',
    ]);
    expect(permitted(under('{ where: { path: /secret/** } }'), lines)).toEqual([
      'cat a',
      'cat .env',
      'cat b/.env',
      'cat .',
      'ls -l',
    ]);
    expect(permitted(under('{ where: { path: /secret/** }, reach: named }'), lines)).toContain('cat /');
    expect(
      permitted(under('{ tools: [sh/run], verbs: [write, delete], where: { path: /proj/** } }'), [
        'cat a',
        'cp a b',
      ]),
    ).toEqual(['cat a']);
  });

  test('an ask that names path asks', () => {
    const asks = policy(
      'allow: [ { tools: [sh/run], where: { args.command: { program: [cat] } } } ], ask: [ { tools: [sh/run], where: { path: /etc/** } } ]',
    );
    expect(asks.call('sh/run', { command: 'cat /etc/hosts' }).decision).toBe('once');
    expect(asks.call('sh/run', { command: 'cat a' }).decision).toBe('permit');
  });

  test('follow cd: what stands behind it is judged in every folder where it may run', () => {
    const lines = [
      'cd /data/x/y && cat ../z',
      'cd /data && cat z',
      '(cd /data/a/b/c; cat x); cat y',
      'cd /data && cat ../etc/x',
      'cd /etc && cat x',
      'cd && cat x',
    ];
    const deep = policy(
      `allow: [ { tools: [sh/run], where: ${some('{ program: [cat, cd] }', ', path: ["/data/**"]')} } ]`,
      'servers: { sh: { command: x, root: /data/a/b } }',
    );
    expect(permitted(deep, lines)).toEqual(lines.slice(0, 3));
  });

  test('a word that cannot be resolved refuses the call where a list names path, and only there', () => {
    const rootless = 'servers: { sh: { command: x } }';
    const named = policy(
      `allow: [ { tools: [sh/run], where: ${some('{ program: [cat] }', ', path: /data/**')} } ]`,
      rootless,
    );
    expect(named.call('sh/run', { command: 'cat a' })).toMatchObject({
      code: 'malformed_arguments',
      constraint: 'path',
    });
    expect(named.permits('sh/run', { command: 'cat /data/a' })).toBe(true);
    expect(
      policy(`allow: [ { tools: [sh/run], where: ${some('{ program: [cat] }')} } ]`, rootless).permits(
        'sh/run',
        { command: 'cat a' },
      ),
    ).toBe(true);
    expect(cat.call('sh/run', { command: 'cat ~root/.bashrc' }).code).toBe('malformed_arguments');
  });
});

describe('[P.kind.command] redirections', () => {
  test('are refused unless the rule names path or says redirect', () => {
    const lines = [
      'cat a > /out/x',
      'cat a >> x',
      'cat < /in/x',
      'cat a 2> /dev/null',
      'cat a >| x',
      'cat a <> x',
    ];
    expect(permitted(allowing(some('{ program: [cat] }')), [...lines, 'cat a'])).toEqual(['cat a']);
    expect(permitted(allowing('{ args.command: any }', some('{ program: [ls] }')), lines)).toEqual(lines);
    const says = allowing(
      some('{ program: [cat], redirect: { read: [/in/**], write: [/out/**, /dev/null] } }'),
    );
    expect(permitted(says, lines)).toEqual(['cat a > /out/x', 'cat < /in/x', 'cat a 2> /dev/null']);
    const names = allowing(some('{ program: [cat] }', ', path: ["/proj/**", "/out/**"]'));
    expect(permitted(names, lines)).toEqual(['cat a > /out/x', 'cat a >> x', 'cat a >| x', 'cat a <> x']);
  });

  test('only one side may be said: the other is refused', () => {
    const reads = allowing(some('{ program: [sort], redirect: { read: [/in/**] } }'));
    expect(permitted(reads, ['sort < /in/a', 'sort > /in/a', 'sort < /in/../etc/x'])).toEqual([
      'sort < /in/a',
    ]);
  });

  test('are accesses of their own verb, of exactly what they name', () => {
    const { accesses } = allowing(some('{ program: [sort] }', ', path: /**')).call('sh/run', {
      command: 'sort < a > /out/b',
    });
    expect(accesses).toContainEqual({ tool: 'sh/run', verb: 'read', path: '/proj/a' });
    expect(accesses).toContainEqual({ tool: 'sh/run', verb: 'write', path: '/out/b' });
  });

  test('meet denials by path, and denials that say redirect', () => {
    const under = (deny: string): Gate =>
      policy(
        `allow: [ { tools: [sh/run], where: { args.command: any } } ], deny: [ ${deny}, { tools: [sh/run], where: { args.command: { program: [rm] } } } ]`,
      );
    expect(permitted(under('{ where: { path: /etc/** } }'), ['ls > /etc/x', 'ls > x', 'ls 2>&1'])).toEqual([
      'ls > x',
      'ls 2>&1',
    ]);
    expect(
      permitted(under('{ tools: [sh/run], where: { args.command: { redirect: { write: [/etc/**] } } } }'), [
        'ls > /etc/x',
        'ls < /etc/x',
        'ls > x',
      ]),
    ).toEqual(['ls < /etc/x', 'ls > x']);
  });
});

describe('[P.kind.command] in a document', () => {
  const problems = (constraint: string): readonly string[] =>
    load(
      `pawl: 1\n${servers}\nagents:\n  a:\n    allow: [ { tools: [sh/run], where: { args.command: ${constraint} } } ]\n`,
      tools,
    ).problems.map(({ found, message, allowed }) => `${found} | ${message} | ${allowed}`);

  test.each([
    ['{ program: [] }', 'an empty list'],
    ['{ args: [] }', 'an empty list'],
    ['{ program: ["git status"] }', 'further words'],
    ['{ program: [1] }', 'words are texts'],
    ['{ program: [terraform], sub: [plan] }', 'subcommands of terraform are not known'],
    ['{ redirect: {} }', 'redirect'],
    ['{ redirect: { append: [/x] } }', 'unknown key append'],
    ['{ redirect: { write: [/a//b] } }', '//'],
    ['{ program: [eval] }', 'no value meets'],
    ['{ program: [git], prefix: x }', 'use all'],
    ['{ args: ["a\\u0001"] }', 'control character'],
  ])('%s is a load error', (constraint, message) => {
    expect(problems(constraint).join('\n')).toContain(message);
  });

  test('verbs of a tool with a command are known, others are not', () => {
    const verbs = (list: string): readonly string[] =>
      load(
        `pawl: 1\n${servers}\nagents: { a: { allow: [ { tools: [sh/run], verbs: [${list}], where: ${git} } ] } }\n`,
        tools,
      ).problems.map(({ found }) => found);
    expect(verbs('execute, read, write, delete')).toEqual([]);
    expect(verbs('send')).toHaveLength(1);
    expect(
      load(
        `pawl: 1\n${servers}\nagents: { a: { allow: [ { tools: [sh/run], where: { path: /x } } ] } }\n`,
        tools,
      ).problems,
    ).toHaveLength(1);
  });
});
