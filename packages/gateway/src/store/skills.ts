/** Loaded skills over the chain: a row for each executor and name, written in one step with the record of what happened. */
import { canonicalJson, mintId } from '@pawl/core';
import { Fields } from './fields.js';
import type { SkillStore, StoredSkill } from './ports.js';
import type { Table } from './table.js';

/** Kind of their rows. */
const skillKind = 'skill';

/** The port over a store's rows. */
export function skillStore(table: Table): SkillStore {
  return {
    list: async () =>
      table
        .ofKind(skillKind)
        .map(readSkill)
        .sort((a, b) => a.at - b.at),
    put: (event, data, skill) =>
      table.exclusively(() =>
        table.change(event, data, [{ kind: skillKind, id: idOf(skill), text: textOf(skill) }]),
      ),
    drop: (event, data, skill) =>
      table.exclusively(() => table.change(event, data, [{ kind: skillKind, id: idOf(skill), text: null }])),
  };
}

function idOf({ executor, name }: Pick<StoredSkill, 'executor' | 'name'>): string {
  return `${executor} ${name}`;
}

function textOf(skill: StoredSkill): string {
  return canonicalJson({ ...skill });
}

/** Throws `damaged`. */
function readSkill(text: string): StoredSkill {
  const fields = new Fields(skillKind, text);
  const key = fields.optionalText('key');
  return {
    executor: mintId.executor(fields.text('executor')),
    name: fields.text('name'),
    folder: fields.text('folder'),
    root: mintId.digest(fields.text('root')),
    ...(key === undefined ? {} : { key: mintId.digest(key) }),
    granted: fields.texts('granted'),
    by: fields.text('by'),
    at: fields.number('at'),
  };
}
