/** Pawl's sandbox: the arguments of bubblewrap for a plan. */
import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { forwarder } from './forwarder.js';
import { type Plan, isWithin } from './plan.js';

/** A program with its arguments. */
export interface CommandLine {
  readonly program: string;
  readonly args: readonly string[];
}

/** The node of Pawl itself, as every sandbox shows it. */
export const sandboxNode = '/run/pawl/node';
const sandboxEgress = '/run/pawl/egress.sock';
const tmpBytes = 256 * 1024 * 1024;

/** The absolute path of bubblewrap, or undefined. It is not looked for in the environment. */
export function findBwrap(): string | undefined {
  return ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap'].find((path) => existsSync(path));
}

const programFolders = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];
/** Of the system's settings what programs need to start and to know certificates; nothing about users and hosts. */
const settings = [
  '/etc/alternatives',
  '/etc/ca-certificates',
  '/etc/ld.so.cache',
  '/etc/localtime',
  '/etc/pki/tls/certs',
  '/etc/ssl/certs',
];

/** The folders in which programs of the system are, inside and outside. */
const systemFolders: readonly string[] = ['/usr', ...programFolders];

/** The program in a sandbox: no network but the egress proxy, no processes but its own, nothing of the machine but the plan. */
export function sandboxed(bwrap: string, plan: Plan, command: CommandLine): CommandLine {
  const { egress } = plan;
  const inner =
    egress === undefined
      ? [command.program, ...command.args]
      : [sandboxNode, '-e', forwarder, sandboxEgress, command.program, ...command.args];
  const args = [
    '--unshare-all',
    '--die-with-parent',
    '--new-session',
    '--cap-drop',
    'ALL',
    '--hostname',
    'pawl',
    ...systemArguments(),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--size',
    String(tmpBytes),
    '--perms',
    '1777',
    '--tmpfs',
    '/tmp',
    '--ro-bind',
    process.execPath,
    sandboxNode,
    ...plan.mounts.flatMap(mountArguments),
    ...plan.links.flatMap(({ from, to }) => ['--symlink', to, from]),
    ...(egress === undefined ? [] : ['--bind', egress, sandboxEgress]),
    ...(isShown(plan, plan.cwd) ? [] : ['--dir', plan.cwd]),
    '--remount-ro',
    '/',
    '--chdir',
    plan.cwd,
    '--',
    ...inner,
  ];
  return { program: bwrap, args };
}

/** Whether a path is there in the sandbox. */
export function isShown(plan: Plan, path: string): boolean {
  const own = plan.mounts.findLast((mount) => isWithin(path, mount.path));
  if (own !== undefined) return own.how !== 'empty';
  return [...systemFolders, ...nodeFolders()].some((folder) => isWithin(path, folder));
}

function mountArguments({ path, how, from = path }: Plan['mounts'][number]): readonly string[] {
  if (how === 'empty') return ['--tmpfs', path, '--remount-ro', path];
  return [how === 'write' ? '--bind' : '--ro-bind', from, path];
}

function systemArguments(): readonly string[] {
  const folders = programFolders.filter((path) => existsSync(path)).flatMap(systemFolder);
  return [
    '--ro-bind',
    '/usr',
    '/usr',
    ...folders,
    ...settings.flatMap((path) => ['--ro-bind-try', path, path]),
    ...nodeFolders().flatMap((path) => ['--ro-bind', path, path]),
  ];
}

/** On most systems these are links into /usr. */
function systemFolder(path: string): readonly string[] {
  return lstatSync(path).isSymbolicLink()
    ? ['--symlink', readlinkSync(path), path]
    : ['--ro-bind', path, path];
}

/** Where node and npm are, when that is not in the system's own folders. */
function nodeFolders(): readonly string[] {
  const bin = dirname(process.execPath);
  if (systemFolders.some((folder) => isWithin(bin, folder))) return [];
  const modules = join(dirname(bin), 'lib', 'node_modules');
  return existsSync(modules) ? [bin, modules] : [process.execPath];
}
