import { type GenerationSource, parseServerName, sha256 } from '@pawl/core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { compileRead, readCaptured } from '../config/index.js';
import { type ThreadProver, threadProver } from './prover.js';
import { sourceOf } from './source.js';

const definition = {
  name: 't',
  inputSchema: { type: 'object', properties: { x: { type: 'string' } }, additionalProperties: false },
};
const tools = new Map([[parseServerName('s')!, [{ name: 't', definition }]]]);

/** The source of a document in which agent a may pass these values. */
function sourceWith(values: readonly string[]): GenerationSource {
  const document = JSON.stringify({
    pawl: 1,
    servers: { s: { command: 's' } },
    agents: { a: { allow: [{ tools: ['s/t'], where: { 'args.x': values } }] } },
  });
  const read = readCaptured('policy', { document, folder: '/policies', facts: new Map() });
  if (!read.ok) throw new Error('the document cannot be read');
  const loaded = compileRead(read.policy, { tools, vanishedTool: 'finding' });
  if (!loaded.ok) throw new Error('the document cannot be compiled');
  return sourceOf({ read: read.policy, policy: loaded.policy, tools, protectedPaths: [] }).source;
}

function prover(): ThreadProver {
  const made = threadProver();
  onTestFinished(() => made.close());
  return made;
}

describe('[S000.monotone-reload] the prover in its thread', () => {
  test('proves an attenuation and shows a call for a widening, from sources alone', async () => {
    const [narrow, wide] = [sourceWith(['red']), sourceWith(['red', 'blue'])];
    const made = prover();
    expect(await made.compare(wide, narrow)).toMatchObject({ relation: 'attenuation' });
    expect(await made.compare(narrow, wide)).toMatchObject({
      relation: 'widening',
      executors: {
        a: { witnesses: [{ kind: 'call', tool: 's/t', args: { x: 'blue' }, old: 'deny', new: 'permit' }] },
      },
    });
    expect(await made.compare(wide, wide)).toMatchObject({ relation: 'equal' });
  });

  test('rejects where a source cannot be compiled any more, and goes on', async () => {
    const [narrow, wide] = [sourceWith(['red']), sourceWith(['red', 'blue'])];
    const made = prover();
    await expect(made.compare({ ...wide, document: 'pawl: 2' }, narrow)).rejects.toThrow(
      'OLD cannot be compiled',
    );
    expect(await made.compare(wide, narrow)).toMatchObject({ relation: 'attenuation' });
  });

  test('gives up a proof that is under way when it is closed, and one that nobody waits for when the next is asked', async () => {
    const [narrow, wide] = [sourceWith(['red']), sourceWith(['red', 'blue'])];
    const made = prover();
    const first = made.compare(wide, narrow);
    const second = made.compare(wide, narrow);
    await expect(first).rejects.toThrow();
    expect(await second).toMatchObject({ relation: 'attenuation' });
    const third = made.compare(wide, narrow);
    await made.close();
    await expect(third).rejects.toThrow();
  });
});

test('a source names everything that decides: neither descriptions nor the order of tools, but facts, tools and protected paths', () => {
  const read = readCaptured('policy', {
    document: JSON.stringify({
      pawl: 1,
      servers: { s: { command: 's' } },
      agents: { a: { description: 'one', allow: [] } },
    }),
    folder: '/policies',
    facts: new Map(),
  });
  if (!read.ok) throw new Error('the document cannot be read');
  const loaded = compileRead(read.policy, { tools, vanishedTool: 'finding' });
  if (!loaded.ok) throw new Error('the document cannot be compiled');
  const parts = { read: read.policy, policy: loaded.policy, tools, protectedPaths: ['/store'] };
  const { hash, source } = sourceOf(parts);
  expect(sourceOf({ ...parts, read: { ...read.policy, text: 'other layout' } }).hash).toBe(hash);
  const changed = [
    { ...parts, protectedPaths: [] },
    { ...parts, tools: new Map() },
    { ...parts, read: { ...read.policy, folder: '/elsewhere' } },
    { ...parts, read: { ...read.policy, facts: new Map([['oncall', 'ann']]) } },
  ];
  for (const each of changed) expect(sourceOf(each).hash).not.toBe(hash);
  expect(source.content).not.toBe(sha256(''));
});
