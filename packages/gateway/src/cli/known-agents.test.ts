import { parseAgentName } from '@pawl/core';
import { describe, expect, test } from 'vitest';
import { agentsInText, whyNoExecutor } from './known-agents.js';

const document = `
pawl: 1
servers: { files: { command: x } }
agents:
  reader: { allow: [{ tools: [files/read] }] }
  reporter: { allow: [{ tools: [files/read] }] }
  either: { instances: optional, allow: [{ tools: [files/read] }] }
  never: { instances: required, allow: [{ tools: [files/read] }] }
instances:
  reporter/alice: {}
  reporter/bob: {}
  either/carol: {}
`;

function why(agent: string, instance?: string): string | undefined {
  return whyNoExecutor(agentsInText(document)!, parseAgentName(agent)!, instance);
}

describe('whom a key can be issued for', () => {
  test.each([
    ['reader', undefined],
    ['reporter', 'alice'],
    ['reporter', 'bob'],
    ['either', undefined],
    ['either', 'carol'],
  ])('%s %s', (agent, instance) => {
    expect(why(agent, instance)).toBeUndefined();
  });

  test.each([
    ['writer', undefined, 'there is no agent writer; the policy has reader, reporter, either, never'],
    ['reporter', undefined, 'agent reporter acts only through an instance; it has alice, bob'],
    ['reporter', 'carol', 'agent reporter has no instance carol; it has alice, bob'],
    ['reader', 'alice', 'agent reader has no instance alice; it has no instances'],
    ['never', undefined, 'agent never acts only through an instance; it has no instances'],
  ])('not %s %s', (agent, instance, text) => {
    expect(why(agent, instance)).toBe(text);
  });

  test('nobody knows when the document cannot be read', () => {
    expect(agentsInText('agents: [')).toBeUndefined();
    expect(agentsInText('pawl: 1\nnonsense: 1\n')).toBeUndefined();
  });
});
