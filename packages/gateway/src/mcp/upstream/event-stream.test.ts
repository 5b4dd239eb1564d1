import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EventReader } from './event-stream.js';
import { Gathered } from './gathered.js';

interface Heard {
  readonly events: string[];
  readonly ids: string[];
  readonly retries: number[];
  readonly over: [string, string, number][];
  noise: number;
}

/** Reads a text in pieces of these lengths, and then the rest. */
function read(bytes: Buffer, cuts: readonly number[] = [], limit = 1000): Heard {
  const heard: Heard = { events: [], ids: [], retries: [], over: [], noise: 0 };
  const reader = new EventReader(limit, {
    event: (data) => heard.events.push(data.toString('utf8')),
    oversize: (head, tail, length) => heard.over.push([head.toString(), tail.toString(), length]),
    id: (id) => heard.ids.push(id),
    retry: (ms) => heard.retries.push(ms),
    noise: (length) => (heard.noise += length),
  });
  let at = 0;
  for (const cut of cuts) {
    reader.push(bytes.subarray(at, at + cut));
    at += cut;
  }
  reader.push(bytes.subarray(at));
  return heard;
}

const text = (...lines: readonly string[]): Buffer => Buffer.from(lines.join('\n'));

describe('[P.upstream.http-bounded] a stream of events', () => {
  test('has events, with ids and pauses', () => {
    const heard = read(text(': hi', 'id: 7', 'retry: 250', 'data: {"a":1}', '', 'data:x', 'data: y', '', ''));
    expect(heard).toMatchObject({ events: ['{"a":1}', 'x\ny'], ids: ['7', '7'], retries: [250], over: [] });
    expect(read(text('\ufeffdata: a', '', '')).events).toEqual(['a']);
    expect(read(text('event: ping', 'data: a', '', 'event: message', 'data: b', '', '')).events).toEqual([
      'b',
    ]);
    expect(read(text('data', '', '')).events).toEqual(['']);
    expect(read(text('data: cut off')).events).toEqual([]);
  });

  test('has no id that a header could not carry, and no pause that is no number', () => {
    const heard = read(
      text('id: a\u0000b', 'id: é', `id: ${'x'.repeat(600)}`, 'retry: soon', 'data: z', '', ''),
    );
    expect(heard).toMatchObject({ events: ['z'], ids: [], retries: [] });
  });

  test('reads the same however it is cut, and whatever ends its lines', () => {
    const line = fc.oneof(
      fc.constantFrom('', '', 'id: 1', ': c', 'retry: 9', 'event: x', 'data'),
      fc
        .string({ unit: 'grapheme', maxLength: 30 })
        .map((value) => `data: ${value.replaceAll(/[\r\n]/gu, '')}`),
    );
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 30 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.array(fc.nat({ max: 9 })),
        (lines, end, cuts) => {
          const bytes = Buffer.from(lines.map((each) => each + end).join(''));
          expect(read(bytes, cuts)).toEqual(read(Buffer.from(lines.map((each) => `${each}\n`).join(''))));
        },
      ),
      { numRuns: 300 },
    );
  });

  test('keeps the ends of what is too long, and goes on after it', () => {
    const long = `${'a'.repeat(300)}${'b'.repeat(2000)}${'c'.repeat(300)}`;
    for (const cuts of [[], Array<number>(400).fill(7)]) {
      const heard = read(text(`data: ${long}`, '', 'data: next', '', ''), cuts);
      expect(heard.events).toEqual(['next']);
      expect(heard.over).toEqual([['a'.repeat(256), 'c'.repeat(256), 2600]]);
    }
    const many = read(text(...Array<string>(40).fill('data: 0123456789'), '', 'data: next', '', ''));
    expect(many).toMatchObject({
      events: ['next'],
      over: [[expect.any(String), '0123456789', expect.any(Number)]],
    });
  });

  test('counts what is without end', () => {
    for (const endless of ['data:\n', 'data: x', 'x'])
      expect(read(Buffer.from(endless.repeat(20_000))).noise).toBeGreaterThan(8000);
  });
});

test('gathered bytes are those of their pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 5000 })), (pieces) => {
      const gathered = new Gathered();
      const bytes = pieces.map((piece) => Buffer.from(piece));
      const copies = bytes.map((piece) => Buffer.from(piece));
      for (const piece of bytes) gathered.add(piece);
      expect(gathered.length).toBe(Buffer.concat(bytes).length);
      expect(gathered.take().equals(Buffer.concat(copies))).toBe(true);
      expect(bytes).toEqual(copies);
      expect(gathered.take()).toHaveLength(0);
    }),
  );
});
