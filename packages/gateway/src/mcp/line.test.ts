import { PassThrough } from 'node:stream';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineReader, LineWriter } from './line.js';

function reading(limit: number): { reader: LineReader; seen: (string | number)[] } {
  const seen: (string | number)[] = [];
  const reader = new LineReader(limit, {
    line: (bytes) => seen.push(bytes.toString('latin1')),
    oversize: (_head, _tail, length) => seen.push(length),
  });
  return { reader, seen };
}

test('cuts a stream into the same lines however it is chunked', () => {
  const lines = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', ' ', '{'), maxLength: 40 }));
  const cuts = fc.array(fc.nat(400), { maxLength: 30 });
  fc.assert(
    fc.property(lines, cuts, (texts, at) => {
      const { reader, seen } = reading(20);
      const stream = Buffer.from(texts.map((text) => `${text}\n`).join(''), 'latin1');
      const borders = [
        0,
        ...at.map((cut) => Math.min(cut, stream.length)).sort((a, b) => a - b),
        stream.length,
      ];
      for (let i = 1; i < borders.length; i += 1) reader.push(stream.subarray(borders[i - 1], borders[i]));
      expect(seen).toEqual(
        texts.filter((text) => text !== '').map((text) => (text.length > 20 ? text.length : text)),
      );
    }),
  );
});

test('keeps only the first and last bytes of a line past the limit', () => {
  const kept: [string, string, number][] = [];
  const reader = new LineReader(1000, {
    line: () => undefined,
    oversize: (head, tail, length) => kept.push([head.toString(), tail.toString(), length]),
  });
  reader.push(Buffer.from(`start${'x'.repeat(900)}`));
  for (let i = 0; i < 100; i += 1) reader.push(Buffer.alloc(10_000, 'y'));
  reader.push(Buffer.from('the '));
  reader.push(Buffer.from('end\nnext\n'));
  expect(kept[0]?.[0]).toMatch(/^startx+$/u);
  expect(kept[0]?.[1]).toMatch(/^y+the end$/u);
  expect(kept[0]?.map((part) => (typeof part === 'string' ? part.length : part))).toEqual([
    256, 256, 1_000_912,
  ]);
});

test('leaves out blank lines and carriage returns', () => {
  const { reader, seen } = reading(20);
  reader.push(Buffer.from('a\r\n\r\n\nb\n'));
  expect(seen).toEqual(['a', 'b']);
});

test('writes all lines of one tick at once, in order', async () => {
  const stream = new PassThrough();
  const chunks: string[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
  const writer = new LineWriter(stream, 100);
  writer.write('a');
  writer.write('b');
  await new Promise((resolve) => setImmediate(resolve));
  writer.write('c');
  await new Promise((resolve) => setImmediate(resolve));
  expect(chunks).toEqual(['a\nb\n', 'c\n']);
});

test('says when the other side does not read, and survives its end', async () => {
  const stream = new PassThrough({ highWaterMark: 10 });
  const writer = new LineWriter(stream, 100);
  expect(writer.stalled).toBe(false);
  writer.write('x'.repeat(500));
  writer.flush();
  expect(writer.stalled).toBe(true);
  stream.destroy(new Error('gone'));
  await new Promise((resolve) => setImmediate(resolve));
  writer.write('lost');
  writer.flush();
  expect(writer.stalled).toBe(true);
});
