/** For random manifests and grants: what is published lies inside both, and no tool is open whose capability is not wholly granted. */
import * as fc from 'fast-check';
import {
  type ExecutorPolicy,
  type Json,
  type JsonObject,
  admit,
  executorId,
  parseAgentName,
  parseToolName,
} from '@pawl/core';
import { describe, expect, test } from 'vitest';
import { intersect } from '../../packages/core/src/skill/intersect.js';
import type { SkillManifest } from '../../packages/core/src/skill/manifest.js';
import { closed, filesystemTools, gate } from '../policies.js';

const text = { type: 'string' };
const tools = {
  f: {
    write_file: filesystemTools['write_file']!,
    read_text_file: filesystemTools['read_text_file']!,
    directory_tree: filesystemTools['directory_tree']!,
  },
  s: { t: closed({ x: text, y: { type: 'number' } }) },
};
const fileTools = ['f/write_file', 'f/read_text_file', 'f/directory_tree'];
const globs = ['/w/**', '/w/a/**', '/w/*', '/w/a', '/w/a/b/**', '/**', '/v/**', '/w/{a,b}/**'];
const paths = ['/w', '/w/a', '/w/b', '/w/a/b', '/w/a/b/c', '/v', '/v/x', '/'];

const rule: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({
    tools: fc.subarray(fileTools, { minLength: 1 }),
    where: fc.record({ path: fc.subarray(globs, { minLength: 1, maxLength: 2 }) }),
  }),
  fc.record({ tools: fc.subarray(fileTools, { minLength: 1 }) }),
  fc.constant({ tools: ['f/*'], where: { path: '/w/a/**' } }),
  fc.record({
    tools: fc.constant(['s/t']),
    where: fc.record({
      'args.x': fc.subarray(['a', 'b', 'c'], { minLength: 1 }),
      'args.y': fc.constantFrom<Json>('any', { max: 5 }, { min: 1, max: 9 }, 3),
    }),
  }),
  fc.record({
    tools: fc.constant(['s/t']),
    where: fc.record({ 'args.x': fc.subarray(['a', 'b', 'c'], { minLength: 1 }), rest: fc.constant('any') }),
  }),
  fc.constant({ tools: ['s/t'] }),
);
const call: fc.Arbitrary<{ tool: string; args: JsonObject }> = fc.oneof(
  fc
    .record({ tool: fc.constantFrom(...fileTools), args: fc.record({ path: fc.constantFrom(...paths) }) })
    .map((one) => (one.tool === 'f/write_file' ? { ...one, args: { ...one.args, content: '' } } : one)),
  fc.record({
    tool: fc.constant('s/t'),
    args: fc.record(
      { x: fc.constantFrom('a', 'b', 'c', 'd'), y: fc.constantFrom(0, 3, 5, 7, 9, 10) },
      { requiredKeys: [] },
    ),
  }),
);
const names = ['one', 'two', 'three'];

function policyOf(allow: readonly JsonObject[], grant: readonly JsonObject[]): string {
  return JSON.stringify({
    pawl: 1,
    servers: { f: { command: 'x', connector: 'filesystem', root: '/w' }, s: { command: 'x' } },
    agents: { a: { allow, skills: { k: { grant, mode: 'fail_visible' } } } },
  });
}

function manifestOf(
  capabilities: readonly JsonObject[],
  needs: readonly (readonly string[])[],
): SkillManifest {
  return {
    frontmatter: {
      name: 'k',
      whole: {},
      instructions: '',
      description: 'k',
      license: undefined,
      compatibility: undefined,
      metadata: undefined,
      allowedTools: undefined,
      unknown: [],
    },
    capabilities: capabilities.map((one, at) => ({ name: names[at] ?? '', rule: one })),
    tools: needs.map((all, at) => ({
      name: `t${at}`,
      description: '',
      inputSchema: {},
      needs: all.filter((need) => names.indexOf(need) < capabilities.length),
      run: 'x',
    })),
  };
}

/** The call as it is forwarded, what is filled in included; undefined: it is refused. */
function forwarded(
  executor: ExecutorPolicy,
  { tool, args }: { tool: string; args: JsonObject },
): { tool: string; args: JsonObject } | undefined {
  const answer = admit({ executor, tool: parseToolName(tool)!, shown: tool, args, disclosure: undefined });
  return answer.kind === 'admitted' ? { tool, args: answer.args } : undefined;
}

function holds(executor: ExecutorPolicy, { tool, args }: { tool: string; args: JsonObject }): boolean {
  return (
    admit({ executor, tool: parseToolName(tool)!, shown: tool, args, disclosure: undefined }).kind ===
    'admitted'
  );
}

const agent = executorId(parseAgentName('a')!);
const rules = fc.array(rule, { minLength: 1, maxLength: 3 });
const needs = fc.array(fc.subarray(names), { minLength: 1, maxLength: 3 });

describe('[S003.inside-both] random manifests and grants', () => {
  test('what a skill may do lies inside its manifest, its grant and its executor; open tools need granted capabilities only, all of which the grant holds', () => {
    fc.assert(
      fc.property(
        fc.tuple(rules, rules, rules),
        needs,
        fc.array(call, { minLength: 40, maxLength: 40 }),
        ([allow, grant, capabilities], needed, calls) => {
          const { policy } = gate(policyOf(allow, grant), tools);
          const executor = policy.executors.get(agent)!;
          const manifest = manifestOf(capabilities, needed);
          const cut = intersect({ manifest, executor, settings: policy.settings });
          const [ofGrant, ofManifest] = [grant, capabilities].map(
            (list) => gate(policyOf(list, grant), tools).policy.executors.get(agent)!,
          );
          const each = new Map(
            capabilities.map((one, at) => [
              names[at]!,
              gate(policyOf([one], grant), tools).policy.executors.get(agent)!,
            ]),
          );
          for (const one of calls) {
            const done = forwarded(cut.acting, one);
            if (done !== undefined)
              expect([executor, ofGrant!, ofManifest!].map((side) => holds(side, done))).toEqual([
                true,
                true,
                true,
              ]);
            // Granted means wholly granted: no call of the capability is outside the grant or the executor.
            for (const name of cut.granted) {
              const asked = forwarded(each.get(name)!, one);
              if (asked !== undefined)
                expect([executor, ofGrant!, cut.acting].map((side) => holds(side, asked))).toEqual([
                  true,
                  true,
                  true,
                ]);
            }
          }
          const granted = new Set(cut.granted);
          for (const tool of manifest.tools)
            expect(cut.masked.includes(tool.name)).toBe(!tool.needs.every((need) => granted.has(need)));
        },
      ),
      { numRuns: 100, endOnFailure: true },
    );
  });

  test('a capability that says what the grant says is granted', () => {
    fc.assert(
      fc.property(rules, (allow) => {
        const { policy } = gate(policyOf(allow, allow), tools);
        const cut = intersect({
          manifest: manifestOf(allow, []),
          executor: policy.executors.get(agent)!,
          settings: policy.settings,
        });
        // A rule that no call can match asks for nothing.
        expect(cut.ungranted.filter(({ why }) => !why.startsWith('no call'))).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});
