/** Test runs read the sources of both packages, so that no build is needed first. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const conditions = ['pawl-source', 'node', 'import', 'module', 'default'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ['packages/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    server: { deps: { inline: [/packages\/(core|gateway)\/src\//u] } },
    maxWorkers: 2,
    execArgv: ['--import', fileURLToPath(new URL('./test/source/register.mjs', import.meta.url))],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 10_000,
    reporters: [['./test/reporter.ts', {}]],
  },
});
