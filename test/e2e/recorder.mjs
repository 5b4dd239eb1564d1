/**
 * Stands before a server on stdio and notes each `tools/call` in a file, before the server gets it:
 * `node recorder.mjs LOG PROGRAM [ARG ...]`, where PROGRAM is started with this Node.
 */
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline';

const [log = '', ...server] = process.argv.slice(2);
const child = spawn(process.execPath, server, { stdio: ['pipe', 'inherit', 'inherit'] });
child.on('exit', (code) => process.exit(code ?? 1));
child.stdin.on('error', () => undefined);

for await (const line of createInterface({ input: process.stdin })) {
  if (JSON.parse(line).method === 'tools/call') appendFileSync(log, `${line}\n`);
  child.stdin.write(`${line}\n`);
}
child.stdin.end();
