/** What has to hold when everything is over: the audit can be replayed, no generation was smuggled in, and nothing is held. */
import { mintId } from '@pawl/core';
import { comparisonOf, saidBy } from './documents.js';
import type { Race } from './race.js';
import { replay } from './replay.js';

/** What is wrong, in words; empty where nothing is. */
export function judgeAfterwards(race: Race): readonly string[] {
  return [...race.wrongs, ...replayed(race), ...generations(race), ...leftOver(race), ...budgets(race)];
}

/** Each record against what its generation says of the call, whatever happened meanwhile. */
function replayed(race: Race): readonly string[] {
  return race.made.flatMap(({ agent, args, mounted, outcome }) => {
    if (outcome === undefined) return ['a call was never answered'];
    const records = race.world.audit.records.filter(
      (record) => 'call' in record && record.call === outcome.call,
    );
    const sent = race.handedOver.find(({ intent }) => intent.call === outcome.call)?.args;
    const unmounted = mounted || outcome.kind === 'refused' ? [] : ['a call went to what was unmounted'];
    return [...unmounted, ...replay(race, { agent, args, outcome, records, sent })];
  });
}

/** Every generation is the next of the one before, and an attenuation of it unless an operator moved epochs for it. */
function generations(race: Race): readonly string[] {
  const { puts } = race.world.generations;
  const activated = race.reloads.filter(({ reloaded }) => reloaded.kind === 'activated').length;
  const wrongs = puts.slice(1).flatMap((put, at) => {
    const before = puts[at];
    if (before === undefined || put.number !== before.number + 1) return ['generations have a gap'];
    const comparison = comparisonOf(before.source.document, put.source.document);
    const gained = Object.entries(comparison.executors)
      .filter(([, { relation }]) => relation === 'widening' || relation === 'unknown')
      .map(([executor]) => executor);
    return gained
      .filter(
        (executor) =>
          race.epochOf(put.number, mintId.executor(executor)) <=
          race.epochOf(before.number, mintId.executor(executor)),
      )
      .map((executor) => `generation ${put.number} widened ${executor} and its epoch stayed`);
  });
  const inForce = race.world.cell.current.peek()?.generation.number;
  const lifted = puts.filter(({ cause }) => cause?.verdict === 'thaw').length;
  return [
    ...wrongs,
    ...race.reloads.flatMap((one) => (isUnproved(one) ? ['an unproved reload came into force'] : [])),
    ...(puts.at(-1)?.number === inForce ? [] : ['what is in force is not what was stored last']),
    ...(puts.length === 1 + activated + lifted ? [] : ['a reload that failed changed something']),
  ];
}

function isUnproved({ act, reloaded }: Race['reloads'][number]): boolean {
  if (act || reloaded.kind !== 'activated') return false;
  const { relation } = reloaded.comparison;
  return relation === 'widening' || relation === 'unknown';
}

function leftOver(race: Race): readonly string[] {
  const living = race.world.cell.current.living();
  const held = living.length === 1 && living[0]?.pins === 0;
  return [
    ...(held ? [] : ['a generation is still held']),
    ...(race.world.inFlight() === 0 ? [] : ['a call is still in flight']),
  ];
}

/** A rule that admits one call a session admitted one. */
function budgets(race: Race): readonly string[] {
  const counted = race.handedOver.filter(({ intent }) => {
    const said = saidBy(race.documentOf(intent.policyGeneration?.number ?? 0), intent.executor ?? '', {
      x: 'red',
    });
    return intent.level === 'permit' && said.kind === 'admitted' && said.charges !== undefined;
  });
  const sessions = new Set(counted.map(({ intent }) => intent.session));
  return counted.filter(({ intent }) => intent.executor === 'a').length > sessions.size
    ? ['a budget of one call a session admitted more']
    : [];
}
