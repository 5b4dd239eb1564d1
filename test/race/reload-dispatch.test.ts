/** Reload, revocation and dispatch in every interleaving that the scheduler finds: what is handed over is allowed in that very step. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { World } from '../dispatch/world.js';

const tools = {
  s: {
    t: {
      type: 'object',
      properties: { x: { type: 'string' } },
      required: ['x'],
      additionalProperties: false,
    },
  },
};
const values = ['red', 'green', 'blue'];

/** Generations from wide to narrow: each is an attenuation of the one before. */
const chain = [values, ['red', 'blue'], ['blue']];

const document = (allowed: readonly string[], posture: string): string => `pawl: 1
servers:
  s: { command: s }
agents:
  a: { allow: [ { tools: [s/t], where: { args.x: [${allowed.join(', ')}] } } ] }
reload: { posture: ${posture} }
`;

type Act = 'reload' | 'commit' | 'revoke' | 'bump' | 'call';

describe.each(['recheck', 'bind'] as const)('[S000.no-re-resolve] posture %s', (posture) => {
  test('no call is handed over with authority outside the generation that admitted it, nor (recheck) outside the one in force, nor after revoke or epoch', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.constantFrom<Act>('reload', 'commit', 'revoke', 'bump', 'call', 'call'), {
          minLength: 4,
          maxLength: 14,
        }),
        fc.array(fc.constantFrom(...values), { minLength: 14, maxLength: 14 }),
        async (scheduler, acts, wanted) => {
          const world = new World({ policy: document(chain[0] ?? [], posture), tools });
          const session = world.open('a').id;
          world.audit.hold();
          let step = 0;
          const allowed = new Map([[1, values]]);
          const put = (bump: boolean): void => {
            const now = chain[step] ?? [];
            allowed.set(world.reload(document(now, posture), bump).generation.number, now);
          };
          let dead = false;
          const deadSince: number[] = [];
          const called: Promise<unknown>[] = [];
          const perform = (act: Act, index: number): void => {
            const before = world.arrivals.length;
            if (act === 'call') called.push(world.callIn(session, 's__t', { x: wanted[index] ?? 'red' }));
            else if (act === 'commit') world.audit.releaseOne();
            else if (act === 'reload' && step < chain.length - 1) {
              step += 1;
              put(false);
            } else if (act === 'revoke') world.revocations.revoke({ kind: 'session', id: session });
            else if (act === 'bump') put(true);
            if ((act === 'revoke' || act === 'bump') && !dead) {
              dead = true;
              deadSince.push(before);
            }
          };
          acts.forEach((act, index) => {
            void scheduler.schedule(Promise.resolve(), act).then(() => perform(act, index));
          });
          await scheduler.waitAll();
          world.audit.release();
          await Promise.all(called);
          const admitted = new Map(world.audit.of('intent').map((intent) => [intent.call, intent]));
          for (const arrival of world.arrivals.filter((_, index) => dead && index >= (deadSince[0] ?? 0))) {
            expect(arrival).toBeUndefined();
          }
          for (const { args, generation: inForce } of posture === 'recheck' ? world.arrivals : []) {
            expect(allowed.get(inForce)).toContain(args['x']);
          }
          const settled = world.audit.of('settlement');
          expect(settled.map(({ call }) => call).sort()).toEqual([...admitted.keys()].sort());
          expect(settled.filter(({ outcome }) => outcome === 'ok')).toHaveLength(world.arrivals.length);
          expect(world.cell.current.living().every(({ pins }) => pins === 0)).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });
});
