/** A storm: calls and reloads at the same time, every verdict compared with the one that its recorded generation gives offline. */
import { type CallOutcome, type JsonObject, type Reloaded, sha256 } from '@pawl/core';
import { fakeSource } from '../../test/fake-reload.js';
import { type Posture, type Shape, comparisonOf, policyOf } from '../../test/race/documents.js';
import { replay } from '../../test/race/replay.js';
import { Random } from '../workload/random.js';
import { House, rest } from './house.js';

/** How much of it. */
export interface StormOptions {
  readonly calls: number;
  /** Calls under way at the same time. */
  readonly concurrency: number;
  readonly posture: Posture;
  readonly seed: number;
}

/** What was seen. */
export interface StormFigures {
  readonly calls: number;
  readonly results: number;
  /** Generations that were in force. */
  readonly generations: number;
  /** Refused calls by code. */
  readonly refusals: Readonly<Record<string, number>>;
  /** Reloads by what they came to. */
  readonly reloads: Readonly<Record<string, number>>;
  /** Verdicts that are not those of their generation, in words. */
  readonly mismatches: readonly string[];
  readonly seconds: number;
}

/** One reload of the cycle. */
interface Step {
  readonly shape: Shape;
  readonly b?: 'red' | 'red, blue';
  /** `bump`: by an operator act. */
  readonly how?: 'bump' | 'bump all' | 'broken file' | 'broken store' | 'broken prover';
}

/** Wide, narrower and narrower, refused widenings in between, and back by an operator act. */
const cycle: readonly Step[] = [
  { shape: 'narrow' },
  { shape: 'turned' },
  { shape: 'wide' },
  { shape: 'red', how: 'broken store' },
  { shape: 'fills' },
  { shape: 'wide', how: 'broken file' },
  { shape: 'alien' },
  { shape: 'narrow', how: 'bump' },
  { shape: 'once' },
  { shape: 'narrow', b: 'red, blue' },
  { shape: 'red' },
  { shape: 'wide', b: 'red, blue', how: 'bump all' },
  { shape: 'asks' },
  { shape: 'red', how: 'broken prover' },
  { shape: 'once' },
  { shape: 'wide', how: 'bump' },
  { shape: 'counts' },
  { shape: 'nothing' },
  { shape: 'alien', how: 'bump' },
  { shape: 'wide', how: 'bump' },
];

/** Runs a storm to its end. */
export async function storm(options: StormOptions): Promise<StormFigures> {
  const run = new Storm(options);
  await run.house.begin(run.house.text('wide'));
  const started = performance.now();
  const callers = Array.from({ length: options.concurrency }, () => run.caller());
  const reloading = run.reloadUntilOver();
  await Promise.all(callers);
  run.over = true;
  await reloading;
  return run.figures((performance.now() - started) / 1000);
}

class Storm {
  readonly house: House;
  over = false;
  readonly #options: StormOptions;
  readonly #random: Random;
  readonly #refusals: Record<string, number> = {};
  readonly #reloads: Record<string, number> = {};
  #made = 0;
  #results = 0;

  constructor(options: StormOptions) {
    this.#options = options;
    this.#random = new Random(options.seed);
    this.house = new House(options.posture);
  }

  /** One call after the other until there were enough. */
  async caller(): Promise<void> {
    while (this.#made < this.#options.calls) {
      this.#made += 1;
      await this.#call(this.#random.chance(0.8) ? 'a' : 'b', this.#args());
      // A refusal waits for nothing: without a rest the reloads would never get their turn.
      await rest();
    }
  }

  /** One reload after the other while there are calls. */
  async reloadUntilOver(): Promise<void> {
    for (let at = 0; !this.over; at += 1) {
      const step = cycle[at % cycle.length];
      if (step !== undefined) await this.#reload(step);
      await rest();
    }
  }

  figures(seconds: number): StormFigures {
    const { house } = this;
    const living = house.cell.current.living();
    if (living.length !== 1 || living[0]?.pins !== 0) house.mismatches.push('a generation is still held');
    if (house.dispatcher.inFlight() > 0) house.mismatches.push('a call is still in flight');
    return {
      calls: this.#made,
      results: this.#results,
      generations: house.store.puts.length,
      refusals: this.#refusals,
      reloads: this.#reloads,
      mismatches: house.mismatches,
      seconds,
    };
  }

  #args(): JsonObject {
    const random = this.#random;
    const x = random.pick(['red', 'red', 'red', 'blue', 'blue', 'green', 'violet']);
    const y = random.pick([undefined, undefined, undefined, undefined, 'one', 'two']);
    return y === undefined ? { x } : { x, y };
  }

  async #call(agent: string, args: JsonObject): Promise<void> {
    const { house } = this;
    const { session, handle } = house.opened(agent);
    const { signal } = new AbortController();
    const outcome = await house.dispatcher.call({ session: session.id, handle, args: { ...args }, signal });
    const { call } = outcome;
    const sent = house.sent.get(call);
    house.sent.delete(call);
    house.mismatches.push(...replay(house, { agent, args, outcome, records: house.audit.take(call), sent }));
    this.#follow(agent, outcome);
  }

  /** Counts; opens another session where the capability is dead; answers what was asked. */
  #follow(agent: string, outcome: CallOutcome): void {
    if (outcome.kind === 'result') {
      this.#results += 1;
      return;
    }
    const { code } = outcome.refusal;
    this.#refusals[code] = (this.#refusals[code] ?? 0) + 1;
    if (code === 'no_such_cap') this.house.present(agent);
    if (code !== 'consent_required') return;
    const [ask] = this.house.approvals.waiting();
    if (ask !== undefined) this.house.approvals.answer(ask.id, this.#random.chance(0.8) ? 'yes' : 'no');
  }

  async #reload({ shape, b, how }: Step): Promise<void> {
    const { house } = this;
    const text = house.text(shape, b);
    const before = house.reloader.current().stored;
    house.proverFails = how === 'broken prover';
    house.store.broken = how === 'broken store';
    const reloaded = await house.reloader.reload({
      trigger: 'operator',
      ...(how === 'bump' || how === 'bump all'
        ? { act: { all: how === 'bump all', expect: sha256(text) } }
        : {}),
      propose: async () => {
        await rest();
        if (how === 'broken file') return { kind: 'invalid', file: 'policy.yaml', problems: [] };
        return { policy: policyOf(text), hash: sha256(text), source: fakeSource(text) };
      },
    });
    house.proverFails = false;
    house.store.broken = false;
    const name = how === undefined ? reloaded.kind : `${reloaded.kind}, ${how}`;
    this.#reloads[name] = (this.#reloads[name] ?? 0) + 1;
    const expected = expectedOf(before.source.document, text, how);
    if (expected !== reloaded.kind) house.mismatches.push(`a reload was ${reloaded.kind}, not ${expected}`);
    if (expected !== 'activated' && house.reloader.current().stored !== before)
      house.mismatches.push('a reload that failed changed something');
  }
}

function expectedOf(before: string, next: string, how: Step['how']): Reloaded['kind'] {
  if (how === 'broken file') return 'invalid';
  if (before === next) return 'same';
  if (how === 'bump' || how === 'bump all') return 'activated';
  if (how === 'broken prover') return 'refused';
  const { relation } = comparisonOf(before, next);
  if (relation === 'widening' || relation === 'unknown') return 'refused';
  return how === 'broken store' ? 'failed' : 'activated';
}
