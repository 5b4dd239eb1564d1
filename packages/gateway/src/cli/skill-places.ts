/** Where on this machine the capabilities of a skill may have files, as their rules and the servers of the policy say it. */
import { type Json, type JsonObject, type ServerFrame, isJsonArray, isJsonObject, own } from '@pawl/core';

/** A path that a capability names, absolute. */
export interface Place {
  readonly path: string;
  /** It is what stands before a glob: a folder, or nothing. Otherwise it may be a file. */
  readonly isFolder: boolean;
  /** The capability may be one of writing there. */
  readonly isWritten: boolean;
}

/** Programs that run others elsewhere, or where paths mean something else: in containers, on other machines, under another root. */
const elsewhere =
  /^(?:apptainer|bwrap|chroot|crictl|ctr|distrobox|docker|docker-compose|firejail|flatpak|incus|kubectl|limactl|lxc|machinectl|mosh|multipass|nerdctl|nsenter|oc|orb|podman|proot|qemu-.*|rsh|runc|runsc|singularity|ssh|sshpass|systemd-nspawn|toolbox|unshare|vagrant|wsl)(?:\.exe)?$/u;

/**
 * Whether names on the server are those of this machine, spelled as this machine spells them: not of a server that is reached by url, of
 * one whose command leads elsewhere, and of none that no entry of the policy describes.
 */
export function isHere({ source, paths }: Pick<ServerFrame, 'source' | 'paths'>): boolean {
  if (source === undefined || ('url' in source && source.url !== undefined)) return false;
  const words = [source.command ?? '', ...source.args].flatMap((word) => word.split(/[\s;|&"'=()]+/u));
  const leads = words.some((word) => elsewhere.test(word.slice(word.lastIndexOf('/') + 1)));
  return !leads && paths.platform === 'posix' && paths.case === 'sensitive';
}

/** Every text in a constraint, whatever it says of it: what is named is no grant, each use is judged. */
export function textsIn(constraint: Json): readonly string[] {
  if (typeof constraint === 'string') return [constraint];
  if (isJsonArray(constraint)) return constraint.flatMap(textsIn);
  return isJsonObject(constraint) ? Object.values(constraint).flatMap((one) => textsIn(one ?? null)) : [];
}

/** Whether a rule could be one of writing: by its tools, or because they go by names that only the policy knows. */
export function mayWrite(rule: JsonObject): boolean {
  const tools = own(rule, 'tools');
  const names = isJsonArray(tools) ? tools : [];
  return names.some(
    (name) => typeof name !== 'string' || !/\/(?:read|list|search|get|directory)_[^*]*$/u.test(name),
  );
}

/** Each path once. */
export function merged(places: readonly Place[]): readonly Place[] {
  const known = new Map<string, Place>();
  for (const { path, ...is } of places) {
    const { isFolder = false, isWritten = false } = known.get(path) ?? {};
    known.set(path, { path, isFolder: isFolder || is.isFolder, isWritten: isWritten || is.isWritten });
  }
  return [...known.values()];
}

/** The paths before the first glob, absolute. */
export function placesIn(
  texts: readonly string[],
  roots: readonly (string | undefined)[],
  isWritten: boolean,
): readonly Place[] {
  const absolute = texts.flatMap((text) => {
    if (text.startsWith('/')) return [text];
    if (/^[a-z+.-]+:|^~|^\*\*/u.test(text)) return [];
    return roots.flatMap((root) => (root === undefined ? [] : [`${root}/${text}`]));
  });
  return absolute.map((pattern) => ({ ...beforeGlob(pattern), isWritten }));
}

function beforeGlob(pattern: string): Omit<Place, 'isWritten'> {
  const segments = pattern.split('/').filter((segment) => segment !== '');
  const glob = segments.findIndex((segment) => /[*?{}\\]/u.test(segment));
  const plain = glob === -1 ? segments : segments.slice(0, glob);
  return { path: `/${plain.join('/')}`, isFolder: glob !== -1 };
}
