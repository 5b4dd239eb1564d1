/** Reading what the process of a server may reach. */
import { hostPatternFault } from '../authority/index.js';
import { type Expect, type KeyTable, type Spot, entryOf } from '../ground/index.js';
import type { SandboxSource } from './document.js';
import { networkKeys, sandboxKeys } from './keys.js';

/** Reads `sandbox`; undefined for `none`, and after a problem. */
export function readSandbox(expect: Expect, spot: Spot | undefined): SandboxSource | undefined {
  if (spot === undefined || isNone(spot)) return undefined;
  if (spot.node.kind !== 'map') {
    return expect.problem(
      spot.node.at,
      spot.path,
      'no sandbox',
      `none, or a mapping with ${keysOf(sandboxKeys)}`,
    );
  }
  const map = expect.mapping(spot, sandboxKeys);
  const at = (key: keyof typeof sandboxKeys): Spot | undefined => {
    const found = map && entryOf(map, key);
    return found && { node: found.value, path: `${spot.path}.${key}` };
  };
  const read = readFolders(expect, at('read'));
  const write = readFolders(expect, at('write'));
  const network = readNetwork(expect, at('network'));
  return read === undefined || write === undefined || network === undefined
    ? undefined
    : { read, write, network };
}

function isNone({ node }: Spot): boolean {
  return node.kind === 'scalar' && node.value === 'none';
}

function keysOf(table: KeyTable): string {
  return Object.keys(table).join(', ');
}

function readFolders(expect: Expect, spot: Spot | undefined): readonly string[] | undefined {
  if (spot === undefined) return [];
  const folders = expect.texts(spot, 'folders');
  const wrong = (folders ?? []).some(
    (folder) => folder === '' || folder.startsWith('~') || folder.includes('\0'),
  );
  if (!wrong) return folders;
  return expect.problem(spot.node.at, spot.path, 'a text that names no folder', 'paths; ~ is not followed');
}

function readNetwork(expect: Expect, spot: Spot | undefined): SandboxSource['network'] | undefined {
  if (spot === undefined || isNone(spot)) return 'none';
  if (spot.node.kind !== 'map')
    return expect.problem(
      spot.node.at,
      spot.path,
      'no network',
      `none, or a mapping with ${keysOf(networkKeys)}`,
    );
  const map = expect.mapping(spot, networkKeys);
  const found = map && entryOf(map, 'hosts');
  if (found === undefined)
    return expect.problem(
      spot.node.at,
      spot.path,
      'no hosts',
      'hosts: a list of host patterns, or network: none',
    );
  const inner = { node: found.value, path: `${spot.path}.hosts` };
  const hosts = expect.texts(inner, 'host patterns');
  if (hosts?.length === 0)
    return expect.problem(inner.node.at, inner.path, 'an empty list', 'host patterns, or network: none');
  return hosts?.every((pattern) => isPattern(expect, inner, pattern)) === true ? { hosts } : undefined;
}

function isPattern(expect: Expect, { node, path }: Spot, pattern: string): boolean {
  const fault = hostPatternFault(pattern);
  if (fault === undefined) return true;
  expect.problem(node.at, path, `${JSON.stringify(pattern)}: ${fault.found}`, fault.allowed);
  return false;
}
