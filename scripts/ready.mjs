/** Makes a clone ready: installs what the lock file says and builds, each only if it has to. No dependencies. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const root = dirname(import.meta.dirname);

const stamps = {
  installed: join(root, 'node_modules', '.cache', 'pawl', 'installed'),
  built: join(root, 'node_modules', '.cache', 'pawl', 'built'),
};

/** @param {string} path @returns {string} its text, empty if there is none */
function read(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** @param {string} path @param {string} text */
function stamp(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 */
function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/** Runs npm: the one that runs this script, else the one on the path. @param {readonly string[]} args */
function npm(args) {
  const own = process.env['npm_execpath'];
  if (own === undefined) run('npm', args);
  else run(process.execPath, [own, ...args]);
}

/** @param {string} folder @returns {string[]} the files that decide what a build yields */
function sourcesIn(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.endsWith('.test.ts'))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? sourcesIn(path) : [path];
    });
}

/** @returns {string} a digest of everything that decides what a build yields */
function sourceDigest() {
  const packages = ['packages/core', 'packages/gateway'].map((name) => join(root, name));
  const files = [
    join(root, 'tsconfig.base.json'),
    join(root, 'package-lock.json'),
    ...packages.flatMap((folder) => [
      join(folder, 'package.json'),
      join(folder, 'tsconfig.json'),
      ...sourcesIn(join(folder, 'src')),
    ]),
  ];
  const hash = createHash('sha256');
  for (const file of files.sort()) hash.update(file).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

/** One entry of a lock file. @typedef {{ version?: string, integrity?: string, optional?: boolean }} Entry */

/**
 * Whether npm has already put into node_modules what the lock file says, as after an `npm install` by hand. npm
 * writes its own record there last, so that an interrupted installation does not count.
 * @param {string} lock text of package-lock.json
 * @returns {boolean}
 */
function isInstalled(lock) {
  const record = read(join(root, 'node_modules', '.package-lock.json'));
  if (record === '') return false;
  /** @type {Record<string, Entry>} */
  const present = JSON.parse(record).packages;
  /** @type {[string, Entry][]} */
  const wanted = Object.entries(JSON.parse(lock).packages);
  return wanted
    .filter(([name, { optional }]) => name.startsWith('node_modules/') && optional !== true)
    .every(
      ([name, { version, integrity }]) =>
        present[name] !== undefined &&
        present[name].version === version &&
        present[name].integrity === integrity,
    );
}

/** Installs when node_modules is missing, or was filled from another lock file or for another Node. */
export function install() {
  const lock = read(join(root, 'package-lock.json'));
  const platform = `${process.versions.modules} ${process.platform} ${process.arch}`;
  const wanted = `${platform} ${createHash('sha256').update(lock).digest('hex')}`;
  const stamped = read(stamps.installed);
  if (stamped === wanted) return;
  const isSamePlatform = stamped === '' || stamped.startsWith(`${platform} `);
  if (!isSamePlatform || !isInstalled(lock)) {
    console.log('installing what package-lock.json says');
    npm(['ci', '--include=dev', '--no-audit', '--no-fund']);
  }
  stamp(stamps.installed, wanted);
}

/** Builds both packages when a source changed since the last build, or what was built is gone. */
export function build() {
  const wanted = sourceDigest();
  const outputs = ['packages/core/dist/index.js', 'packages/gateway/dist/index.js'];
  const isThere = outputs.every((name) => existsSync(join(root, name)));
  if (isThere && read(stamps.built) === wanted) return;
  console.log('building');
  run(process.execPath, [join(root, 'node_modules', '.bin', 'tsc'), '-b', 'packages/gateway']);
  stamp(stamps.built, wanted);
}

if (process.argv[1] === import.meta.filename) {
  if (!process.argv.includes('--build')) install();
  build();
}
