/** Judging without schemas: what cannot be read of a rule never admits more. */
import { admit, executorOf, parseToolName } from '@pawl/core';
import { expect, test } from 'vitest';
import { compileRead, readPolicyText } from '../../packages/gateway/src/config/index.js';

test('a denial over a pattern that cannot be read takes away what it stands beside', () => {
  const policy = `pawl: 1
servers: { s: { command: s } }
agents:
  a:
    allow: [ { tools: [s/t] } ]
    deny: [ { tools: ["s/*"], where: { args.x: { min: 5, max: 1 } } } ]
`;
  const read = readPolicyText('policy.yaml', policy);
  const loaded = read.ok ? compileRead(read.policy, { tools: undefined, vanishedTool: 'problem' }) : read;
  const tool = parseToolName('s/t');
  if (!loaded.ok || tool === undefined) return expect(loaded.ok).toBe(false);
  const executor = executorOf(loaded.policy, 'a', undefined);
  if ('kind' in executor) throw new Error('no executor');
  const request = { executor, tool, shown: 's__t', args: { x: 1 }, disclosure: undefined } as const;
  return expect(admit(request)).toMatchObject({ kind: 'refused' });
});
