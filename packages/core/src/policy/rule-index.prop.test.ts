/** Finding the rules of a tool: the index against a plain scan with regular expressions. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AgentName, parseAgentName, parseServerName, toolName } from '../ground/index.js';
import type { AgentSource, RuleSource, ToolPattern } from './document.js';
import { RuleIndex, matchesTool } from './rule-index.js';

const at = { line: 1, column: 1 };
const [s, u, agent] = [parseServerName('s'), parseServerName('u'), parseAgentName('a')];
if (s === undefined || u === undefined || agent === undefined) throw new Error('these are names');
const letters = fc
  .array(fc.constantFrom('a', 'b', '.', '/', '*'), { minLength: 1, maxLength: 5 })
  .map((list) => list.join(''));
const server = fc.constantFrom(s, u);
const pattern = fc
  .tuple(server, letters)
  .map(([on, tool]): ToolPattern => ({ at, server: on, tool, glob: tool.includes('*') }));
const tool = letters.map((text) => text.replaceAll('*', 'ab'));

function source(tools: readonly ToolPattern[] | undefined, path: string): RuleSource {
  return {
    at,
    path,
    tools,
    verbs: undefined,
    where: undefined,
    level: 'permit',
    reach: 'below',
    uses: undefined,
    budgetKey: undefined,
  };
}

function agentOf(name: AgentName, lists: Pick<AgentSource, 'allow' | 'ask' | 'deny'>): AgentSource {
  return {
    name,
    at,
    path: `agents.${name}`,
    description: undefined,
    ceiling: [],
    limits: [],
    delegate: undefined,
    skills: [],
    instances: undefined,
    ...lists,
  };
}

function plainly(one: ToolPattern, on: string, name: string): boolean {
  const text = one.tool.replaceAll('.', String.raw`\.`).replaceAll('*', '.*');
  return one.server === on && new RegExp(`^${text}$`, 'su').test(name);
}

describe('the index of rules', () => {
  test('[P.rule.glob] a star stands for any characters, and for nothing else does any', () => {
    fc.assert(
      fc.property(pattern, server, tool, (one, on, name) => {
        expect(matchesTool(one, on, name)).toBe(plainly(one, on, name));
      }),
      { numRuns: 500 },
    );
  });

  test('[P.authority.index-agrees] finds for every tool the rules that a plain scan finds, each once', () => {
    const list = fc.array(fc.option(fc.array(pattern, { minLength: 1, maxLength: 3 }), { nil: undefined }), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(list, list, server, tool, (first, second, on, name) => {
        const allow = first.map((tools, i) => source(tools ?? [], `allow[${i}]`));
        const deny = second.map((tools, i) => source(tools, `deny[${i}]`));
        const index = RuleIndex.of(agentOf(agent, { allow, ask: [], deny }));
        const found = index.for(toolName(on, name)).map((use) => use.source.path);
        const expected = [...allow, ...deny].filter(
          (each) => each.tools?.some((one) => plainly(one, on, name)) ?? true,
        );
        expect(found.toSorted()).toEqual(expected.map((each) => each.path).toSorted());
      }),
    );
  });
});
