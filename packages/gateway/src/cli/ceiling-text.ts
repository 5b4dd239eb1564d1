/** What came of declaring a ceiling or a narrowing, and what is stored, in words. */
import {
  type Beyond,
  type DocNode,
  type JsonObject,
  type LoadProblem,
  type Position,
  type Reloaded,
  own,
} from '@pawl/core';
import { formatProblem } from '../config/index.js';
import type { DeclareAsked, DeclaredView, StoredEntryView } from '../control/index.js';
import { type ExitCode, exit } from './command.js';
import { columns, timeText, visible } from './layout.js';
import { gainLines } from './reload-text.js';

/** What was asked, and the file that it came from. */
export interface Asked {
  readonly asked: DeclareAsked;
  readonly file: string | undefined;
  readonly root: DocNode | undefined;
}

/** Whether it stands now: 1 where it was refused or not done, 3 where nothing of it could be read. */
export function declaredExit({ reload, kept }: DeclaredView, { declaration }: DeclareAsked): ExitCode {
  const isNothing = Object.keys(declaration).length > 0 && Object.keys(kept).length === 0;
  if (reload.kind === 'invalid') return exit.invalid;
  if (reload.kind === 'refused' || reload.kind === 'failed') return exit.negative;
  return isNothing ? exit.invalid : exit.ok;
}

/** What to say, and what to warn of. */
export function declaredLines(
  view: DeclaredView,
  { asked, file, root }: Asked,
): { readonly told: readonly string[]; readonly warned: readonly string[] } {
  const dropped = view.dropped.map((problem) => `dropped: ${droppedText(problem, file, root)}`);
  return { told: outcomeLines(view, asked), warned: [...dropped, ...view.beyond.map(beyondText)] };
}

function droppedText(problem: LoadProblem, file: string | undefined, root: DocNode | undefined): string {
  const at = root === undefined ? problem.at : positionOf(root, problem.path);
  const whole = problem.message.includes(problem.path) ? problem : withPath(problem);
  return visible(formatProblem(file ?? 'declaration', { ...whole, at }), 400);
}

function withPath(problem: LoadProblem): LoadProblem {
  const { path, found, allowed } = problem;
  return { ...problem, message: `${path}: found ${found}; allowed here: ${allowed}` };
}

/** Where a path of the declaration stands in its file: the nearest that is there. */
function positionOf(node: DocNode, path: string, at: Position = node.at): Position {
  if (path === '') return at;
  if (node.kind === 'list') {
    const found = /^\[(?<index>[0-9]+)\]\.?/u.exec(path);
    const item = node.items[Number(found?.groups?.['index'])];
    return item === undefined ? at : positionOf(item, path.slice(found?.[0].length));
  }
  if (node.kind !== 'map') return at;
  const entry = node.entries
    .filter(({ key }) => path === key || path.startsWith(`${key}.`) || path.startsWith(`${key}[`))
    .sort((a, b) => b.key.length - a.key.length)[0];
  if (entry === undefined) return at;
  return positionOf(entry.value, path.slice(entry.key.length).replace(/^\./u, ''), entry.keyAt);
}

function beyondText({ field, asked, left, outside, path }: Beyond): string {
  const what = left === 'part' ? 'lies partly outside' : 'lies outside';
  return visible(
    `in vain: ${field} ${asked} ${what} ${outside} of ${path}; only what both hold is permitted`,
    400,
  );
}

function outcomeLines(view: DeclaredView, { declaration }: DeclareAsked): readonly string[] {
  const { of, layer, kept, whole, reload } = view;
  if (reload.kind === 'refused') return refusedLines(reload);
  const { number, hash } = reload.generation;
  const stays = `generation ${number} (${hash.slice(0, 12)}) stays in force`;
  if (reload.kind === 'failed') return [`not done: ${stays}: ${visible(reload.why, 400)}`];
  if (reload.kind === 'invalid') return [`not done: ${stays}: the policy cannot be read any more`];
  const nothing = Object.keys(kept).length === 0;
  if (reload.kind === 'same')
    return [
      `${nothing && Object.keys(declaration).length > 0 ? 'nothing of it is left, so nothing changed' : 'nothing changed'}: ${stays}`,
    ];
  const what = nothing ? `the stored ${layer} of ${of} is lifted` : `the ${layer} of ${of} is stored`;
  return [
    `${what}; generation ${number} (${hash.slice(0, 12)}) is in force: ${reload.comparison.relation}`,
    ...fieldLines(kept),
    ...whole.map((field) => `  ${field} lists all that there is, so it counts as no ${layer}`),
    ...endedLines(reload),
  ];
}

function fieldLines(kept: Readonly<Record<string, JsonObject>>): readonly string[] {
  return Object.entries(kept).flatMap(([on, fields]) =>
    Object.keys(fields).map((name) => `  ${on}.${name}: ${visible(JSON.stringify(own(fields, name)))}`),
  );
}

function endedLines({ moved, reissued }: Extract<Reloaded, { kind: 'activated' }>): readonly string[] {
  if (moved.length === 0) return ['  capabilities stay'];
  const fresh = reissued === 0 ? '' : `; fresh ones in ${reissued} open sessions`;
  return [`  capabilities of ${moved.map((each) => visible(each)).join(', ')} have ended${fresh}`];
}

function refusedLines({
  generation: { number, hash },
  comparison,
}: Extract<Reloaded, { kind: 'refused' }>): readonly string[] {
  return [
    `refused: generation ${number} (${hash.slice(0, 12)}) stays in force; the change would let agents do more than they may now`,
    ...gainLines(comparison),
    'ways on:',
    '  keep    nothing to do: what was stored stays',
    '  accept  the same command with --bump-epoch (capabilities of whoever gains end; --reissue gives open sessions fresh ones)',
  ];
}

const states = {
  applies: 'in force',
  whole: 'lists all that there is: counts as none',
  unreadable: 'UNREADABLE: every call that touches it is refused',
  idle: 'waits: the policy has nobody of this name',
} as const;

/** What is stored, a line for each connector or server of each executor. */
export function storedLines(
  entries: readonly StoredEntryView[],
  layer: StoredEntryView['layer'],
): readonly string[] {
  if (entries.length === 0) return [`no ${layer} is stored; what the policy says applies`];
  return columns(
    entries.map(({ of, on, fields, by, at, state, why }) =>
      [
        of,
        on,
        fields === undefined ? '-' : JSON.stringify(fields),
        why === undefined ? states[state] : `${states[state]} (${why})`,
        at === undefined ? '' : `${timeText(at)} by ${by ?? '-'}`,
      ].map((cell) => visible(cell, 400)),
    ),
  );
}
