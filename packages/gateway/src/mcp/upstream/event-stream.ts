/** Server-sent events as they arrive, with bounded memory. */
import { Gathered } from './gathered.js';

/** What a reader hands on, in order, synchronously from {@link EventReader.push}. */
export interface EventSink {
  /** The data of one message event. */
  event(data: Buffer): void;
  /** Data past the limit: the first and last bytes, and how many there were. */
  oversize(head: Buffer, tail: Buffer, length: number): void;
  /** The id of the last event; from there a stream can be gone on with. */
  id(id: string): void;
  /** Milliseconds that the server wants to pass before a stream is opened again. */
  retry(ms: number): void;
  /** Bytes that say nothing: comments, other events, unknown fields. */
  noise(bytes: number): void;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
/** Bytes kept of the beginning and of the end of data past the limit. */
const excerpt = 256;
/** Longest id that is kept. */
const longestId = 512;
/** An event, or a line, that is so many times as long as the limit is more than an answer that is too long. */
const mostTimes = 8;
/** Bytes of a line past the limit that are kept until they are cut. */
const mostOfLong = 65_536;
/** What a line of data takes in memory beside its bytes. */
const lineCost = 64;
const noBytes = Buffer.alloc(0);

/** Reads one stream. Never holds more than `limit` bytes of an event and of a line, plus one chunk. */
export class EventReader {
  readonly #limit: number;
  readonly #sink: EventSink;
  readonly #line = new Gathered();
  #lineBytes = 0;
  #isFirst = true;
  #skipFeed = false;
  #data: Buffer[] = [];
  #dataBytes = 0;
  /** First and last bytes of what is too long to be kept. */
  #over: { readonly head: Buffer; tail: Buffer } | undefined;
  #type = '';
  #id: string | undefined;

  /** @param limit most bytes of one event's data */
  constructor(limit: number, sink: EventSink) {
    this.#limit = limit;
    this.#sink = sink;
  }

  /** Takes the next bytes. */
  push(chunk: Buffer): void {
    let start = this.#skipFeed && chunk[0] === lineFeed ? 1 : 0;
    if (chunk.length > 0) this.#skipFeed = false;
    for (;;) {
      const end = lineEnd(chunk, start);
      if (end < 0) break;
      this.#keep(chunk.subarray(start, end));
      this.#finish();
      start = end + 1;
      if (chunk[end] !== carriageReturn) continue;
      if (start === chunk.length) this.#skipFeed = true;
      else if (chunk[start] === lineFeed) start += 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  /** Keeps a part of a line; of one past the limit its ends. */
  #keep(part: Buffer): void {
    this.#lineBytes += part.length;
    this.#line.add(part);
    this.#bound(this.#lineBytes);
    if (this.#lineBytes <= this.#limit + excerpt || this.#line.length <= mostOfLong) return;
    const all = this.#line.take();
    this.#line.add(Buffer.concat([all.subarray(0, excerpt), all.subarray(-excerpt)]));
  }

  #finish(): void {
    const kept = this.#line.take();
    const length = this.#lineBytes;
    this.#lineBytes = 0;
    const line = this.#isFirst && kept.subarray(0, 3).equals(byteOrderMark) ? kept.subarray(3) : kept;
    this.#isFirst = false;
    if (length === 0 || line.length === 0) this.#dispatch();
    else this.#field(line, length);
  }

  #field(line: Buffer, length: number): void {
    const colon = line.indexOf(0x3a);
    const name = colon < 0 ? line.toString('latin1') : line.subarray(0, colon).toString('latin1');
    const from = colon < 0 ? line.length : line[colon + 1] === 0x20 ? colon + 2 : colon + 1;
    const value = line.subarray(from);
    if (name === 'data') return this.#addData(value, length - from);
    this.#sink.noise(length);
    if (name === 'event') this.#type = value.subarray(0, longestId).toString('utf8');
    else if (name === 'id') this.#id = idIn(value) ?? this.#id;
    else if (name === 'retry' && /^\d{1,9}$/u.test(value.toString('latin1')))
      this.#sink.retry(Number(value.toString('latin1')));
  }

  #addData(value: Buffer, length: number): void {
    this.#dataBytes += length + (this.#data.length > 0 ? lineCost : 0);
    if (this.#over !== undefined) {
      this.#over.tail = value.subarray(-excerpt);
      return this.#bound(this.#dataBytes);
    }
    this.#data.push(value);
    if (this.#dataBytes <= this.#limit) return;
    const all = Buffer.concat(this.#data);
    this.#over = { head: Buffer.from(all.subarray(0, excerpt)), tail: Buffer.from(all.subarray(-excerpt)) };
    this.#data = [noBytes];
  }

  #bound(bytes: number): void {
    if (bytes > mostTimes * this.#limit) this.#sink.noise(bytes);
  }

  #dispatch(): void {
    const [data, over, bytes, type] = [this.#data, this.#over, this.#dataBytes, this.#type];
    this.#data = [];
    this.#over = undefined;
    this.#dataBytes = 0;
    this.#type = '';
    if (this.#id !== undefined) this.#sink.id(this.#id);
    if (data.length === 0) return;
    if (type !== '' && type !== 'message') this.#sink.noise(bytes);
    else if (over !== undefined) this.#sink.oversize(over.head, over.tail, bytes);
    else this.#sink.event(data.length === 1 && data[0] !== undefined ? data[0] : joined(data));
  }
}

function lineEnd(chunk: Buffer, from: number): number {
  const feed = chunk.indexOf(lineFeed, from);
  const back = chunk.subarray(from, feed < 0 ? undefined : feed).indexOf(carriageReturn);
  return back < 0 ? feed : from + back;
}

/** An id that a header can carry; any other is as good as none. */
function idIn(value: Buffer): string | undefined {
  const text = value.toString('latin1');
  return value.length <= longestId && /^[!-~](?:[ -~]*[!-~])?$/u.test(text) ? text : undefined;
}

function joined(lines: readonly Buffer[]): Buffer {
  const feed = Buffer.from([lineFeed]);
  return Buffer.concat(lines.flatMap((line, at) => (at === 0 ? [line] : [feed, line])));
}
