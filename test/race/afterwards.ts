/** What has to hold when everything is over: the audit can be replayed, no generation was smuggled in, and nothing is held. */
import { type AuditRecord, type RefusalRecord, deepEqualJson } from '@pawl/core';
import { comparisonOf, saidBy } from './documents.js';
import type { Made, Race } from './race.js';

/** What is wrong, in words; empty where nothing is. */
export function judgeAfterwards(race: Race): readonly string[] {
  return [...race.wrongs, ...replayed(race), ...generations(race), ...leftOver(race), ...budgets(race)];
}

/** Each record against what its generation says of the call, whatever happened meanwhile. */
function replayed(race: Race): readonly string[] {
  return race.made.flatMap((made) => {
    const { outcome } = made;
    if (outcome === undefined) return ['a call was never answered'];
    const records = race.world.audit.records.filter(
      (record) => 'call' in record && record.call === outcome.call,
    );
    const kinds = records.map(({ type }) => type).join(' ');
    if (kinds !== 'refusal' && kinds !== 'intent settlement') return [`${outcome.call} left ${kinds}`];
    const unmounted = made.mounted || outcome.kind === 'refused' ? [] : ['went to what was unmounted'];
    return [...unmounted, ...records.flatMap((record) => replayedOne(race, made, record))].map(
      (why) => `${outcome.call} ${JSON.stringify(made.args)}: ${why}`,
    );
  });
}

function replayedOne(race: Race, made: Made, record: AuditRecord): readonly string[] {
  if (record.type === 'intent') {
    const said = saidBy(race.documentOf(record.policyGeneration?.number ?? 0), made.agent, made.args);
    if (said.kind === 'refused') return [`was admitted where its generation says ${said.denial.code}`];
    const rules = [...new Set(said.rules.map(({ rule }) => rule))];
    const sent = race.handedOver.find(({ intent }) => intent.call === record.call);
    return [
      ...(deepEqualJson(rules, [...record.rules]) ? [] : ['rests on other rules']),
      ...(deepEqualJson([...said.filled], [...(record.filled ?? [])]) ? [] : ['was filled otherwise']),
      ...(sent === undefined || deepEqualJson(sent.args, said.args) ? [] : ['was sent with other arguments']),
    ];
  }
  if (record.type === 'refusal') return refusedRightly(race, made, record);
  return record.type === 'settlement' ? settledRightly(race, made, record) : [];
}

/** A refusal before the intent: no false one either. */
function refusedRightly(race: Race, made: Made, record: RefusalRecord): readonly string[] {
  const { code, reason, policyGeneration, capGeneration } = record;
  const number = policyGeneration?.number ?? 0;
  if (record.detail === 'frozen') return race.everFrozen ? [] : ['is frozen and nothing ever was'];
  if (code === 'no_such_cap' && reason === 'generation_widened' && capGeneration !== undefined) {
    const executor = record.executor;
    const epochs = [capGeneration.number, number].map((each) => executor && race.epochOf(each, executor));
    return epochs[0] === epochs[1] ? ['died of an epoch that did not move'] : [];
  }
  if (code === 'no_such_cap') return [];
  const said = saidBy(race.documentOf(number), made.agent, made.args);
  if (said.kind === 'refused')
    return said.denial.code === code ? [] : [`was refused as ${code}, not as ${said.denial.code}`];
  const asks = said.level !== 'permit' || said.charges !== undefined;
  const isAsk = code === 'consent_required' || code === 'consent_refused';
  return isAsk && asks ? [] : [`was refused as ${code} where its generation admits it`];
}

/** A refusal at the last check: what was in force then must be a reason for it. */
function settledRightly(
  race: Race,
  made: Made,
  record: Extract<AuditRecord, { type: 'settlement' }>,
): readonly string[] {
  if (record.outcome !== 'not_dispatched') return [];
  const number = record.policyGeneration?.number;
  if (record.code === 'no_such_cap') return [];
  if (record.code === 'attenuated_away' && race.everFrozen) return [];
  if (number === undefined) return [`was refused as ${record.code} although nothing had changed`];
  const said = saidBy(race.documentOf(number), made.agent, made.args);
  if (record.code === 'attenuated_away')
    return said.kind === 'refused' ? [] : [`was attenuated away although generation ${number} admits it`];
  const before = race.world.audit.of('intent').find(({ call }) => call === record.call);
  const then = saidBy(race.documentOf(before?.policyGeneration?.number ?? 0), made.agent, made.args);
  const same =
    said.kind === 'admitted' &&
    then.kind === 'admitted' &&
    said.level === then.level &&
    said.charges === undefined &&
    then.charges === undefined &&
    deepEqualJson(said.args, then.args);
  return same ? [`was refused as ${record.code} although generation ${number} says the same`] : [];
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
          race.epochOf(put.number, executor as never) <= race.epochOf(before.number, executor as never),
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
