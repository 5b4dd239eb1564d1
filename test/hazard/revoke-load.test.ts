/** Revoking while everything is busy: when it has returned, nothing that hung on it starts or uses anything, and everybody else goes on. */
import {
  type AuditRecord,
  type ProgramSession,
  actorTools,
  defineActor,
  jsonArguments,
  openProgram,
  power,
} from '@pawl/core';
import { expect, test } from 'vitest';

interface Meter {
  /** A use by somebody. */
  readonly use: (who: number) => void;
}

const numbered = jsonArguments({
  type: 'object',
  properties: { who: { type: 'integer' } },
  required: ['who'],
});
const sessions = 4;
const callers = 12;

/** A world of sessions that all call one actor with few turns at a time, so that calls wait everywhere. */
class Busy {
  readonly records: AuditRecord[] = [];
  readonly revoked = new Set<number>();
  readonly uses: number[] = Array.from({ length: sessions }, () => 0);
  /** Uses after `revoke` had returned, and turns that began then. */
  late = 0;
  readonly answers = new Map<string, number>();
  readonly #program: ReturnType<typeof openProgram>;
  readonly #open: readonly ProgramSession[];

  constructor() {
    const meter: Meter = {
      use: (who) => {
        if (this.revoked.has(who)) this.late += 1;
        this.uses[who] = (this.uses[who] ?? 0) + 1;
      },
    };
    const worker = defineActor(
      { powers: { meter: power<Meter>({ use: 'method' }) }, parallel: 3 },
      ({ write }) => ({
        work: write(numbered, async ({ who }, turn) => {
          if (this.revoked.has(who)) this.late += 1;
          for (let step = 0; step < 4; step += 1) {
            turn.powers.meter.use(who);
            await new Promise((later) => setImmediate(later));
          }
          return 'done';
        }),
      }),
    );
    this.#program = openProgram({
      policy: { pawl: 1, servers: { w: {} }, agents: { a: { allow: [{ tools: ['w/*'] }] } } },
      tools: [actorTools({ server: 'w', actor: worker, powers: { meter } })],
      record: async (record) => {
        this.records.push(record);
        await Promise.resolve();
      },
    });
    this.#open = Array.from({ length: sessions }, () => this.#program.open('a'));
  }

  /** Calls until its session refuses. */
  async caller(who: number, until: () => boolean): Promise<void> {
    while (!until()) {
      const outcome = await this.#open[who]?.call({ tool: 'w__work', args: { who } });
      const said = outcome?.kind === 'refused' ? outcome.refusal.code : 'result';
      this.answers.set(`${who} ${said}`, (this.answers.get(`${who} ${said}`) ?? 0) + 1);
      if (said !== 'result') return;
    }
  }

  revoke(who: number): void {
    const id = this.#open[who]?.id;
    if (id !== undefined) this.#program.revocations.revoke({ kind: 'session', id });
    this.revoked.add(who);
  }
}

test('[S001.caretaker] [S001.powers-stop] under load no call is accepted and no power used after revoke returned, and others go on', async () => {
  const busy = new Busy();
  let over = false;
  const all = Array.from({ length: sessions * callers }, (_, at) => busy.caller(at % sessions, () => over));
  for (const who of [2, 0, 3]) {
    for (let wait = 0; wait < 40; wait += 1) await new Promise((later) => setImmediate(later));
    busy.revoke(who);
  }
  const before = busy.uses[1] ?? 0;
  for (let wait = 0; wait < 100; wait += 1) await new Promise((later) => setImmediate(later));
  over = true;
  await Promise.all(all);
  expect(busy.late).toBe(0);
  expect(busy.uses[1]).toBeGreaterThan(before);
  expect(
    [...busy.answers.keys()].filter((key) => !/^1 result$|^[023] (?:result|no_such_cap)$/u.test(key)),
  ).toEqual([]);
  for (const who of [0, 2, 3]) expect(busy.answers.get(`${who} no_such_cap`)).toBe(callers);
  const count = (type: AuditRecord['type']): number => busy.records.filter((one) => one.type === type).length;
  expect(count('settlement')).toBe(count('intent'));
});
