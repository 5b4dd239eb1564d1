/** Findings about arguments that carry the same thing, of which a rule bounds one and frees another. */
import type { ArgumentPath } from '../../authority/index.js';
import {
  type Field,
  type ToolFrame,
  argumentName,
  parseArgumentName,
  propertyAt,
} from '../../connector/index.js';
import type { RuleSource, Where } from '../document.js';
import { standings } from './rules.js';
import type { LintedPolicy } from './linted.js';
import type { Note } from './note.js';

/** Arguments that belong together, and what they carry together. */
interface Group {
  readonly carries: string;
  readonly members: readonly ArgumentPath[];
}

/** Names of arguments of tools without connector that carry the same thing where a tool has more than one of them. */
const siblings: readonly { readonly carries: string; readonly names: readonly string[] }[] = [
  { carries: 'recipients', names: ['to', 'cc', 'bcc', 'recipient', 'recipients'] },
  { carries: 'paths', names: ['path', 'paths', 'source', 'destination'] },
  { carries: 'urls', names: ['url', 'urls'] },
];

/** Notes allow rules that constrain one argument of a group and leave another one open. */
export function openGroups(policy: LintedPolicy, note: Note): void {
  for (const agent of policy.agents.values()) {
    const executor = [...policy.executors.values()].find((each) => each.agent === agent.name);
    if (executor === undefined) continue;
    const rules = standings([executor], 'allow');
    for (const source of agent.allow) {
      const frames = (rules.get(source.path) ?? []).map(({ tool }) => tool.frame);
      noteOpen(source, [...new Set(frames)], note);
    }
  }
}

function noteOpen(source: RuleSource, frames: readonly ToolFrame[], note: Note): void {
  const { where } = source;
  if (where === undefined) return;
  for (const frame of frames) {
    for (const { carries, members } of groupsOf(frame)) {
      if (where.fields.some(({ name }) => name === carries)) continue;
      const bounded = members.filter((member) => isBounded(where, member));
      const open = members.filter((member) => isFreed(where, frame, member));
      if (bounded.length === 0 || open.length === 0) continue;
      const names = (some: readonly ArgumentPath[]): string => some.map(argumentName).join(', ');
      note(
        source,
        `bounds ${names(bounded)} of ${frame.tool} and leaves ${names(open)} open: both carry ${carries}`,
      );
    }
  }
}

function groupsOf(frame: ToolFrame): readonly Group[] {
  const rows = frame.table.accesses.flatMap((row) =>
    Object.entries(row.fields).map(([carries, sources]) => ({
      carries,
      members: distinct(sources.map(({ argument }) => argument)),
    })),
  );
  const raw = frame.table.accesses.length > 0 ? [] : siblings;
  const bySchema = raw.map(({ carries, names }) => ({ carries, members: names.map((name) => [name]) }));
  return [...rows, ...bySchema]
    .map(({ carries, members }) => ({ carries, members: members.filter((member) => isThere(frame, member)) }))
    .filter(({ members }) => members.length > 1);
}

function distinct(paths: readonly ArgumentPath[]): readonly ArgumentPath[] {
  return [...new Map(paths.map((path) => [argumentName(path), path])).values()];
}

function isThere({ schema }: ToolFrame, path: ArgumentPath): boolean {
  return schema !== undefined && propertyAt(schema, path).known === 'yes';
}

function fieldOf({ fields }: Where, path: ArgumentPath): Field | undefined {
  const name = argumentName(path);
  return fields.find((field) => {
    const own = parseArgumentName(field.name);
    return own !== undefined && argumentName(own) === name;
  });
}

function isFreeing({ node }: Field): boolean {
  return node.kind === 'scalar' && (node.value === 'any' || node.value === 'present');
}

function isBounded(where: Where, path: ArgumentPath): boolean {
  const field = fieldOf(where, path);
  return field !== undefined && !isFreeing(field);
}

/** Freed by name, or by `rest: any`; what a rule that names arguments does not name has to be left out. */
function isFreed(where: Where, frame: ToolFrame, path: ArgumentPath): boolean {
  const field = fieldOf(where, path);
  return field === undefined ? where.rest && !isPayload(frame, path) : isFreeing(field);
}

function isPayload({ table }: ToolFrame, path: ArgumentPath): boolean {
  return table.payload.includes(path.join('.'));
}
