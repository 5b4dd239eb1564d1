/** What a call is charged to agrees with what admitted it. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { filesystemTools, load } from '../../../../test/policies.js';
import { executorId, parseAgentName, parseToolName } from '../ground/index.js';
import { choose } from '../limit/choose.js';
import { admit } from './admit.js';

const globs = ['/w/**', '/w/a/**', '/w/b/**', '/w/a/x', '/w/{a,b}/**', '/w/*', '**/x'];
const glob = fc.constantFrom(...globs);
const tool = fc.constantFrom('read_multiple_files', 'move_file', 'search_files', 'read_text_file');
const ask = fc.constantFrom('', ', ask: session', ', ask: once');
const uses = fc.constantFrom('', ', uses: 1', ', uses: 7');
const allow = fc
  .tuple(glob, ask, uses)
  .map(([path, level, budget]) => `{ tools: ["files/*"], where: { path: "${path}" }${level}${budget} }`);
const cap = fc
  .tuple(glob, fc.constantFrom('once', 'session'))
  .map(([path, level]) => `{ where: { path: "${path}" }, ask: ${level} }`);
const path = fc.constantFrom('/w', '/w/a', '/w/b', '/w/a/x', '/w/a/y', '/w/b/x', '/w/x');

function argsFor(name: string, paths: readonly string[]): Record<string, string | string[]> {
  const [first = '/w', second = first] = paths;
  if (name === 'read_multiple_files') return { paths: [...paths] };
  if (name === 'move_file') return { source: first, destination: second };
  return name === 'search_files' ? { path: first, pattern: '*' } : { path: first };
}

test('[P.limit.next-level] while nothing is used up, the level by what is charged is the level of the admission', () => {
  fc.assert(
    fc.property(
      fc.array(allow, { minLength: 1, maxLength: 5 }),
      fc.array(cap, { maxLength: 2 }),
      fc.array(fc.tuple(tool, fc.array(path, { minLength: 1, maxLength: 3 })), {
        minLength: 1,
        maxLength: 4,
      }),
      (rules, caps, calls) => {
        const document = `pawl: 1\nservers: { files: { command: x, connector: filesystem, root: /w } }\nagents:\n  a:\n    allow: [ ${rules.join(', ')} ]\n    ask: [ ${caps.join(', ')} ]\n`;
        const executor = load(document, { files: filesystemTools }).policy?.executors.get(
          executorId(parseAgentName('a')!),
        );
        if (executor === undefined) return;
        for (const [name, paths] of calls) {
          const args = argsFor(name, paths);
          const full = parseToolName(`files/${name}`)!;
          const admission = admit({ executor, tool: full, shown: name, args, disclosure: undefined });
          if (admission.kind === 'refused') continue;
          const budgeted = rules.some((rule) => rule.includes('uses'));
          expect(admission.charges !== undefined).toBe(budgeted);
          for (const { cap: freest, footings } of admission.charges ?? [])
            expect(choose(freest, footings, () => Infinity)?.level).toBe(admission.level);
        }
      },
    ),
    { numRuns: 300 },
  );
});
