/** What a rule or a limit says, as a text: everything that compiling looks at, and nothing of where it stands. */
import type { LimitSource } from '../ceiling/index.js';
import type { Field } from '../connector/index.js';
import type { DocNode } from '../ground/index.js';
import type { ListName } from './boxes.js';
import type { RuleSource } from './document.js';

/** Equal for rules that say the same of every tool that they name. */
export function rulePrint(list: ListName, { verbs, where, level, reach, uses }: RuleSource): string {
  const words = [list, level, reach, uses ?? '-', verbs?.map(({ verb }) => verb).join('+') ?? '-'];
  const world = where === undefined ? '-' : where.rest ? 'open' : 'closed';
  return `${words.join(' ')} ${world} ${fieldsPrint(where?.fields ?? [])}`;
}

/** Equal for what asks the same of tools of these names, in the same order and under the same names. */
export function limitsPrint(names: readonly string[], sources: readonly LimitSource[]): string {
  return sources.map((source) => sourcePrint(names, source)).join(';');
}

function sourcePrint(names: readonly string[], { layer, limits, unreadable }: LimitSource): string {
  const stored = unreadable === undefined ? '' : JSON.stringify(names.filter((name) => unreadable.has(name)));
  const own = limits.filter(({ on }) => names.includes(on));
  const asked = own.map(({ on, path, fields }) => `${JSON.stringify([on, path])}${fieldsPrint(fields)}`);
  return `${layer}${stored}(${asked.join()})`;
}

/** Whether what a print says may depend on sets or facts. */
export function mentionsReferences(print: string): boolean {
  return print.includes('"set":') || print.includes('"fact":');
}

function fieldsPrint(fields: readonly Field[]): string {
  return fields.map(({ name, node }) => `${JSON.stringify(name)}:${nodePrint(node)}`).join();
}

/** Tells every two nodes apart that differ in more than their place. */
function nodePrint(node: DocNode): string {
  if (node.kind === 'list') return `[${node.items.map(nodePrint).join()}]`;
  if (node.kind === 'map')
    return `{${node.entries.map(({ key, value }) => `${JSON.stringify(key)}:${nodePrint(value)}`).join()}}`;
  const { value } = node;
  if (typeof value === 'string') return JSON.stringify(value);
  return Object.is(value, -0) ? '-0' : String(value);
}
