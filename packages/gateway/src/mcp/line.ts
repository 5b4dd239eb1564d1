/** Newline-delimited frames over byte streams: a reader with bounded memory and a writer that joins what one tick wrote. */
import type { Writable } from 'node:stream';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** What a reader hands on, in order, synchronously from {@link LineReader.push}. */
export interface LineSink {
  /** One line without its end; the bytes are the sink's until it returns. Blank lines are left out. */
  line(bytes: Buffer): void;
  /** A line grew past the limit; its first and last bytes and its length follow once it ends. */
  oversize(head: Buffer, tail: Buffer, length: number): void;
}

/** Bytes kept of the beginning and of the end of a line past the limit. */
const excerpt = 256;

/** Cuts a stream into lines. Never holds more than `limit` bytes of an unfinished line, plus one chunk. */
export class LineReader {
  readonly #limit: number;
  readonly #sink: LineSink;
  #parts: Buffer[] = [];
  #held = 0;
  #head: Buffer | undefined;
  #tail: Buffer = Buffer.alloc(0);
  #skipped = 0;

  /** @param limit longest line in bytes, without its end */
  constructor(limit: number, sink: LineSink) {
    this.#limit = limit;
    this.#sink = sink;
  }

  /** Takes the next bytes; the chunk must not change afterwards. */
  push(chunk: Buffer): void {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(lineFeed, start);
      if (end < 0) break;
      this.#add(chunk.subarray(start, end));
      this.#finish();
      start = end + 1;
    }
    if (start < chunk.length) this.#add(chunk.subarray(start));
  }

  #add(part: Buffer): void {
    if (this.#head === undefined && this.#held + part.length <= this.#limit) {
      this.#parts.push(part);
      this.#held += part.length;
      return;
    }
    const before = this.#head === undefined ? this.#join() : this.#tail;
    this.#skipped = (this.#head === undefined ? before.length : this.#skipped) + part.length;
    const all = Buffer.concat([before, part.length > excerpt ? part.subarray(0, excerpt) : part]);
    this.#head ??= Buffer.from(all.subarray(0, excerpt));
    this.#tail = Buffer.from(part.length >= excerpt ? part.subarray(-excerpt) : all.subarray(-excerpt));
  }

  #join(): Buffer {
    const [only] = this.#parts;
    const line = this.#parts.length === 1 && only !== undefined ? only : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#held = 0;
    return line;
  }

  #finish(): void {
    if (this.#head !== undefined) {
      const [head, tail, length] = [this.#head, this.#tail, this.#skipped];
      this.#head = undefined;
      this.#tail = Buffer.alloc(0);
      this.#sink.oversize(head, tail, length);
      return;
    }
    const line = this.#join();
    const end = line.at(-1) === carriageReturn ? line.length - 1 : line.length;
    if (end > 0) this.#sink.line(line.subarray(0, end));
  }
}

/** Writes lines; all of one tick leave in one write, in order. */
export class LineWriter {
  readonly #stream: Writable;
  readonly #limit: number;
  #waiting = '';
  #broken = false;

  /** @param limit bytes that may wait in the stream before {@link stalled} says so */
  constructor(stream: Writable, limit: number) {
    this.#stream = stream;
    this.#limit = limit;
    stream.on('error', () => {
      this.#broken = true;
    });
  }

  /** Whether the other side reads too slowly, or not at all any more. */
  get stalled(): boolean {
    return this.#broken || !this.#stream.writable || this.#stream.writableLength > this.#limit;
  }

  /** Queues one line for the end of this tick; `text` must hold no line end. Nothing takes it back. */
  write(text: string): void {
    if (this.#waiting === '') process.nextTick(() => this.flush());
    this.#waiting += `${text}\n`;
  }

  /** Writes what waits now. */
  flush(): void {
    const text = this.#waiting;
    this.#waiting = '';
    if (text !== '' && !this.#broken && this.#stream.writable) this.#stream.write(text);
  }
}
