#!/usr/bin/env node
/** The program `pawl`. */
import { run } from './program.js';

// Whoever reads what is printed may go away, as `head` does: that ends neither a gateway nor its calls.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

process.exitCode = await run(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
