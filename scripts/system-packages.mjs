/** Programs of the system that some tests need. Where they cannot be installed, those tests are skipped and say why. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The one list: a Debian package, the program that it brings, and the tests that need it. */
/** @type {readonly { package: string, program: string, needed: string }[]} */
const wanted = [
  { package: 'cvc5', program: 'cvc5', needed: 'cvc5 as a second oracle of comparing policies' },
  { package: 'bubblewrap', program: 'bwrap', needed: 'sandboxes of servers and of the exec power' },
  { package: 'openssl', program: 'openssl', needed: 'requests of the net power over TLS' },
  { package: 'spin', program: 'spin', needed: 'the model of the reload protocol' },
  { package: 'gcc', program: 'gcc', needed: 'the model of the reload protocol' },
  { package: 'libc6-dev', program: 'gcc', needed: 'the model of the reload protocol' },
];

/** @param {string} program @returns {boolean} whether it is on the path */
export function isPresent(program) {
  const folders = (process.env['PATH'] ?? '').split(':');
  return folders.some((folder) => folder !== '' && existsSync(join(folder, program)));
}

/** @returns {string | undefined} why nothing can be installed here */
function obstacle() {
  if (!existsSync('/etc/debian_version')) return 'this is not Debian';
  if (!isPresent('apt-get')) return 'there is no apt-get';
  return process.getuid?.() === 0 ? undefined : 'not run as root';
}

/** Installs what is missing if it may; says what is missing and why if not. Never fails: the tests report it. */
export function installSystemPackages() {
  const missing = wanted.filter(({ program }) => !isPresent(program));
  if (missing.length === 0) return;
  const names = missing.map((entry) => entry.package);
  const reason = obstacle();
  if (reason !== undefined) {
    for (const { program, needed } of missing) console.log(`no ${program} (${reason}): skipped: ${needed}`);
    return;
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update', '-q'], { stdio: 'inherit', env });
  spawnSync('apt-get', ['install', '-qy', '--no-install-recommends', ...names], { stdio: 'inherit', env });
  for (const { program, needed } of missing.filter((entry) => !isPresent(entry.program))) {
    console.log(`no ${program} (its installation failed): skipped: ${needed}`);
  }
}
