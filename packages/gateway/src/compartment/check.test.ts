import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { honestSources, refusedSources } from '../../../../test/hazard/hostile-tools.js';
import { RefusedSource, checkedSource, isGuarded } from './check.js';

describe('[P.compartment.load] the source of a module', () => {
  const laterImports = Object.entries(refusedSources).filter(([, source]) =>
    /\bimport(?:\.source)?\s*(?:\/\*.*\*\/)?\s*\(|import\n\(|require|\bawait 1|<!--|u0070|=> \{$/u.test(
      source,
    ),
  );
  test.each(laterImports)('is refused for %s', (_, source) => {
    expect(() => checkedSource(source)).toThrow(RefusedSource);
  });

  test('is refused wherever in an expression that stands, and taken where something harmless does', () => {
    const around: readonly ((inner: string) => string)[] = [
      (inner) => `(${inner})`,
      (inner) => `[0, ...[${inner}]]`,
      (inner) => `({ a: ${inner}, [${inner}]: 1 })`,
      (inner) => `(${inner}).then((x) => x)`,
      (inner) => `(() => ${inner})`,
      (inner) => `(async () => { for await (const x of [${inner}]) await ${inner}; })`,
      (inner) => `\`a \${${inner}} b\``,
      (inner) => `String.raw\`\${${inner}}\``,
      (inner) => `(x ? ${inner} : ${inner})`,
      (inner) => `new Set(${inner})`,
      (inner) => `(class { static #x = ${inner}; static { void ${inner}; } })`,
      (inner) => `(function* (p = ${inner}) { yield* ${inner}; })`,
      (inner) => `typeof ${inner}`,
      (inner) => `(/import\\(/u, ${inner} /* import( */)`,
      (inner) => `(({ a = ${inner} }) => a)`,
      (inner) => `(x ??= ${inner})`,
    ];
    const reached = [
      "import('fs')",
      'import(x)',
      "import /* x */ ('fs')",
      "require('fs')",
      'require(x)',
      "new require('fs')",
    ];
    const harmless = ["f('fs')", 'x.import(1)', "x.require('fs')", 'typeof require', "'import(x)'"];
    const nest = fc.array(fc.constantFrom(...around), { maxLength: 5 });
    const sourceOf = (core: string, wraps: readonly ((inner: string) => string)[]): string =>
      `export default (x, f) => ${wraps.reduce((inner, wrap) => wrap(inner), core)};`;
    fc.assert(
      fc.property(fc.constantFrom(...reached), nest, (core, wraps) => {
        expect(() => checkedSource(sourceOf(core, wraps))).toThrow(RefusedSource);
      }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...harmless), nest, (core, wraps) => {
        expect(isGuarded(checkedSource(sourceOf(core, wraps)))).toBe(false);
      }),
    );
  });

  test('names the line', () => {
    expect(() => checkedSource("export const x = 1;\n\nexport default () => import('fs');")).toThrow(
      /line 3/u,
    );
    expect(() => checkedSource("export default () =>\n  require('fs');")).toThrow(/line 2/u);
    expect(() => checkedSource('export const x =\n  await 1;')).toThrow(/line 2/u);
  });

  test('is respelled where words only look so, and means the same', () => {
    const words = [
      'import(',
      'import (',
      'import/*',
      'import //',
      '<!--',
      '-->',
      '--->',
      '<!-->',
      '...import(',
      'reimport(',
    ];
    const text = fc
      .array(fc.constantFrom(...words, 'x', ' ', '-', '<', '>', '!', '(', '.', "'", '\\', '`', '$'))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, text, (inText, inTemplate, inComment) => {
        const template = inTemplate.replaceAll(/[\\`$]/gu, '\\$&');
        const literals = `${JSON.stringify(inText)}, \`${template}\``;
        const comment = `/* ${inComment.replaceAll('*/', '')} */`;
        const source = checkedSource(`const all = [${literals}]; ${comment}\nexport { all };`);
        expect(isGuarded(source)).toBe(false);
        const [, list] = /^const all = (.*?\]); /su.exec(source) ?? [];
        expect(runInNewContext(`JSON.stringify(${list ?? ''})`)).toBe(JSON.stringify([inText, inTemplate]));
      }),
    );
  });

  test.each(Object.entries(honestSources))('is left to run for %s', (_, source) => {
    expect(isGuarded(checkedSource(source))).toBe(false);
  });

  test('a tagged template sees its own spelling, so it is left as it is', () => {
    const source = 'export default String.raw`import(x)`;';
    expect(checkedSource(source)).toBe(source);
    expect(isGuarded(source)).toBe(true);
  });

  test('nothing else of it changes', () => {
    const source =
      "#!/usr/bin/env node\n'use strict';\nexport default (a) => `${a}` + /x/u.source; // done\n";
    expect(checkedSource(source)).toBe(source);
  });
});
