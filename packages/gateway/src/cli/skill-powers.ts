/** The powers of a tool of a skill: granted for what it may reach, and taken back together. */
import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type PreparedSkill, hostGrant } from '@pawl/core';
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
import { type SkillReach, skillReach } from './skill-reach.js';

/** What code of a skill's tool is given: no more than the capabilities that the tool needs and that were granted; a power that nothing was granted of is absent. */
export interface SkillPowers {
  readonly fs?: WritableFs;
  readonly net?: NetPower;
  /** Every tool may know the time. */
  readonly clock: ClockPower;
}

/** The powers of one tool of a skill. */
export interface GrantedSkill extends Grant<SkillPowers> {
  /** Folders of this machine that its capabilities name, outermost first. */
  readonly folders: readonly string[];
  /** What was granted and gives nothing here, in words for people. */
  readonly findings: readonly string[];
}

/**
 * Grants what a tool of a skill may reach. Each use of a power is judged as the call would be that it stands for. A place that is not
 * there, or is a link, gives nothing, and is told. Rejects with NoConfinement where descriptors cannot be walked.
 */
export async function skillPowers(reach: SkillReach, port: PowerPort): Promise<GrantedSkill> {
  const seen = reach.places.map((place) => ({ place, ...folderAt(place) }));
  const folders = outermostFirst(seen.flatMap(({ folder }) => folder ?? []));
  const roots = folders.filter((folder) => !folders.some((other) => isBelow(folder, other)));
  const files = await Promise.all(roots.map((root) => grantFs({ root, port })));
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
    revoke: async () => {
      await Promise.all(all.map((grant) => grant.revoke()));
    },
  });
}

/** What was granted to the tools of a skill and gives their programs nothing here, in words for people. */
export function skillFindings(skill: PreparedSkill): readonly string[] {
  return skill.manifest.tools.flatMap((tool) => {
    const reach = skillReach(skill, tool);
    const places = reach.places.flatMap((place) => folderAt(place).why ?? []);
    return [...reach.findings, ...places].map((each) => `${tool.name}: ${each}`);
  });
}

/** The folder of a place: itself, or the one that a file is in. */
function folderAt(place: string): { readonly folder?: string; readonly why?: string } {
  if (place === '/')
    return { why: 'the whole file system is no folder that a program is given: name folders' };
  try {
    const folder =
      statSync(place, { throwIfNoEntry: false })?.isDirectory() === true ? place : dirname(place);
    if (folder === '/') return { why: `${place} is not there, so its program has no files in it` };
    const real = realpathSync(folder);
    return real === folder ? { folder } : { why: `${folder} is a link; grant ${real} instead` };
  } catch {
    return { why: `${place} is not there, so its program has no files in it` };
  }
}

function outermostFirst(folders: readonly string[]): readonly string[] {
  return [...new Set(folders)].sort((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1));
}

function isBelow(folder: string, other: string): boolean {
  return folder.startsWith(`${other}/`);
}

function isHostPattern(pattern: string): boolean {
  try {
    hostGrant([pattern]);
    return true;
  } catch {
    return false;
  }
}
