/** Where something stands in a policy document, and what is written there. */
import type { DocList, DocMap, DocNode, Position } from '@pawl/core';

/** A node by its path, with the position of its key or item. */
export interface Place {
  readonly at: Position;
  readonly node: DocNode;
}

/** Finds what a path as `agents.a.allow[2].where.path` names; keys may hold dots themselves. */
export function placeOf(root: DocNode, path: string): Place | undefined {
  return below({ at: root.at, node: root }, path);
}

function below(place: Place, rest: string): Place | undefined {
  if (rest === '') return place;
  const { node } = place;
  if (node.kind === 'scalar') return undefined;
  return node.kind === 'list' ? inItem(node, rest) : inEntry(node, rest);
}

function inItem({ items }: DocList, rest: string): Place | undefined {
  const step = /^\[(?<index>\d+)\]\.?/u.exec(rest);
  const item = items[Number(step?.groups?.['index'] ?? -1)];
  return step === null || item === undefined
    ? undefined
    : below({ at: item.at, node: item }, rest.slice(step[0].length));
}

function inEntry({ entries }: DocMap, rest: string): Place | undefined {
  for (const { key, keyAt, value } of entries) {
    const step = stepBy(key, rest);
    const found = step === undefined ? undefined : below({ at: keyAt, node: value }, step);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What is left of a path after a key; undefined where it does not begin with it. */
function stepBy(key: string, rest: string): string | undefined {
  if (!rest.startsWith(key)) return undefined;
  const left = rest.slice(key.length);
  if (left.startsWith('.')) return left.slice(1);
  return left === '' || left.startsWith('[') ? left : undefined;
}

/** Longest excerpt: lines, and characters of each. */
const longest = { lines: 12, characters: 200 };

/**
 * What is written at a place: the lines that belong to it, those that are indented deeper than the one where it begins; as JSON
 * where it stands in the middle of a line.
 */
export function excerpt(text: string, { at, node }: Place): readonly string[] {
  const { line, column } = at;
  const lines = text.split(/\r?\n/u);
  const first = lines[line - 1] ?? '';
  if (!/^[\s-]*$/u.test(first.slice(0, column - 1))) return [cut(JSON.stringify(plain(node)))];
  const indent = indentOf(first);
  const taken = [first];
  for (const next of lines.slice(line)) {
    if (next.trim() !== '' && indentOf(next) <= indent) break;
    taken.push(next);
  }
  while (taken.at(-1)?.trim() === '') taken.pop();
  const shown = taken.slice(0, longest.lines).map((each) => cut(each.slice(indent)));
  return taken.length > longest.lines ? [...shown, '…'] : shown;
}

function plain(node: DocNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(plain);
  return Object.fromEntries(node.entries.map(({ key, value }) => [key, plain(value)]));
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function cut(line: string): string {
  return line.length <= longest.characters ? line : `${line.slice(0, longest.characters - 1)}…`;
}
