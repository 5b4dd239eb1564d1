import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { mintId } from '../ground/index.js';
import { spawn, stop } from './index.js';
import { type Turn, post } from './send.js';

const context = { signal: new AbortController().signal, call: mintId.call('c') };

type Step =
  | { readonly do: 'send'; readonly allowed: boolean }
  | { readonly do: 'finish'; readonly which: number }
  | { readonly do: 'stop' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('send' as const), allowed: fc.boolean() }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('finish' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('stop' as const) }) },
);

/** The actor in few words: who runs, who waits, what was refused and what was dropped. */
class Model {
  readonly started: number[] = [];
  readonly running: number[] = [];
  waiting: { readonly id: number; readonly allowed: boolean }[] = [];
  readonly notStarted = new Map<number, 'refused' | 'stopped'>();
  stopped = false;

  readonly parallel: number;

  constructor(parallel: number) {
    this.parallel = parallel;
  }

  drain(): void {
    while (this.running.length < this.parallel && this.waiting.length > 0) {
      const { id, allowed } = this.waiting.shift()!;
      if (allowed) {
        this.started.push(id);
        this.running.push(id);
      } else this.notStarted.set(id, 'refused');
    }
  }

  post(id: number, allowed: boolean): void {
    if (this.stopped) this.notStarted.set(id, 'stopped');
    else this.waiting.push({ id, allowed });
    this.drain();
  }

  stop(): void {
    for (const { id } of this.waiting) this.notStarted.set(id, 'stopped');
    this.waiting = [];
    this.stopped = true;
  }
}

/** Enough for a finished turn to be noticed and the next one to start. */
async function settle(): Promise<void> {
  for (let round = 0; round < 8; round += 1) await Promise.resolve();
}

test('turns start in the order of sending and never more run at once than the actor bears', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(1, 2, 3, Infinity),
      fc.array(step, { maxLength: 60 }),
      async (parallel, steps) => {
        const model = new Model(parallel);
        const started: number[] = [];
        const ends = new Map<number, () => void>();
        const turns: Turn[] = [];
        const ref = spawn({
          parallel,
          turn: async (_, id) => {
            started.push(Number(id));
            return new Promise<void>((end) => ends.set(Number(id), end));
          },
        });
        for (const each of steps) {
          if (each.do === 'send') {
            model.post(turns.length, each.allowed);
            turns.push(post(ref, 'call', turns.length, { context, atTurn: () => each.allowed }));
            expect(started).toEqual(model.started);
          } else if (each.do === 'stop') {
            model.stop();
            stop(ref);
          } else if (model.running.length > 0) {
            const [id] = model.running.splice(each.which % model.running.length, 1);
            ends.get(id!)!();
            await settle();
            model.drain();
          }
          expect(started).toEqual(model.started);
          expect(turns.map((turn) => turn.started)).toEqual(turns.map((_, id) => model.started.includes(id)));
        }
        model.stop();
        stop(ref);
        for (const end of ends.values()) end();
        const kinds = await Promise.all(turns.map(async ({ done }) => done));
        expect(kinds.map((end) => (end.kind === 'not-started' ? end.why : end.kind))).toEqual(
          turns.map((_, id) => model.notStarted.get(id) ?? 'returned'),
        );
      },
    ),
    { numRuns: 300 },
  );
});
