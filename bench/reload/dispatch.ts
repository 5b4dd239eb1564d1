/** How long calls take while a large policy is reloaded, by what the reload is doing just then, and how long without one. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Proposal } from '@pawl/core';
import { compileReadInSteps } from '../../packages/gateway/src/config/index.js';
import { threadProver } from '../../packages/gateway/src/cli/prover.js';
import { threadReader } from '../../packages/gateway/src/cli/reader.js';
import { sourceOf } from '../../packages/gateway/src/cli/source.js';
import { unhurried } from '../../packages/gateway/src/cli/unhurried.js';
import { World } from '../../test/dispatch/world.js';
import { rest } from '../storm/house.js';
import { catalogOf, policyText, schemasOf, toolsFor } from './policies.js';

/** What a reload is doing: nothing, reading and compiling what is proposed, or waiting for the proof. */
export type Phase = 'idle' | 'compiling' | 'proving';

/** Milliseconds a call. */
export interface PhaseFigures {
  readonly phase: Phase;
  readonly calls: number;
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
  /** Calls that took more than `stallMs`. */
  readonly stalled: number;
}

/** What admission may stall, in milliseconds (DESIGN section 6). */
export const stallMs = 5;

/** Reloads of `rules` rules after an edit of one, between idle times as long; figures of the calls in between. */
export async function measureDispatch(rules: number, reloads: number): Promise<readonly PhaseFigures[]> {
  const bench = new Bench(rules);
  try {
    return await bench.measure(reloads);
  } finally {
    await bench.close();
  }
}

class Bench {
  readonly #rules: number;
  readonly #folder = mkdtempSync(join(tmpdir(), 'pawl-bench-'));
  readonly #file = join(this.#folder, 'policy.json');
  readonly #world: World;
  readonly #reader = threadReader();
  readonly #prover = threadProver();
  readonly #times: Record<Phase, number[]> = { idle: [], compiling: [], proving: [] };
  #phase: Phase = 'idle';
  #over = false;

  constructor(rules: number) {
    this.#rules = rules;
    const tools = { s: schemasOf(toolsFor(rules)) };
    this.#world = new World({ policy: policyText(rules), tools, ttl: 1e9 });
  }

  async measure(reloads: number): Promise<readonly PhaseFigures[]> {
    const { reloader, prover } = this.#world;
    // The first generation of a world has no source of its own: this one has, and is not compared.
    prover.says({ a: 'equal' });
    await reloader.reload({ trigger: 'operator', propose: () => this.#proposal(0) });
    prover.compare = (old, next) => {
      this.#phase = 'proving';
      return this.#prover.compare(old, next);
    };
    await reloader.reload({ trigger: 'operator', propose: () => this.#proposal(1) });
    this.#phase = 'idle';
    const calling = this.#call();
    for (let round = 2; round < 2 + reloads; round += 1) {
      await later(1000);
      const reloaded = await reloader.reload({ trigger: 'operator', propose: () => this.#proposal(round) });
      this.#phase = 'idle';
      if (reloaded.kind !== 'activated') throw new Error(`a reload was ${reloaded.kind}`);
    }
    this.#over = true;
    await calling;
    return (['idle', 'compiling', 'proving'] as const).map((phase) => figures(phase, this.#times[phase]));
  }

  async close(): Promise<void> {
    this.#world.reloader.close();
    await Promise.all([this.#reader.close(), this.#prover.close()]);
    rmSync(this.#folder, { recursive: true });
  }

  /** One call after the other, with a rest in between; each is counted where it began. */
  async #call(): Promise<void> {
    for (let at = 0; !this.#over; at = (at + 1) % this.#rules) {
      const phase = this.#phase;
      const name = `s__t${at % toolsFor(this.#rules)}`;
      const began = performance.now();
      const outcome = await this.#world.call('a', name, { x: `job-${at}-1`, n: 5, ...mode(at) });
      this.#times[phase].push(performance.now() - began);
      if (outcome.kind !== 'result') throw new Error(`a call was refused: ${outcome.refusal.message}`);
      this.#world.audit.records.length = 0;
      this.#world.arrivals.length = 0;
      await rest();
    }
  }

  async #proposal(round: number): Promise<Proposal> {
    this.#phase = 'compiling';
    writeFileSync(this.#file, policyText(this.#rules, 0, round));
    const read = await this.#reader.file(this.#file);
    if (!read.ok) throw new Error(read.problems[0]?.message);
    const tools = catalogOf(toolsFor(this.#rules));
    const before = this.#world.reloader.current().snapshot.policy;
    const options = { tools, vanishedTool: 'finding', before } as const;
    const loaded = await unhurried(compileReadInSteps(read.policy, options));
    if (!loaded.ok) throw new Error(loaded.problems[0]?.message);
    const { policy } = loaded;
    return { policy, ...sourceOf({ read: read.policy, policy, tools, protectedPaths: [] }) };
  }
}

function mode(at: number): { readonly mode?: string } {
  return at % 2 === 0 ? { mode: 'fast' } : {};
}

function later(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

function figures(phase: Phase, times: readonly number[]): PhaseFigures {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  const stalled = sorted.filter((time) => time > stallMs).length;
  return { phase, calls: sorted.length, p50: at(0.5), p99: at(0.99), longest: at(1), stalled };
}
