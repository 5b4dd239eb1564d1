import { describe, expect, test } from 'vitest';
import { CompartmentFailure } from './failure.js';
import { type Compartment, opened } from './open.js';
import type { Listener } from './process.js';

/** A process that a tool has taken over: it says what the test says. */
class Taken {
  readonly sent: object[] = [];
  listener: Listener | undefined;
  over: string | undefined;
  attend = (listener: Listener): void => {
    this.listener = listener;
  };
  send = (order: object): void => {
    this.sent.push(order);
  };
  end = (why: string): void => {
    this.over = why;
  };
  says(message: object | string): void {
    this.listener?.line(typeof message === 'string' ? message : JSON.stringify(message));
  }
}

interface Scene {
  readonly process: Taken;
  readonly compartment: Compartment;
  readonly uses: string[];
  readonly answer: Promise<unknown>;
}

const wish = { openMs: 1000, resultBytes: 100 };

/** An open compartment with one call under way (its number is 1) and a power `fs` whose `read` never answers. */
async function scene(): Promise<Scene> {
  const process = new Taken();
  const uses: string[] = [];
  const read = (path: string): Promise<never> => {
    uses.push(path);
    return new Promise(() => {});
  };
  const fs = Object.create(
    { inherited: read },
    { read: { value: read, enumerable: true }, size: { value: 1, enumerable: true } },
  ) as object;
  const opening = opened(process, { archive: '', methods: ['default'] }, { ...wish, powers: { fs } });
  process.says({ say: 'open' });
  const compartment = await opening;
  const answer = compartment.call('default', {}, { deadlineMs: 5000 }).catch((error: unknown) => error);
  return { process, compartment, uses, answer };
}

const use = { say: 'use', use: 1, power: 'fs', method: 'read', args: '["a"]' };

describe('[P.compartment.protocol] a process that a tool has taken over', () => {
  test.each<readonly [string, readonly (object | string)[]]>([
    ['names a power that was not given', [{ ...use, power: 'net' }]],
    ['names a power that every object has', [{ ...use, power: '__proto__' }]],
    ['names what a power inherits', [{ ...use, method: 'inherited' }]],
    ['names what every object has', [{ ...use, method: 'constructor' }]],
    ['names what is no method', [{ ...use, method: 'size' }]],
    ['gives arguments that are no list', [{ ...use, args: '{"length":1,"0":"a"}' }]],
    ['gives arguments that are no text of data', [{ ...use, args: '["a"' }]],
    ['gives arguments with a member named __proto__', [{ ...use, args: '[{"__proto__":{"x":1}}]' }]],
    ['uses a number twice', [use, use]],
    ['asks for more at a time than it may', Array.from({ length: 17 }, (_, at) => ({ ...use, use: at + 1 }))],
    ['answers a call that nobody made', [{ say: 'result', call: 2, value: '1' }]],
    [
      'answers a call twice',
      [
        { say: 'result', call: 1, value: '1' },
        { say: 'result', call: 1, value: '2' },
      ],
    ],
    [
      'gives a result that is larger than it may be',
      [{ say: 'result', call: 1, value: `"${'x'.repeat(99)}"` }],
    ],
    ['opens again', [{ say: 'open' }]],
    ['says that it loaded', [{ say: 'loaded', entry: 'x', archive: '', methods: [] }]],
    ['gives orders', [{ order: 'used', use: 1, ok: true, value: '1' }]],
    ['says nothing that is JSON', ['open']],
  ])('is ended when it %s', async (_, said) => {
    const { process, compartment } = await scene();
    for (const message of said) process.says(message);
    await Promise.resolve();
    await new Promise((done) => setImmediate(done));
    expect(process.over).toContain('broke the protocol');
    await expect(compartment.call('default', {}, { deadlineMs: 1000 })).rejects.toBeInstanceOf(
      CompartmentFailure,
    );
  });

  test('has the answer of its call, whatever that is, and of no other', async () => {
    const { process, answer } = await scene();
    process.says({ say: 'result', call: 1, value: '{"say":"result","call":1}' });
    expect(await answer).toEqual({ say: 'result', call: 1 });
  });

  test('cannot make an answer of what is no JSON, or has a member named __proto__', async () => {
    for (const value of ['{', '{"__proto__":{"polluted":1}}', '[1,]']) {
      const { process, answer } = await scene();
      process.says({ say: 'result', call: 1, value });
      expect(await answer).toMatchObject({ name: 'CompartmentFailure' });
    }
    expect({}).not.toHaveProperty('polluted');
  });

  test('is heard no more once it was ended, and the powers are not used for it', async () => {
    const { process, compartment, uses, answer } = await scene();
    compartment.close();
    process.says(use);
    process.says({ say: 'result', call: 1, value: '1' });
    expect(uses).toEqual([]);
    expect(await answer).toMatchObject({ code: 'closed' });
  });

  test('has its answers of powers dropped when they come too late', async () => {
    const process = new Taken();
    let settle: (value: string) => void = () => undefined;
    const fs = { read: () => new Promise<string>((done) => (settle = done)) };
    const opening = opened(process, { archive: '', methods: [] }, { ...wish, powers: { fs } });
    process.says({ say: 'open' });
    const compartment = await opening;
    process.says(use);
    const before = process.sent.length;
    compartment.close();
    settle('secret');
    await new Promise((done) => setImmediate(done));
    expect(process.sent).toHaveLength(before);
  });

  test('fails every call that waits when it ends by itself', async () => {
    const { process, answer } = await scene();
    process.listener?.ended('it used up its memory');
    expect(await answer).toMatchObject({
      code: 'ended',
      message: 'the tool was ended: it used up its memory',
    });
  });
});
