/**
 * Lets threads and child processes that tests start run the TypeScript sources, as the test runner itself does:
 * `node --import ./test/source/register.mjs file.ts`. The test runner's own process has no need of it.
 */
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const inRunner = isMainThread && /[\\/]vitest[\\/]/u.test(process.argv[1] ?? '');
if (!inRunner) register('./hooks.mjs', import.meta.url);
