/** The sandbox of one tool of a skill: the skill's own files, what the tool was granted of this machine's, and its way out. */
import {
  type ExecPower,
  type Grant,
  type PowerPort,
  type StagedFolder,
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
}

/** How a folder is shown: as it is, or copied for each run because not all of it is granted. */
type Shown = 'read' | 'write' | 'staged';

/**
 * Grants the programs of one tool. A folder is shown itself where everything in it may be read, and may be changed where everything in it may
 * be written and moved too; any other is staged. Nothing is shown where nothing is granted. Rejects as grantExec does.
 */
export async function skillSandbox(parts: SkillSandboxParts): Promise<Grant<ExecPower>> {
  const { folder, reach, granted, place, port } = parts;
  const shown = granted.folders.map((each) => ({ ...each, how: howShown(each, reach) }));
  const own = await grantReadFs({ root: folder, port });
  const grants: Grant<unknown>[] = [own];
  const mounted = [own.power];
  const staged: StagedFolder[] = [];
  for (const { path, how, only } of shown) {
    const grant = how === 'read' ? await grantReadFs({ root: path, port }) : undefined;
    const writable = how === 'read' ? undefined : await grantFs({ root: path, port });
    for (const each of [grant, writable]) if (each !== undefined) grants.push(each);
    if (how === 'staged' && writable !== undefined)
      staged.push({ fs: writable.power, ...(only === undefined ? {} : { only }) });
    else mounted.push(...[grant?.power, writable?.power].filter((power) => power !== undefined));
  }
  const besides = shown.map(({ path }) => path);
  const { net } = granted.power;
  const revokeAll = async (): Promise<void> => {
    await Promise.all(grants.map((grant) => grant.revoke()));
  };
  const staging =
    staged.length === 0 ? undefined : stagingOf({ folders: staged, judge: reach, besides, place });
  try {
    const exec = await grantExec({
      fs: mounted,
      port,
      canaryFolder: place,
      ...(net === undefined ? {} : { net }),
      ...(staging === undefined ? {} : { staging }),
    });
    grants.unshift(exec);
    return Object.freeze({ power: exec.power, revoke: revokeAll });
  } catch (error) {
    await revokeAll();
    throw error;
  }
}

function howShown({ path: folder, only, isWritten }: NamedFolder, reach: SkillReach): Shown {
  if (only !== undefined) return 'staged';
  const isRead = reach.wholly('read', folder);
  if (!isRead) return 'staged';
  if (!reach.wholly('write', folder)) return isWritten ? 'staged' : 'read';
  return reach.whollyMoves(folder) ? 'write' : 'staged';
}
