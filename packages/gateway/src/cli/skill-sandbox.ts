/** The sandbox of one tool of a skill: the skill's own files, what the tool was granted of this machine's, and its way out. */
import {
  type ExecPower,
  type FsReader,
  type Grant,
  type PowerPort,
  type StagedFolder,
  type Staging,
  grantExec,
  grantFs,
  grantReadFs,
  stagingOf,
} from '../power/index.js';
import type { GrantedSkill, NamedFolder } from './skill-powers.js';
import type { SkillReach } from './skill-reach.js';

/** What a sandbox is made from. */
export interface SkillSandboxParts {
  /** The skill's own files. */
  readonly folder: string;
  readonly reach: SkillReach;
  readonly granted: GrantedSkill;
  /** Where copies are made, and a place that no sandbox sees. */
  readonly place: string;
  readonly port: PowerPort;
  /** Milliseconds of one run; 60,000 unless told. */
  readonly deadlineMs?: number;
}

/** How a folder is shown: as it is, or copied for each run because not all of it is granted. */
type Shown = 'read' | 'write' | 'staged';

/**
 * Grants the programs of one tool. A folder is shown itself where everything in it may be read, and may be changed where everything in it may
 * be written and moved too; any other is staged. Nothing is shown where nothing is granted. Rejects as grantExec does.
 */
export async function skillSandbox(parts: SkillSandboxParts): Promise<Grant<ExecPower>> {
  const { folder, granted, place, port, deadlineMs } = parts;
  const grants: Grant<unknown>[] = [];
  const revoke = async (): Promise<void> => {
    await Promise.all(grants.map((grant) => grant.revoke()));
  };
  try {
    const own = kept(grants, await grantReadFs({ root: folder, port }));
    const { mounted, staging } = await foldersOf(parts, grants);
    const { net } = granted.power;
    const exec = await grantExec({
      fs: [own, ...mounted],
      port,
      canaryFolder: place,
      ...(deadlineMs === undefined ? {} : { bounds: { deadlineMs } }),
      ...(net === undefined ? {} : { net }),
      ...(staging === undefined ? {} : { staging }),
    });
    return Object.freeze({ power: kept(grants, exec), revoke });
  } catch (error) {
    await revoke();
    throw error;
  }
}

function kept<Power>(grants: Grant<unknown>[], grant: Grant<Power>): Power {
  grants.push(grant);
  return grant.power;
}

/** The folders that are shown, and those that are staged. */
async function foldersOf(
  { reach, granted, place, port }: SkillSandboxParts,
  grants: Grant<unknown>[],
): Promise<{ readonly mounted: readonly FsReader[]; readonly staging: Staging | undefined }> {
  const mounted: FsReader[] = [];
  const staged: StagedFolder[] = [];
  for (const each of granted.folders) {
    const { path, only } = each;
    const how = howShown(each, reach);
    if (how === 'read') mounted.push(kept(grants, await grantReadFs({ root: path, port })));
    else {
      const fs = kept(grants, await grantFs({ root: path, port }));
      if (how === 'write') mounted.push(fs);
      else staged.push({ fs, ...(only === undefined ? {} : { only }) });
    }
  }
  const besides = granted.folders.map(({ path }) => path);
  const staging =
    staged.length === 0 ? undefined : stagingOf({ folders: staged, judge: reach, besides, place });
  return { mounted, staging };
}

function howShown({ path: folder, only, isWritten }: NamedFolder, reach: SkillReach): Shown {
  if (only !== undefined) return 'staged';
  const isRead = reach.wholly('read', folder);
  if (!isRead) return 'staged';
  if (!reach.wholly('write', folder)) return isWritten ? 'staged' : 'read';
  return reach.whollyMoves(folder) ? 'write' : 'staged';
}
