#!/usr/bin/env node
/** The program `pawl`. */
import { run } from './program.js';

process.exitCode = await run(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
