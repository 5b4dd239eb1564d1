/** What a policy says of skills: read with positions, and compared at reload. */
import { type Relation, comparePolicies, judgeCall } from '@pawl/core';
import { describe, expect, test } from 'vitest';
import { closed, filesystemTools, load } from '../policies.js';

const tools = {
  f: { write_file: filesystemTools['write_file']!, directory_tree: filesystemTools['directory_tree']! },
  s: { t: closed({ x: { type: 'string' } }) },
};

function document(skills: string, top = ''): string {
  return `pawl: 1
servers: { f: { command: x, connector: filesystem, root: /w }, s: { command: x } }
agents:
  a:
    allow: [ { tools: ["f/*", s/t] } ]
    skills: ${skills}
${top}`;
}

const grant = (rule: string, mode = 'fail_closed'): string => `{ k: { grant: [ ${rule} ], mode: ${mode} } }`;
const inner = grant('{ tools: [f/write_file], where: { path: /w/a/** } }');
const outer = grant('{ tools: [f/write_file], where: { path: /w/** } }');

function relation(old: string, next: string, trust: readonly (object | undefined)[] = []): Relation {
  const [before, now] = [old, next].map((text, at) => {
    const facts = new Map(trust[at] === undefined ? [] : [['skills.trust', trust[at] as never]]);
    const loaded = load(text, tools, { facts });
    if (loaded.policy === undefined) throw new Error(loaded.problems.map(({ message }) => message).join());
    return loaded.policy;
  });
  return comparePolicies({ old: before!, next: now!, judge: judgeCall }).relation;
}

describe('[S003.grant-compared] grants of skills at reload', () => {
  test.each<readonly [string, string, string, Relation]>([
    ['the same', inner, inner, 'equal'],
    [
      'the same in other words',
      grant('{ tools: [f/write_file], where: { path: [/w/a/**] } }'),
      inner,
      'equal',
    ],
    ['narrower', outer, inner, 'attenuation'],
    ['wider', inner, outer, 'widening'],
    ['a new skill', '{}', inner, 'widening'],
    ['a skill less', inner, '{}', 'attenuation'],
    ['masks instead of rejecting', inner, inner.replace('fail_closed', 'fail_visible'), 'widening'],
    ['rejects instead of masking', inner.replace('fail_closed', 'fail_visible'), inner, 'attenuation'],
    ['another tool', inner, grant('{ tools: [s/t] }'), 'widening'],
  ])('%s', (_, old, next, expected) => {
    expect(relation(document(old), document(next))).toBe(expected);
  });

  test.each<readonly [string, string, string, Relation]>([
    ['a name more', '{}', '{ names: { Bash: s/t } }', 'widening'],
    ['a name less', '{ names: { Bash: s/t } }', '{}', 'attenuation'],
    [
      'a name that means another tool',
      '{ names: { Bash: s/t } }',
      '{ names: { Bash: f/write_file } }',
      'widening',
    ],
  ])('%s', (_, old, next, expected) => {
    expect(relation(document(inner, `skills: ${old}`), document(inner, `skills: ${next}`))).toBe(expected);
  });

  test('the trust file: who is trusted less, or revoked more, attenuates; everything else widens', () => {
    const terms = { publicKey: 'x', skills: ['a'] };
    const same = (old: object | undefined, next: object | undefined): Relation =>
      relation(document(inner), document(inner), [old, next]);
    expect(same({ keys: { k: terms } }, { keys: { k: terms } })).toBe('equal');
    expect(same({ keys: { k: terms } }, { keys: {} })).toBe('attenuation');
    expect(same({ keys: { k: terms } }, undefined)).toBe('attenuation');
    expect(same(undefined, { keys: { k: terms } })).toBe('widening');
    expect(same({ keys: { k: terms } }, { keys: { k: { ...terms, skills: ['*'] } } })).toBe('widening');
    const during = (notBefore?: string, notAfter?: string): object => ({
      keys: { k: { ...terms, ...(notBefore && { notBefore }), ...(notAfter && { notAfter }) } },
    });
    const always = { keys: { k: terms } };
    expect(same(always, { keys: { k: { ...terms, name: 'team' } } })).toBe('equal');
    expect(same(always, { keys: { k: { ...terms, skills: ['a', 'b'] } } })).toBe('widening');
    expect(same({ keys: { k: { ...terms, skills: ['a', 'b'] } } }, always)).toBe('attenuation');
    expect(same(always, { keys: { k: { ...terms, publicKey: 'y' } } })).toBe('widening');
    expect(same(always, during('2026-01-01', '2027-01-01'))).toBe('attenuation');
    expect(same(during('2026-01-01', '2027-01-01'), always)).toBe('widening');
    expect(same(during(undefined, '2027-01-01'), during(undefined, '2026-12-31T23:59:59Z'))).toBe(
      'attenuation',
    );
    expect(same(during(undefined, '2027-01-01'), during(undefined, '2027-01-01T00:00:01Z'))).toBe('widening');
    expect(same(during('2026-01-01'), during('2025-12-31'))).toBe('widening');
    expect(same(during('2026-01-01'), during('2026-01-01T00:00:00Z'))).toBe('equal');
    expect(same({ revoked: ['1'] }, { revoked: ['1', '2'] })).toBe('attenuation');
    expect(same({ revoked: ['1', '2'] }, { revoked: ['1'] })).toBe('widening');
  });
});

describe('[P.skill.policy] what a policy may say of skills', () => {
  const problems = (skills: string, top = ''): readonly string[] =>
    load(document(skills, top), tools).problems.map(({ at, found }) => `${at.line}:${at.column} ${found}`);

  test.each<readonly [string, readonly [string, string?], RegExp]>([
    ['an unknown key', ['{ k: { grant: [ { tools: [s/t] } ], files: [] } }'], /^6:\d+ key "files"/u],
    ['no grant', ['{ k: { mode: fail_closed } }'], /no grant/u],
    ['an unknown mode', [grant('{ tools: [s/t] }', 'fail_open')], /"fail_open"/u],
    ['a tool that is not there', [grant('{ tools: [s/u] }')], /tool s\/u/u],
    ['a field that the tool does not have', [grant('{ tools: [s/t], where: { path: /w } }')], /field path/u],
    ['an ask in a grant', [grant('{ tools: [s/t], ask: once }')], /key "ask"/u],
    ['a name of no skill', ['{ "a b": { grant: [ { tools: [s/t] } ] } }'], /skill name/u],
    ['another word for unsigned skills', ['{}', 'skills: { unsigned: load }'], /"load"/u],
    ['a name for no tool', ['{}', 'skills: { names: { Bash: bash } }'], /"bash"/u],
  ])('%s is a load error', (_, [skills, top], expected) => {
    expect(problems(skills, top)).toEqual([expect.stringMatching(expected)]);
  });

  test('modes and names are read, and rejecting is the default', () => {
    const { policy } = load(
      document(
        '{ k: { grant: [ { tools: ["f/*"], where: { path: /w/** } } ] } }',
        'skills: { names: { Bash: s/t }, unsigned: refuse }',
      ),
      tools,
    );
    const executor = [...(policy?.executors.values() ?? [])][0];
    expect(executor?.skills.grants.get('k')?.mode).toBe('fail_closed');
    expect(policy?.settings.skillNames).toEqual({ Bash: 's/t' });
  });
});
