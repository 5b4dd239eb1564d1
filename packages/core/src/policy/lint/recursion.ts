/** Findings about tools that take whole folders: denials, or narrow rules, of which no folder stays clear. */
import {
  type Bucket,
  type Rule,
  type ValueSet,
  TooManyStates,
  everythingSet,
  foldersInside,
  foldersMeeting,
  isEmpty,
  minus,
  nothingSet,
  or,
  textSet,
} from '../../authority/index.js';
import type { AccessRow } from '../../connector/index.js';
import type { AgentSource } from '../document.js';
import type { ToolPolicy } from '../tool-policy.js';
import type { LintedPolicy } from './linted.js';
import type { Note } from './note.js';

/** Notes recursive tools that no call can use: because of denials beneath every folder, or because no rule holds a whole folder. */
export function unusableRecursion(policy: LintedPolicy, note: Note): void {
  for (const agent of policy.agents.values()) {
    const executor = [...policy.executors.values()].find((each) => each.agent === agent.name);
    for (const name of executor?.reachable ?? []) {
      const tool = executor?.forTool(name);
      for (const row of tool?.frame.table.accesses ?? [])
        if (tool !== undefined && row.needed) noteRow(agent, tool, row, note);
    }
  }
}

function noteRow(agent: AgentSource, tool: ToolPolicy, row: AccessRow, note: Note): void {
  const { extent, verb } = row;
  if (extent !== 'subtree' && extent !== 'children') return;
  const field = Object.keys(row.fields).find((key) => tool.frame.fields[key]?.kind === 'path');
  const bucket = tool.authorities.factors[0]?.bucket(tool.frame.tool, verb);
  if (field === undefined || bucket === undefined) return;
  const { platform } = tool.frame.paths;
  const reach = { field, extent, platform, namedOnly: row.namedOnly };
  try {
    noteUnusable(agent, { tool, bucket, reach }, note);
  } catch (error) {
    if (!(error instanceof TooManyStates)) throw error;
  }
}

/** How an access reaches. */
interface Reach {
  readonly field: string;
  readonly extent: 'subtree' | 'children';
  readonly platform: ToolPolicy['frame']['paths']['platform'];
  readonly namedOnly: boolean;
}

interface Row {
  readonly tool: ToolPolicy;
  readonly bucket: Bucket;
  readonly reach: Reach;
}

function noteUnusable(agent: AgentSource, { tool, bucket, reach }: Row, note: Note): void {
  const { tool: name } = tool.frame;
  const held = heldFolders(bucket.allow, reach);
  if (isEmpty(held)) {
    for (const source of agent.allow) {
      const stands = bucket.allow.some(({ rule }) => rule === source.path);
      const exact = source.tools?.some((one) => !one.glob && `${one.server}/${one.tool}` === name);
      if (stands && exact === true)
        note(source, `holds no call of ${name}: it takes whole folders, and no folder lies wholly inside`);
    }
    return;
  }
  const denials = bucket.deny.filter((rule) => reaches(rule, reach));
  const closing = closingOf(denials, held, reach);
  const source = agent.deny.find(({ path }) => closing.some(({ rule }) => rule === path));
  if (source === undefined) return;
  const other =
    reach.extent === 'subtree'
      ? 'say reach: named, or deny one place instead of names everywhere'
      : 'say reach: named';
  note(
    source,
    `leaves no call of ${name}: beneath every folder that it may take something is denied; ${other}`,
  );
}

/** The folders that the rules together hold whole. */
function heldFolders(allow: readonly Rule[], { field, extent, platform }: Reach): ValueSet {
  const joined = allow.reduce<ValueSet>(
    (all, { box }) => or(all, box.setOf(field) ?? everythingSet),
    nothingSet,
  );
  return textSet(foldersInside(joined.text, extent, platform));
}

/** Denials of this field alone that judge what is beneath. */
function reaches({ rule, box }: Rule, { field, namedOnly }: Reach): boolean {
  return rule !== 'protected' && box.fields.every(({ key }) => key === field) && !box.judgesNamed(namedOnly);
}

/** The first denial that alone leaves nothing, or all of them where they do together; none otherwise. */
function closingOf(
  denials: readonly Rule[],
  held: ValueSet,
  { field, extent, platform }: Reach,
): readonly Rule[] {
  const clear = (some: readonly Rule[]): ValueSet => {
    const denied = some.reduce<ValueSet>(
      (all, { box }) => or(all, box.setOf(field) ?? everythingSet),
      nothingSet,
    );
    return minus(held, textSet(foldersMeeting(denied.text, extent, platform)));
  };
  const alone = denials.find((denial) => isEmpty(clear([denial])));
  if (alone !== undefined) return [alone];
  return denials.length > 0 && isEmpty(clear(denials)) ? denials : [];
}
