import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compileInSteps, compilePolicy } from '@pawl/core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readPolicy } from '../config/index.js';
import { type PolicyReader, threadReader } from './reader.js';
import { documentDigest } from './source.js';
import { unhurried } from './unhurried.js';

const folder = join(import.meta.dirname, '../../../../examples/policies');
const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));

function reader(): PolicyReader {
  const made = threadReader();
  onTestFinished(() => made.close());
  return made;
}

describe('a policy that is read in the thread', () => {
  test('is the one that is read here, with all its rules in order, but for its plain values', async () => {
    const made = reader();
    expect(files.length).toBeGreaterThan(3);
    for (const name of files) {
      const file = join(folder, name);
      const [here, there] = [readPolicy(file), await made.file(file)];
      if (!here.ok || !there.ok) throw new Error(`${name} cannot be read`);
      const { document, ...rest } = here.policy;
      expect(there.policy).toEqual({
        ...rest,
        document: { ...document, plain: {} },
        digest: documentDigest(document),
      });
    }
  });

  test('tells what is wrong with its place, and reads the next one', async () => {
    const made = reader();
    expect(await made.file(join(folder, 'none.yaml'))).toEqual(readPolicy(join(folder, 'none.yaml')));
    expect(await made.file(join(folder, files[0]!))).toMatchObject({ ok: true });
  });
});

test('a policy that is compiled in steps is the one that is compiled at once', async () => {
  for (const name of files) {
    const read = readPolicy(join(folder, name));
    if (!read.ok) throw new Error(`${name} cannot be read`);
    const { document, facts } = read.policy;
    const input = { document, facts, tools: undefined, protectedPaths: [], vanishedTool: 'problem' } as const;
    const [once, steps] = [compilePolicy(input), await unhurried(compileInSteps(input))];
    expect(steps.problems).toEqual(once.problems);
    expect(steps.findings).toEqual(once.findings);
    expect([...(steps.policy?.executors.keys() ?? [])]).toEqual([...(once.policy?.executors.keys() ?? [])]);
  }
});
