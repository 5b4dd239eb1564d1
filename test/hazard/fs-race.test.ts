import { expect, test } from 'vitest';
import { raceFs } from './fs-race.js';

const seconds = Number(process.env['PAWL_SECONDS'] ?? 3);

test.skipIf(process.platform !== 'linux')(
  'no verb of an fs power leaves its folder while another process exchanges folder and link [P.powers.fs-race]',
  { timeout: 1000 * seconds + 60_000 },
  async () => {
    const { verbs, leaks, naiveLeaks, outsideChanged } = await raceFs(seconds);
    const lines = [...verbs].map(([verb, count]) => `${verb} ${JSON.stringify(count)}`);
    console.log(
      `${lines.join('\n')}\nleaks ${leaks}; resolving the path first and opening it then: ${naiveLeaks}`,
    );
    expect(leaks).toBe(0);
    expect(outsideChanged).toBe(false);
    expect([...verbs.keys()].sort()).toEqual(
      ['list', 'mkdir', 'move', 'read', 'readText', 'remove', 'search', 'stat', 'write'].sort(),
    );
    for (const [verb, { done, denied }] of verbs) {
      expect(done, `${verb} worked`).toBeGreaterThan(0);
      expect(denied, `${verb} met the link`).toBeGreaterThan(0);
    }
    expect(naiveLeaks, 'the race is there').toBeGreaterThan(0);
  },
);
