/** The guides tell the truth: their policies are the files, and their commands print what stands there. `-u` writes them anew. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../packages/gateway/src/cli/program.js';
import { jsonLines, pawl } from '../command-line.js';

const root = join(import.meta.dirname, '../..');
const guides = ['writing-a-policy', 'protecting-a-shell', 'declaring-a-connector'];
const folder = join(root, 'examples/policies');
const tools = join(folder, 'tools');

/** What a person sees who runs the command in the root of the repository. */
async function shown(command: string): Promise<string> {
  let seen = '';
  const words = command
    .split(' ')
    .slice(1)
    .map((word) => (word.startsWith('examples/') ? join(root, word) : word));
  const write = (text: string): void => void (seen += text);
  await run(words, { out: write, err: write });
  return seen.replaceAll(`${root}/`, '');
}

/** A guide with every policy and every output as it is. */
async function guideAsItIs(guide: string): Promise<string> {
  let text = readFileSync(guide, 'utf8').replaceAll(
    /<!-- (examples\/\S+) -->\n```yaml\n[^`]*```/gu,
    (_, file: string) => `<!-- ${file} -->\n\`\`\`yaml\n${readFileSync(join(root, file), 'utf8')}\`\`\``,
  );
  for (const [block, command = ''] of text.matchAll(/```console\n\$ (pawl [^\n]+)\n[^`]*```/gu))
    text = text.replace(block, () => `\`\`\`console\n$ ${command}\n`);
  for (const [head, command = ''] of text.matchAll(/```console\n\$ (pawl [^\n]+)\n/gu)) {
    const output = await shown(command);
    text = text.replace(head, () => `${head}${output}\`\`\``);
  }
  return text;
}

describe.each(guides)('[P.decide.lines] docs/guides/%s.md', (name) => {
  test('shows its policies and the output of its commands as they are', async () => {
    const guide = join(root, 'docs/guides', `${name}.md`);
    await expect(await guideAsItIs(guide)).toMatchFileSnapshot(guide);
  });
});

/** Of each policy its calls, in order. */
const expected: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  filesystem: {
    'a source file': 'permit',
    'the same, spelled otherwise': 'permit',
    'out of the project': 'not_permitted',
    secrets: 'denied',
    'one good and one bad': 'not_permitted',
    'a page of the manual': 'permit',
    'a source file, to write': 'not_permitted',
    'a draft becomes a page': 'not_permitted',
    'a draft is renamed': 'permit',
    'the tree of src': 'denied',
    'the tree of docs': 'permit',
  },
  fetch: {
    'a page of the manual': 'permit',
    'any language of Wikipedia': 'permit',
    'a look-alike': 'not_permitted',
    'a user in front of the host': 'malformed_arguments',
    'another scheme': 'not_permitted',
    "a cloud's own address": 'not_permitted',
    'the same as a number': 'not_permitted',
    'the interface': 'permit',
    'the interface with a token': 'not_permitted',
    'through a proxy': 'not_permitted',
  },
  memory: {
    'a question': 'permit',
    'a project': 'permit',
    'a project and something else': 'not_permitted',
    'an observation': 'permit',
    'an observation on house rules': 'denied',
    'a deletion': 'not_permitted',
  },
  github: {
    'open issues': 'permit',
    'issues of somebody else': 'not_permitted',
    'an issue, owner left out': 'permit',
    'an issue, repository left out': 'several_values',
    'a label of its own': 'not_permitted',
    'somebody is assigned': 'not_permitted',
    'a post': 'consent_required',
    'a post that is none': 'not_permitted',
    'a post on main': 'not_permitted',
    'a number as text': 'malformed_arguments',
    'a search everywhere': 'not_permitted',
  },
  mail: {
    'to a colleague': 'permit',
    'to a colleague and, hidden, to somebody else': 'not_permitted',
    'to a name that hides an address': 'malformed_arguments',
    'answers go elsewhere': 'not_permitted',
    'as somebody else': 'not_permitted',
    'with a report': 'permit',
    'with a key': 'not_permitted',
    'with something from the net': 'not_permitted',
    'what was sent': 'permit',
    'a key of the account': 'no_such_cap',
  },
};

interface Verdict {
  readonly id: string;
  readonly decision: string;
  readonly code?: string;
}

describe.each(Object.entries(expected))('[P.decide.lines] examples/policies/%s.yaml', (name, verdicts) => {
  const policy = join(folder, `${name}.yaml`);

  test('has no load error', async () => {
    expect(await pawl('lint', policy, '--tools', tools)).toMatchObject({ exit: 0, err: '' });
  });

  test('decides its calls as the guide says', async () => {
    const calls = join(folder, `${name}.jsonl`);
    const { exit, out } = await pawl(
      'decide',
      '--policy',
      policy,
      '--tools',
      tools,
      '--calls',
      calls,
      '--json',
    );
    const found = jsonLines(out) as readonly Verdict[];
    expect(exit).toBe(0);
    expect(found.map(({ id, decision, code }) => [id, code ?? decision])).toEqual(Object.entries(verdicts));
  });
});

test('[P.decide.lines] of the example with an owner left out, the one allowed owner is filled in', async () => {
  const [policy, calls] = [join(folder, 'github.yaml'), join(folder, 'github.jsonl')];
  const { out } = await pawl('decide', '--policy', policy, '--tools', tools, '--calls', calls, '--json');
  expect(jsonLines(out)[2]).toMatchObject({ filled: ['args.owner'], args: { owner: 'acme' } });
});
