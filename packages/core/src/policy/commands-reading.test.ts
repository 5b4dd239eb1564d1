/** POLICY section 4, command: what is read, and what is refused, through whole policies. */
import { describe, expect, test } from 'vitest';
import { type Gate } from '../../../../test/policies.js';
import { allowing, git, permitted, policy, some } from '../../../../test/commands.js';

describe('[P.kind.command] reading into simple commands', () => {
  test('each is an access of its own, so different rules may cover them', () => {
    const both = allowing(git, some('{ program: [ls] }'));
    const lines = [
      'git a',
      'ls',
      'git a; ls',
      'git a && ls || git b',
      'git a | ls',
      '(git a; (ls))',
      'git a\nls\n',
      'rm a; ls',
      'ls && rm a',
    ];
    expect(permitted(both, lines)).toEqual(lines.slice(0, 7));
    expect(both.call('sh/run', { command: 'git a; ls' }).accesses.map(({ verb }) => verb)).toEqual(
      expect.arrayContaining(['execute', 'read', 'write', 'delete']),
    );
  });

  test('quotes, here-documents without expansions and duplicated descriptors are plain', () => {
    const cat = allowing(
      some('{ program: [cat], args: ["a b", "c\'d"] }'),
      some('{ program: [cat], args: ["-"] }'),
    );
    const lines = [
      `cat 'a b' "c'd"`,
      String.raw`cat a\ b c\'d`,
      `cat - <<'E'\n$(rm x)\nE`,
      'cat - <<E\nplain\nE\n',
      'cat - <<-E\n\tplain\n\tE\n',
      'cat - 2>&1',
      'cat - 2>&1 >&- <&-',
    ];
    expect(permitted(cat, lines)).toEqual(lines);
  });

  test.each([
    ['substitution', 'git $(ls)'],
    ['substitution', 'git "`ls`"'],
    ['expansion', 'git $HOME'],
    ['expansion', 'git "${A}"'],
    ['expansion', 'git {a,b}'],
    ['expansion', 'git $((1+1))'],
    ['eval', 'eval git'],
    ['eval', "'eval' git"],
    ['eval', 'command eval git'],
    ['source', 'source git'],
    ['source', '. ./git'],
    ['process substitution', 'git <(git)'],
    ['process substitution', 'git >(git)'],
    ['aliases', 'alias git=rm'],
    ['functions', 'git() { rm a; }; git'],
    ['functions', 'function git { rm a; }'],
    ['background jobs', 'git a & git b'],
    ['background jobs', 'git a &'],
    ['unparsable text', 'git "a'],
    ['unparsable text', 'git (a)'],
    ['unparsable text', 'git a;; git b'],
    ['unparsable text', 'git a |'],
    ['unparsable text', '&& git'],
    ['unparsable text', '(git a'],
    ['unparsable text', 'git a)'],
    ['unparsable text', 'git >'],
    ['unparsable text', 'git \\'],
    ['compound commands', 'if git; then git; fi'],
    ['compound commands', 'for git in a; do git; done'],
    ['compound commands', '! git'],
    ['compound commands', '{ git; }'],
    ['here-documents with expansions', 'git <<E\n$(rm a)\nE'],
    ['here-documents without an end', 'git <<E\na'],
    ['here-strings', 'git <<< a'],
    ['comments', 'git # a'],
    ['control characters', 'git \u0007'],
    ['line breaks of win32', 'git a\r\nrm b'],
    ['what stands alone', 'A=1'],
    ['what stands alone', '> a'],
    ['an empty command', ''],
    ['an empty command', ' \n'],
    ['descriptors of two digits', 'git 12>&1'],
    ['redirection of both outputs', 'git &> a'],
    ['programs that are patterns', 'g?t a'],
    ['programs without a name', "'' git"],
  ])('%s is refused: %s', (_what, command) => {
    const under = policy(
      'allow: [ { tools: [sh/run], where: { args.command: any } } ], deny: [ { tools: [sh/run], where: { args.command: { program: [rm], env: any } } } ]',
    );
    expect(allowing(git).call('sh/run', { command })).toMatchObject({
      code: 'malformed_arguments',
      layer: 'decode',
      constraint: 'args.command',
    });
    expect(under.call('sh/run', { command }).code).toBe('malformed_arguments');
  });

  test('an argument that only rules without kind command name is not read', () => {
    const free = allowing('{ args.command: any }', '{ args.other: { program: [ls] } }');
    expect(free.permits('sh/run', { command: 'git $(ls) &' })).toBe(true);
    expect(free.call('sh/run', { command: 'git a' }).accesses).toEqual([{ tool: 'sh/run', verb: 'call' }]);
  });

  test('assignments before a command are refused, unless the constraint says env', () => {
    const lines = ['git a', 'A=1 git a', 'LC_ALL=C git a', 'A=1 LC_ALL=C git a', "A='x y' git a"];
    expect(permitted(allowing(git), lines)).toEqual(['git a']);
    expect(permitted(allowing(some('{ program: [git], env: any }')), lines)).toEqual(lines);
    expect(permitted(allowing(some('{ program: [git], env: [A] }')), lines)).toEqual([
      'git a',
      'A=1 git a',
      "A='x y' git a",
    ]);
    expect(permitted(allowing(some('{ program: [git], env: ["LC_*"] }')), lines)).toEqual([
      'git a',
      'LC_ALL=C git a',
    ]);
    expect(permitted(allowing(git), ['git A=1'])).toEqual(['git A=1']);
    expect(permitted(allowing(git), ['A+=1 git', 'A[0]=1 git'])).toEqual([]);
  });

  test('assignments meet denials that do not say env, and of those that do only the ones they name', () => {
    const under = (deny: string): Gate =>
      policy(
        `allow: [ { tools: [sh/run], where: { args.command: any } } ], deny: [ { tools: [sh/run], where: { args.command: ${deny} } } ]`,
      );
    const lines = ['ls', 'A=1 ls', 'LD_PRELOAD=x ls', 'rm a'];
    expect(permitted(under('{ program: [rm] }'), lines)).toEqual(['ls']);
    expect(permitted(under('{ program: [rm], env: any }'), lines)).toEqual([
      'ls',
      'A=1 ls',
      'LD_PRELOAD=x ls',
    ]);
    expect(permitted(under('{ env: [ld_preload] }'), lines)).toEqual(['ls', 'A=1 ls', 'rm a']);
  });
});

describe('[P.kind.command] wrappers', () => {
  test('are seen through, with the options of a closed table', () => {
    const lines = [
      'timeout 5 git a',
      'timeout -s KILL -k 1 2.5m git a',
      'timeout --signal=TERM 5 git a',
      'nice git a',
      'nice -n 5 git a',
      'nohup git a',
      'command git a',
      'command -v git',
      'time git a',
      'time -p git a',
      'stdbuf -oL git a',
      'stdbuf -o L -- git a',
      'nohup nice -n 5 timeout 1 git a',
      "sh -c 'git a'",
      'bash -lc "git a && git b"',
      "/bin/zsh -ec 'git a'",
      "/usr/bin/bash -c 'git a'",
      `sh -c "sh -c 'git a'"`,
      "timeout 5 sh -c 'git a; git b'",
    ];
    expect(permitted(allowing(git), lines)).toEqual(lines);
    expect(permitted(allowing(some('{ program: [ls] }')), lines)).toEqual([]);
  });

  test('need no grant, and have none: what they are granted as is what they run', () => {
    expect(
      permitted(allowing(some('{ program: [sh, timeout] }')), ["sh -c 'git a'", 'timeout 5 git a']),
    ).toEqual([]);
  });

  test.each([
    'timeout --frob 5 git a',
    'timeout git a',
    'nice -x git',
    'nohup',
    'stdbuf --foo git',
    'time -v git',
    'command A=1 git',
    "sh -c 'git $A'",
  ])('that are not understood are refused: %s', (command) => {
    expect(allowing(git).call('sh/run', { command }).code).toBe('malformed_arguments');
  });

  test('any other launcher, and a shell used in any other way, is a program like any other', () => {
    const lines = [
      'env git a',
      'xargs git',
      'sudo git a',
      'bash git.sh',
      "bash -x -c 'git a'",
      "sh -c 'git a' b",
      '/usr/bin/timeout 5 git a',
      "dash -c 'git a'",
    ];
    expect(permitted(allowing(git), lines)).toEqual([]);
    const granted = allowing(some('{ program: [env, xargs, sudo, bash, sh, dash, /usr/bin/timeout] }'));
    expect(permitted(granted, lines)).toEqual(lines);
  });

  test('what stands around a shell holds for what it runs', () => {
    const writes = allowing(some('{ program: [git], redirect: { write: [/out/**] } }'));
    expect(
      permitted(writes, [
        "sh -c 'git a' > /out/x",
        '(git a; git b) > /out/x',
        "sh -c 'git a' > /etc/x",
        '(git a) > /etc/x',
        "A=1 sh -c 'git a'",
      ]),
    ).toEqual(["sh -c 'git a' > /out/x", '(git a; git b) > /out/x']);
  });
});
