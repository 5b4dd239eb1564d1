/** `npm start`: the quickstart, from a clone, in this very process, so that signals and the exit code are its own. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, install, root } from './ready.mjs';

install();
build();
const cli = join(root, 'packages/gateway/dist/cli/main.js');
const policy = join(root, 'examples/quickstart/pawl.yaml');
process.argv.splice(
  1,
  process.argv.length,
  cli,
  'run',
  policy,
  '--try',
  join(root, 'examples/quickstart/calls.jsonl'),
  ...process.argv.slice(2),
);
await import(pathToFileURL(cli).href);
