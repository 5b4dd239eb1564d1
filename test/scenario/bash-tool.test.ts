/** The test vector of seed 001, as the program of examples/bash-tool runs it. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('../../examples/bash-tool/main.mjs', import.meta.url));
const register = new URL('../source/register.mjs', import.meta.url).href;

const printed = `the model sees: sandbox__invoke, work__start, work__look
{"cmd":"ls /tmp/sandbox"}: "notes.txt old.log"
{"cmd":"cat /tmp/sandbox/notes.txt"}: "one\\ntwo\\nthree"
{"cmd":"ls /etc"}: refused, out_of_scope fs.root
{"cmd":"curl https://api.openai.com/v1"}: "200 from api.openai.com"
{"cmd":"curl https://elsewhere.example/"}: refused, out_of_scope net.hosts
{"cmd":"rm /tmp/sandbox/old.log"}: ""
{"cmd":"rm /tmp/sandbox/notes.txt"}: refused, consent_refused approval
{"command":"ls"}: refused, malformed_arguments command
an unknown handle: refused, no_such_cap
a name in other letters: refused, no_such_cap
a tool whose powers are missing: refused, no_such_cap
two at a time: result, result
the background job: "3 counted, 0 left"
after unmounting: refused, no_such_cap
recorded: every call, no handle: true
`;

test('[S001.absent-tool] [S001.unknown-handle] the bash tool on core alone does what its powers allow and nothing else', () => {
  const output = execFileSync(process.execPath, ['--import', register, program], { encoding: 'utf8' });
  expect(output).toBe(printed);
});
