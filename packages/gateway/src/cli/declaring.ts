/** Operations on stored ceilings and narrowings: declaring one, and showing what is stored. */
import {
  type Declaration,
  type Declared,
  type DeclaredState,
  type DeclaringPolicy,
  type ExecutorId,
  type JsonObject,
  declareLimits,
  deepEqualJson,
  layerOf,
  nodeOf,
  parseAgentName,
} from '@pawl/core';
import {
  type Answer,
  type DeclareAsked,
  type DeclaredView,
  type Role,
  type StoredEntryView,
  no,
  yes,
} from '../control/index.js';
import { agentsInText, whyNoExecutor } from './known-agents.js';
import { offlineAuthority } from './offline-authority.js';
import type { OperationParts } from './operation-parts.js';
import { actOf } from './operator-act.js';

/** Declares, in the daemon where one runs, else on the store itself. */
export async function declare(
  parts: OperationParts,
  asked: DeclareAsked,
  role: Role,
): Promise<Answer<DeclaredView>> {
  const { of, by = role } = asked;
  const unknown = await whyUnknown(parts, of);
  if (unknown !== undefined) return no('refused', unknown);
  const authority = parts.live ?? (await offlineAuthority(parts));
  if ('error' in authority) return authority;
  let told: Declared | undefined;
  const entries = (around: DeclaringPolicy): readonly Declaration[] => {
    told = declareLimits(around, of, nodeOf(asked.declaration, { line: 1, column: 1 }));
    if (told === undefined) throw new Error(`the policy has no ${of}`);
    const at = Math.round(parts.clock.wall());
    return entriesAfter(around.stored, { ...asked, by }, told.kept, at);
  };
  const reload = await authority.declare({ of, by, entries }, actOf(asked));
  if (told === undefined)
    return no('refused', reload.kind === 'failed' ? reload.why : `the policy has no ${of}`);
  return yes({ of, layer: layerOf({ of }), ...told, reload });
}

/** Why the stored policy has nobody of that name, with those that it has. An agent that acts through instances has a ceiling too. */
async function whyUnknown({ store }: OperationParts, of: ExecutorId): Promise<string | undefined> {
  const stored = await store.generations.current();
  const known = stored && agentsInText(stored.source.document);
  const [first = '', instance] = of.split('/');
  const agent = parseAgentName(first);
  if (known === undefined || agent === undefined) return undefined;
  return instance === undefined && known.has(agent) ? undefined : whyNoExecutor(known, agent, instance);
}

/** What is to be stored: what others have, and of this executor what was asked for. One that stays the same keeps who and when. */
function entriesAfter(
  stored: readonly Declaration[],
  { of, on, by }: Pick<DeclareAsked, 'of' | 'on' | 'by'>,
  kept: Readonly<Record<string, JsonObject>>,
  at: number,
): readonly Declaration[] {
  const others = stored.filter((entry) => entry.of !== of || (on !== undefined && entry.on !== on));
  const own = Object.entries(kept).map(([name, fields]) => {
    const before = stored.find((entry) => entry.of === of && entry.on === name);
    if (before !== undefined && deepEqualJson(before.fields, fields)) return before;
    return { of, on: name, fields, ...(by === undefined ? {} : { by }), at };
  });
  return [...others, ...own];
}

/** Every stored entry as it stands to the policy in force, or to the stored one. */
export async function storedEntries(parts: OperationParts): Promise<readonly StoredEntryView[]> {
  if (parts.live !== undefined) return parts.live.declared().map(viewOf);
  const offline = await offlineAuthority(parts);
  if (!('error' in offline)) return offline.declared().map(viewOf);
  const why = 'the stored policy cannot be read';
  return (await parts.store.declarations.list()).map((entry) => viewOf({ entry, state: 'unreadable', why }));
}

function viewOf({ entry, state, why }: DeclaredState): StoredEntryView {
  return { ...entry, layer: layerOf(entry), state, ...(why === undefined ? {} : { why }) };
}
