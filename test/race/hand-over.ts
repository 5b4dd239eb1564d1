/** What has to hold in the very step in which a call is handed over, judged from what the test knows and not from what Pawl thinks. */
import { isMeant } from '@pawl/core';
import type { HandedOver, Race } from './race.js';
import { outside } from './replay.js';

/** What is wrong with a hand-over, in words; empty where nothing is. */
export function judgeHandOver(race: Race, handed: HandedOver): readonly string[] {
  const { intent } = handed;
  const wrongs = [
    ...(race.durable.has(intent.call) ? [] : ['its intent was not durable']),
    ...(isHeld(race, handed) ? [] : ['the generation that admitted it is not held']),
    ...deadly(race, handed),
    ...outside(race, handed, intent.policyGeneration?.number ?? 0),
  ];
  const afresh = race.posture === 'recheck' || race.waited.has(intent.call);
  const now = afresh ? outside(race, handed, handed.inForce) : [];
  return [...wrongs, ...now, ...unapproved(race, handed)].map((why) => `${intent.call}: ${why}`);
}

/** Whether the call holds the snapshot that admitted it. */
function isHeld({ world }: Race, { intent }: HandedOver): boolean {
  const living = world.cell.current.living();
  const { number } = intent.policyGeneration ?? {};
  return living.some(({ snapshot, pins }) => snapshot.generation.number === number && pins > 0);
}

/** Revoked, frozen, or of another epoch. */
function deadly(race: Race, { intent, inForce }: HandedOver): readonly string[] {
  const { cap, session, key, executor, capGeneration } = intent;
  if (executor === undefined || capGeneration === undefined) return ['it is nobody’s'];
  const revoked = [cap, session, key, executor].filter((id) => id !== undefined && race.revoked.has(id));
  const frozen = [...race.frozen.keys()].filter((name) => isMeant(name, executor));
  const epochs = [capGeneration.number, inForce].map((number) => race.epochOf(number, executor));
  return [
    ...revoked.map((id) => `${id} was revoked`),
    ...frozen.map((name) => `${name} was frozen`),
    ...(epochs[0] === epochs[1] ? [] : [`the epoch moved from ${epochs[0]} to ${epochs[1]}`]),
    ...(capGeneration.number <= inForce ? [] : ['its capability is of a generation to come']),
  ];
}

/** Without the yes that it needs, or by a yes that was used up. */
function unapproved(race: Race, { intent }: HandedOver): readonly string[] {
  const { level, approval } = intent;
  if (level === 'permit') return [];
  if (approval === undefined || !race.approved.has(approval)) return ['nobody approved it'];
  const same = race.handedOver.filter(
    (one) => one.intent.approval === approval && one.intent.level === 'once',
  );
  return level === 'once' && same.length > 1 ? [`approval ${approval} for one call was used again`] : [];
}
