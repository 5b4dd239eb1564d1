/** The powers of a tool of a skill: granted for what it may reach, and taken back together. */
import { realpathSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type PreparedSkill, type TurnPort, hostGrant, inTurn } from '@pawl/core';
import {
  type ClockPower,
  type Grant,
  type NetPower,
  type PowerPort,
  type WritableFs,
  boundedFs,
  grantClock,
  grantFs,
  grantNet,
} from '../power/index.js';
import type { Place } from './skill-places.js';
import { type SkillReach, skillReach } from './skill-reach.js';

/** What code of a skill's tool is given: no more than the capabilities that the tool needs and that were granted; a power that nothing was granted of is absent. */
export interface SkillPowers {
  readonly fs?: WritableFs;
  readonly net?: NetPower;
  /** Every tool may know the time. */
  readonly clock: ClockPower;
}

/** A folder in which a tool may have files. */
export interface NamedFolder {
  readonly path: string;
  /** The names of the files in it that are meant; absent: whatever is in it. */
  readonly only?: readonly string[];
  /** A capability may be one of writing in it. */
  readonly isWritten: boolean;
}

/** The powers of one tool of a skill. */
export interface GrantedSkill extends Grant<SkillPowers> {
  /** Folders of this machine that its capabilities name, outermost first. */
  readonly folders: readonly NamedFolder[];
  /** What was granted and gives nothing here, in words for people. */
  readonly findings: readonly string[];
  /** Whether every place still is what it was: none came, went, or is another folder by the same name. */
  isInPlace(): boolean;
}

/**
 * Grants what a tool of a skill may reach. Each use of a power is judged as the call would be that it stands for. A place that is not
 * there, or is a link, gives nothing, and is told. Rejects with NoConfinement where descriptors cannot be walked.
 */
export async function skillPowers(reach: SkillReach, port: PowerPort): Promise<GrantedSkill> {
  const look = (): readonly Seen[] => reach.places.map(folderAt);
  const seen = look();
  const folders = foldersIn(seen);
  const files = await Promise.all(folders.map(({ path }) => grantFs({ root: path, port })));
  const hosts = reach.hosts.filter(isHostPattern);
  const net = hosts.length === 0 ? undefined : grantNet({ hosts, judge: reach, port });
  const clock = grantClock({ port });
  const power: SkillPowers = Object.freeze({
    ...(files.length === 0
      ? {}
      : {
          fs: boundedFs(
            files.map((grant) => grant.power),
            reach,
          ),
        }),
    ...(net === undefined ? {} : { net: net.power }),
    clock: clock.power,
  });
  const all: readonly Grant<unknown>[] = [...files, clock, ...(net === undefined ? [] : [net])];
  return Object.freeze({
    power,
    folders,
    findings: [...reach.findings, ...seen.flatMap(({ why }) => why ?? [])],
    isInPlace: () =>
      look().every(({ folder, inode }, at) => {
        const before = seen[at];
        return folder === before?.folder && inode === before?.inode;
      }),
    revoke: async () => {
      await Promise.all(all.map((grant) => grant.revoke()));
    },
  });
}

/** The same powers for one turn: what is done with them stops with it. */
export function powersInTurn(powers: SkillPowers, turn: TurnPort): Readonly<Record<string, object>> {
  const entries = Object.entries<object>({ ...powers });
  return Object.fromEntries(entries.map(([name, power]) => [name, inTurn(power, turn)]));
}

/** What was granted to the tools of a skill and gives their programs nothing here, in words for people. */
export function skillFindings(skill: PreparedSkill): readonly string[] {
  return skill.manifest.tools.flatMap((tool) => {
    const reach = skillReach(skill, tool);
    const places = reach.places.map(folderAt).flatMap(({ why }) => why ?? []);
    return [...reach.findings, ...places].map((each) => `${tool.name}: ${each}`);
  });
}

/** What is at a place. */
interface Seen {
  readonly folder?: string;
  /** Of a file: its name in the folder. */
  readonly file?: string;
  readonly isWritten: boolean;
  /** Of the folder. */
  readonly inode?: string;
  /** Why there is none. */
  readonly why?: string;
}

/** The folder of a place: itself, or the one that a file is in. */
function folderAt({ path: place, isFolder, isWritten }: Place): Seen {
  if (place === '/')
    return { isWritten, why: 'the whole file system is no folder that a program is given: name folders' };
  const absent = { isWritten, why: `${place} is not there, so its program has no files in it` };
  try {
    const isThere = statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
    const folder = isThere ? place : dirname(place);
    if (folder === '/' || (isFolder && !isThere)) return absent;
    const real = realpathSync(folder);
    if (real !== folder) return { isWritten, why: `${folder} is a link; grant ${real} instead` };
    const { dev, ino } = statSync(folder);
    return { folder, isWritten, inode: `${dev}:${ino}`, ...(isThere ? {} : { file: basename(place) }) };
  } catch {
    return absent;
  }
}

/** Outermost first. A folder that is named itself has all its files. */
function foldersIn(seen: readonly Seen[]): readonly NamedFolder[] {
  const named = new Map<string, NamedFolder>();
  for (const { folder, file, isWritten } of seen) {
    if (folder === undefined) continue;
    const before = named.get(folder) ?? { only: [], isWritten };
    const only = file === undefined || before.only === undefined ? {} : { only: [...before.only, file] };
    named.set(folder, { path: folder, isWritten: isWritten || before.isWritten, ...only });
  }
  const depth = ({ path }: NamedFolder): number => path.split('/').length;
  return [...named.values()].sort((a, b) => depth(a) - depth(b) || (a.path < b.path ? -1 : 1));
}

function isHostPattern(pattern: string): boolean {
  try {
    hostGrant([pattern]);
    return true;
  } catch {
    return false;
  }
}
