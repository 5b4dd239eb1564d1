/** One request and its answer: one JSON body, or a stream of events. */
import { EventReader } from './event-stream.js';
import { Gathered } from './gathered.js';
import type { Ask, BreakOff, Head, Heard, HttpLink } from './http-link.js';

/** How an exchange ended. */
export interface End {
  /** Whether bytes of the request may have left. */
  readonly isSent: boolean;
  /** Of the answer; undefined when none began. */
  readonly status: number | undefined;
  readonly headers: Head['headers'] | undefined;
  /** Whether it was a stream of events. */
  readonly isStream: boolean;
  /** The JSON that came with a status that is none of success. */
  readonly text: Buffer | undefined;
  /** What went wrong; undefined after a whole answer with a status of success. */
  readonly why: string | undefined;
}

/** What an exchange hands on, in order. */
export interface ExchangeSink {
  /** The answer begins, with a status of success. */
  readonly opened?: (head: Head) => void;
  /** The text of one message. */
  readonly message: (text: Buffer) => void;
  /** A message past the limit: its first and last bytes and its length. `isWhole`: it is all that the answer is. */
  readonly oversize: (head: Buffer, tail: Buffer, length: number, isWhole: boolean) => void;
  /** Bytes that are no message. */
  readonly noise: (bytes: number) => void;
  /** Once, and last. */
  readonly ended: (end: End) => void;
}

/** Most bytes of an answer whose status is none of success. */
const mostOfRefusal = 65_536;
const excerpt = 256;

/** One exchange. */
export class Exchange implements Heard {
  readonly #sink: ExchangeSink;
  readonly #limit: number;
  #break: BreakOff = () => undefined;
  #isSent = false;
  #head: Head | undefined;
  #isOver = false;
  #events: EventReader | undefined;
  #body: Gathered | undefined;
  #bytes = 0;
  /** Of the last event: from there the stream can be gone on with. */
  lastEventId: string | undefined;
  /** What the server wants to pass before that, in milliseconds. */
  retryMs: number | undefined;

  /** Sends the request. `limit`: most bytes of one message. */
  constructor(link: HttpLink, ask: Ask, limit: number, sink: ExchangeSink) {
    this.#sink = sink;
    this.#limit = limit;
    this.#break = link.ask(ask, this);
  }

  /** Whether bytes of the request may have left. */
  get isSent(): boolean {
    return this.#isSent;
  }

  /** Ends it; nothing is handed on any more. */
  breakOff(): void {
    this.#isOver = true;
    this.#break();
  }

  sent(): void {
    this.#isSent = true;
  }

  head(head: Head): void {
    if (this.#isOver) return;
    this.#head = head;
    const kind = contentKind(head);
    if (kind === 'json') this.#body = new Gathered();
    if (!this.#isSuccess()) return;
    if (kind === 'json') this.#bytes = 0;
    else if (kind === 'events') this.#events = this.#reader();
    else if (kind !== 'none') return this.#end(kind);
    this.#sink.opened?.(head);
  }

  chunk(bytes: Buffer): void {
    if (this.#isOver) return;
    if (this.#events !== undefined) this.#events.push(bytes);
    else if (this.#body === undefined) this.#drop(bytes.length);
    else this.#collect(bytes);
  }

  over(why: string | undefined): void {
    if (this.#isOver) return;
    if (why !== undefined || this.#body === undefined) return this.#end(why);
    const text = trimmed(this.#body.take());
    if (!this.#isSuccess()) return this.#end(undefined, text);
    if (text.length > 0) this.#sink.message(text);
    this.#end(undefined);
  }

  #reader(): EventReader {
    return new EventReader(this.#limit, {
      event: (data) => {
        if (!this.#isOver) this.#sink.message(data);
      },
      oversize: (head, tail, length) => {
        if (!this.#isOver) this.#sink.oversize(head, tail, length, false);
      },
      id: (id) => (this.lastEventId = id),
      retry: (ms) => (this.retryMs = ms),
      noise: (length) => {
        if (!this.#isOver) this.#sink.noise(length);
      },
    });
  }

  #collect(bytes: Buffer): void {
    this.#body?.add(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes <= (this.#isSuccess() ? this.#limit : mostOfRefusal)) return;
    const all = this.#body?.take() ?? bytes;
    this.#body = undefined;
    const [head, tail] = [all.subarray(0, excerpt), all.subarray(-excerpt)];
    if (this.#isSuccess()) this.#sink.oversize(head, tail, this.#bytes, true);
    this.#end('the answer is too long');
  }

  /** Of what is no message only so much is waited for. */
  #drop(length: number): void {
    this.#bytes += length;
    this.#sink.noise(length);
    if (!this.#isOver && this.#bytes > mostOfRefusal) this.#end('the answer is no message');
  }

  #isSuccess(): boolean {
    const { status = 0 } = this.#head ?? {};
    return status >= 200 && status < 300;
  }

  #end(why: string | undefined, text?: Buffer): void {
    if (this.#isOver) return;
    this.breakOff();
    const { status, headers } = this.#head ?? {};
    const wrong = why ?? (this.#isSuccess() ? undefined : statusText(status));
    const isStream = this.#events !== undefined;
    this.#sink.ended({ isSent: this.#isSent, status, headers, isStream, text, why: wrong });
  }
}

/** What the body is; another text says why it is not read. */
function contentKind({ headers }: Head): string {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity') return 'the answer is packed although nobody asked for that';
  const [type = ''] = (headers.get('content-type') ?? '').split(';', 1);
  const essence = type.trim().toLowerCase();
  if (essence === 'application/json') return 'json';
  if (essence === 'text/event-stream') return 'events';
  const isEmpty = headers.get('content-length') === '0' || !headers.has('content-type');
  return isEmpty ? 'none' : 'the answer is neither JSON nor a stream of events';
}

function statusText(status: number | undefined): string {
  return status === undefined ? 'no answer' : `HTTP ${status}`;
}

function trimmed(bytes: Buffer): Buffer {
  let from = 0;
  let to = bytes.length;
  while (from < to && isBlank(bytes[from])) from += 1;
  while (to > from && isBlank(bytes[to - 1])) to -= 1;
  return bytes.subarray(from, to);
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}
