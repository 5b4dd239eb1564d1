/** SKILL.md as it is found in the wild: read where it says what is meant, refused with a reason where it does not, and never a crash. */
import { type SkillManifest, type SkillRefusal, isRefusal, readManifest, sha256 } from '@pawl/core';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readYaml } from '../../packages/gateway/src/config/index.js';

const utf8 = new TextEncoder();

function read(text: string | Uint8Array): SkillManifest | SkillRefusal {
  const bytes = typeof text === 'string' ? utf8.encode(text) : text;
  return readManifest(new Map([['SKILL.md', { bytes, digest: sha256(bytes), executable: false }]]), readYaml);
}

function frontmatter(text: string | Uint8Array): SkillManifest['frontmatter'] {
  const manifest = read(text);
  if (isRefusal(manifest)) throw new Error(manifest.message);
  return manifest.frontmatter;
}

/** Nine lists of nine of the list before, and so on. */
const bombs = ['b', 'c', 'd', 'e', 'f', 'g', 'h']
  .map(
    (name, at) => `${name}: &${name} [${Array.from({ length: 9 }, () => `*${'abcdefg'[at]}`).join(',')}]\n`,
  )
  .join('');

const head = 'name: notes\ndescription: Writes notes.\n';
const skill = (more: string, body = '\n# Notes\n'): string => `---\n${head}${more}---\n${body}`;
const allowed = (value: string): readonly string[] =>
  (frontmatter(skill(`allowed-tools: ${value}\n`)).allowedTools ?? []).map(({ name, limit }) =>
    limit === undefined ? name : `${name} with ${limit}`,
  );

describe('[S003.frontmatter] what is read', () => {
  test.each<readonly [string, string]>([
    ['line ends of Windows', skill('license: MIT\n').replaceAll('\n', '\r\n')],
    ['a byte order mark', `\uFEFF${skill('')}`],
    ['blanks after the marks', `---  \n${head}---\t\nText\n`],
    ['no text after it', `---\n${head}---`],
    ['no blank line before the text', `---\n${head}---\nText`],
    ['a line of dashes in the text', skill('', '\nOne\n\n---\n\nTwo\n')],
    ['a comment', skill('# a comment\nlicense: MIT # another\n')],
    ['texts in quotes', '---\nname: "notes"\ndescription: \'It: "writes" # notes\'\n---\n'],
    [
      'a folded description',
      '---\nname: notes\ndescription: >-\n  Writes notes,\n  over lines: many.\n---\n',
    ],
    ['a description with line breaks', '---\nname: notes\ndescription: |\n  One.\n\n  Two.\n---\n'],
    [
      'a description over lines without a mark',
      '---\nname: notes\ndescription: Writes\n  notes and\n  more.\n---\n',
    ],
    ['a long description', `---\nname: notes\ndescription: ${'Writes notes. '.repeat(2000)}end\n---\n`],
    ['a flow mapping', '---\n{name: notes, description: Writes.}\n---\n'],
    ['an anchor and its alias', '---\nname: &n notes\ndescription: Writes.\nmetadata: { same: *n }\n---\n'],
    [
      'metadata of any depth',
      skill('metadata:\n  a: [1, {b: null}, true]\n  when: 2026-11-14\n  version: "1.10"\n'),
    ],
    [
      'keys of other hosts',
      skill('version: 1.0.0\ntools:\n  - Read\n  - Shell\nmodel: any\nuser-invocable: true\n'),
    ],
    ['an empty licence', skill('license:\n')],
    ['a number as licence', skill('license: 2.0\n')],
    ['a list as compatibility', skill('compatibility: [one, two]\n')],
    ['a mapping as compatibility', skill('compatibility:\n  os: linux\n')],
    ['a name with capitals, dots and underscores', '---\nname: My_Notes.v2\ndescription: Writes.\n---\n'],
    ['numbers that no double holds', skill('metadata:\n  id: 12345678901234567890\n  commit: 1234567e890\n')],
    ['keys that are no text', skill('metadata:\n  1: one\n  true: yes\n')],
    ['letters of every kind', skill('author: "\u00e4\u{1f600}\u65e5"\n')],
  ])('%s', (_, text) => {
    const { name, description } = frontmatter(text);
    expect(name.toLowerCase()).toContain('notes');
    expect(description).toMatch(/Writes|It:|One/u);
  });

  test('what YAML would read as a number or a key of another kind is the text that stands there', () => {
    const { whole } = frontmatter(skill('metadata:\n  id: 12345678901234567890\n  1: one\n  size: 5\n'));
    expect(whole).toMatchObject({ metadata: { id: '12345678901234567890', '1': 'one', size: 5 } });
  });

  test('instructions are the text after it, and the whole of it is kept as it was written', () => {
    const text = skill('license: MIT\nextra: [1]\n', '\n\n# Notes\r\n\nWrite.\n');
    expect(frontmatter(text)).toMatchObject({
      instructions: '# Notes\r\n\nWrite.\n',
      whole: { name: 'notes', description: 'Writes notes.', license: 'MIT', extra: [1] },
      license: 'MIT',
      unknown: ['extra'],
    });
    expect(frontmatter(skill('compatibility: [a]\n')).unknown).toEqual(['compatibility']);
  });
});

describe('[S003.frontmatter] allowed-tools', () => {
  test.each<readonly [string, readonly string[]]>([
    ['Bash', ['Bash']],
    ['Bash Read', ['Bash', 'Read']],
    ['Read, Grep,Glob', ['Read', 'Grep', 'Glob']],
    ['"Read , Write"', ['Read', 'Write']],
    ['Bash(git:*)', ['Bash with git:*']],
    [
      'Bash(git add:*), Bash(git commit -m:*) Read',
      ['Bash with git add:*', 'Bash with git commit -m:*', 'Read'],
    ],
    ['Bash(python "a (b).py":*)', ['Bash with python "a (b).py":*']],
    ['[Bash, "Read(docs/**)"]', ['Bash', 'Read with docs/**']],
    ['["Bash(git:*), Read"]', ['Bash with git:*', 'Read']],
    [
      'mcp__github__create_issue WebFetch(domain:docs.example)',
      ['mcp__github__create_issue', 'WebFetch with domain:docs.example'],
    ],
    ['"*"', ['*']],
    ['""', []],
    ['[]', []],
    ['~', []],
    ['"Bash(git:* Read"', ['Bash(git:* Read']],
    ['"Bash) Read"', ['Bash)', 'Read']],
    ['"(x) Read"', ['(x)', 'Read']],
    ['"Bash(a)(b) Read"', ['Bash with a)(b', 'Read']],
    ['[1, true, {Bash: "git:*"}, [Read]]', ['1', 'true', '{"Bash":"git:*"}', '["Read"]']],
    ['5', ['5']],
  ])('%s', (value, expected) => {
    expect(allowed(value)).toEqual(expected);
  });

  test('over lines, as a list and as a text', () => {
    expect(frontmatter(skill('allowed-tools:\n  - Bash(git:*)\n  - Read\n')).allowedTools).toHaveLength(2);
    expect(frontmatter(skill('allowed-tools: >\n  Bash(git:*)\n  Read\n')).allowedTools).toHaveLength(2);
    expect(frontmatter(skill('')).allowedTools).toBeUndefined();
  });
});

describe('[S003.frontmatter] what is refused', () => {
  test.each<readonly [string, string | Uint8Array, RegExp]>([
    ['no frontmatter', '# Notes\n', /does not begin with frontmatter/u],
    ['nothing', '', /does not begin/u],
    ['an open end', `---\n${head}`, /does not begin/u],
    ['a text before it', `Text\n---\n${head}---\n`, /does not begin/u],
    ['no name', '---\ndescription: x\n---\n', /has no name/u],
    ['no description', '---\nname: notes\n---\n', /has no description/u],
    ['an empty name', '---\nname: ""\ndescription: x\n---\n', /name is no text/u],
    ['an empty description', '---\nname: notes\ndescription:\n---\n', /description is no text/u],
    ['a number as name', '---\nname: 12\ndescription: x\n---\n', /name is no text/u],
    ['a list as description', '---\nname: notes\ndescription: [x]\n---\n', /description is no text/u],
    ['a name with blanks', '---\nname: My Notes\ndescription: x\n---\n', /no name of a skill/u],
    ['a name that leads out', '---\nname: ../notes\ndescription: x\n---\n', /no name of a skill/u],
    ['a name of 65 characters', `---\nname: ${'n'.repeat(65)}\ndescription: x\n---\n`, /no name of a skill/u],
    [
      'a colon in a text without quotes',
      '---\nname: notes\ndescription: Use it: always\n---\n',
      /line 2 .*YAML/u,
    ],
    ['a key twice', `---\n${head}name: other\n---\n`, /second time/u],
    ['__proto__', `---\n${head}metadata: { __proto__: 1 }\n---\n`, /__proto__/u],
    ['a tag that makes objects', `---\n${head}metadata: !!python/object:os.system x\n---\n`, /tag/u],
    ['a merge key', `---\n${head}metadata: { <<: { a: 1 } }\n---\n`, /merge/u],
    ['tabs as indentation', `---\n${head}metadata:\n\ta: 1\n---\n`, /line/u],
    ['an alias that explodes', `---\n${head}a: &a [x,x,x,x,x,x,x,x,x]\n${bombs}---\n`, /nodes/u],
    ['a list', '---\n- name: notes\n---\n', /no mapping/u],
    ['a key twice, spelled otherwise', skill('1: a\n"1": b\n'), /the key 1 a second time/u],
    ['a key that is a list', skill('? [a]\n: b\n'), /no text/u],
    [
      'more than anybody writes',
      skill(`metadata: "${'x'.repeat(65_536)}"\n`),
      /longer than 65536 characters/u,
    ],
    ['no UTF-8', new Uint8Array([45, 45, 45, 10, 0xff, 0xfe]), /no UTF-8/u],
    ['a control character', `---\n${head}x: "a\u0000b"\n---\n`, /control character/u],
  ])('%s', (_, text, why) => {
    const answer = read(text);
    expect(answer).toMatchObject({ kind: 'refused', reason: 'bad_frontmatter', file: 'SKILL.md' });
    expect((answer as SkillRefusal).message).toMatch(why);
  });

  test('any text is read or refused, and no text crashes', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '---\n',
        'name: a\n',
        'description: b\n',
        'allowed-tools: ',
        '(',
        ')',
        ', ',
        '\r\n',
        '\uFEFF',
        '- ',
        '&a ',
        '*a',
        '|\n',
        '"',
      ),
      fc.string({ unit: 'binary', maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
        const answer = read(pieces.join(''));
        expect(isRefusal(answer) ? answer.message.length : answer.frontmatter.name.length).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });
});
