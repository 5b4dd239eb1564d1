/** One open compartment: calls go in, uses of powers come out and are judged here, and at its end nothing of it is left. */
import { type Json, parseJson } from '@pawl/core';
import { CompartmentFailure } from './failure.js';
import { heard } from './hear.js';
import type { Confined } from './process.js';
import { type Powers, Uses } from './uses.js';
import { type RunOrder, type Said, mostUses, textOf } from './wire.js';

/** A module that was loaded and checked, and that was not run. */
export interface Module {
  /** Of its precompiled form, in base64. */
  readonly archive: string;
  /** What it exports, as it seems. */
  readonly methods: readonly string[];
}

/** What one call is told beside its arguments. */
export interface CallWish {
  /** Milliseconds, after which the compartment is ended. */
  readonly deadlineMs: number;
  /** Aborted: the compartment is ended. */
  readonly signal?: AbortSignal;
}

/** A module that runs, in a process of its own. */
export interface Compartment {
  /**
   * Calls an exported function with a copy of the arguments and the powers, and gives a copy of what it returns (undefined stays
   * undefined). Rejects with a {@link CompartmentFailure}. After `timeout` and `ended` the compartment is gone, and other calls
   * of it with it.
   */
  call(method: string, args: Json, wish: CallWish): Promise<Json | undefined>;
  /** Ends it at once. Uses of powers that it asked for and that did not begin never do. */
  close(): void;
}

interface Pending {
  readonly done: (value: Json | undefined) => void;
  readonly fail: (why: CompartmentFailure) => void;
}

/** Results are bounded by their bytes alone. */
const unbounded = { bytes: Infinity, depth: 512, items: Infinity, members: Infinity };

/** What a process is to an open compartment. */
type Process = Pick<Confined, 'attend' | 'send' | 'end'>;

/** How a module is opened. */
export interface OpenWish {
  readonly powers: Powers;
  readonly openMs: number;
  readonly resultBytes: number;
  /** Aborted before it is open: it is ended. */
  readonly signal?: AbortSignal;
}

/** Runs a module in a process. Settles when its own code has run; rejects with a CompartmentFailure, and then the process is ended. */
export async function opened(
  confined: Process,
  { archive }: Module,
  { powers, openMs, resultBytes, signal }: OpenWish,
): Promise<Compartment> {
  const live = new Live(confined, new Uses(powers), resultBytes);
  await live.open(archive, openMs, signal);
  return Object.freeze({
    call: (method: string, args: Json, wish: CallWish) => live.call(method, args, wish),
    close: () => live.end(new CompartmentFailure('closed', 'the compartment was closed')),
  });
}

class Live {
  readonly #confined: Process;
  readonly #uses: Uses;
  readonly #resultBytes: number;
  readonly #calls = new Map<number, Pending>();
  readonly #under = new Set<number>();
  #opening: Pending | undefined;
  #over: CompartmentFailure | undefined;
  #last = 0;

  constructor(confined: Process, uses: Uses, resultBytes: number) {
    this.#confined = confined;
    this.#uses = uses;
    this.#resultBytes = resultBytes;
  }

  async open(archive: string, openMs: number, signal: AbortSignal | undefined): Promise<void> {
    const { table } = this.#uses;
    await this.#within({ deadlineMs: openMs, ...(signal !== undefined && { signal }) }, (pending) => {
      this.#opening = pending;
      this.#confined.attend({
        line: (text) => this.#heard(heard(text)),
        ended: (why) => this.end(new CompartmentFailure('ended', `the tool was ended: ${why}`)),
      });
      this.#send({ order: 'open', archive, powers: table, resultBytes: this.#resultBytes });
    });
  }

  async call(method: string, args: Json, wish: CallWish): Promise<Json | undefined> {
    const text = textOf(args, 'result');
    this.#last += 1;
    const id = this.#last;
    return this.#within(wish, (pending) => {
      this.#calls.set(id, pending);
      this.#send({ order: 'call', call: id, method, args: text });
    });
  }

  /** INVARIANT(S001.compartment): from here on nothing of it is heard, no power is used for it, and its process is killed. */
  end(why: CompartmentFailure): void {
    if (this.#over !== undefined) return;
    this.#over = why;
    this.#confined.end(why.message);
    const waiting = [...this.#calls.values(), ...(this.#opening === undefined ? [] : [this.#opening])];
    this.#calls.clear();
    this.#opening = undefined;
    for (const { fail } of waiting) fail(why);
  }

  /** What ends in time, while somebody waits for it; else this is the end of the compartment. */
  async #within(
    { deadlineMs, signal }: CallWish,
    start: (pending: Pending) => void,
  ): Promise<Json | undefined> {
    const aborted = (): void => this.end(new CompartmentFailure('closed', 'the call was given up'));
    signal?.addEventListener('abort', aborted, { once: true });
    if (signal?.aborted === true) aborted();
    try {
      return await this.#inTime(deadlineMs, start);
    } finally {
      signal?.removeEventListener('abort', aborted);
    }
  }

  #inTime(milliseconds: number, start: (pending: Pending) => void): Promise<Json | undefined> {
    return new Promise((done, fail) => {
      if (this.#over !== undefined) return fail(this.#over);
      const timer = setTimeout(() => {
        const message = `the tool did not end within ${milliseconds} ms and was ended`;
        this.end(new CompartmentFailure('timeout', message));
      }, milliseconds);
      const over =
        <T>(settle: (value: T) => void): ((value: T) => void) =>
        (value) => {
          clearTimeout(timer);
          settle(value);
        };
      return start({ done: over(done), fail: over(fail) });
    });
  }

  #heard(said: Said | undefined): void {
    if (this.#over !== undefined) return;
    switch (said?.say) {
      case 'open':
        return this.#isOpen();
      case 'refused':
        return this.end(new CompartmentFailure('refused', `the module does not start: ${said.why}`));
      case 'use':
        return this.#used(said);
      case 'result':
        return this.#result(said.call, said.value);
      case 'failed':
        return this.#settle(said.call, ({ fail }) => fail(new CompartmentFailure(said.code, said.message)));
      case 'loaded':
      case undefined:
        return this.#broken();
      default:
        return said;
    }
  }

  #isOpen(): void {
    const opening = this.#opening;
    this.#opening = undefined;
    if (opening === undefined) this.#broken();
    else opening.done(undefined);
  }

  #result(call: number, text: string): void {
    if (Buffer.byteLength(text) > this.#resultBytes) return this.#broken();
    const parsed = text === '' ? undefined : parseJson(text, unbounded);
    return this.#settle(call, ({ done, fail }) => {
      if (parsed === undefined) done(undefined);
      else if (parsed.ok) done(parsed.value);
      else fail(new CompartmentFailure('too_large', `the result cannot be read: ${parsed.found}`));
    });
  }

  #settle(call: number, how: (pending: Pending) => void): void {
    const pending = this.#calls.get(call);
    this.#calls.delete(call);
    if (pending === undefined) this.#broken();
    else how(pending);
  }

  /** What was asked for is looked up among what was given. A number that is in use, or too many at a time, is no process of ours. */
  #used({ use, power, method, args }: Extract<Said, { say: 'use' }>): void {
    if (this.#under.has(use) || this.#under.size >= mostUses) return this.#broken();
    this.#under.add(use);
    void this.#uses.use(power, method, args).then((used) => {
      this.#under.delete(use);
      if (this.#over !== undefined) return;
      if (used === undefined) this.#broken();
      else this.#send({ order: 'used', use, ...used });
    });
  }

  #broken(): void {
    this.end(new CompartmentFailure('ended', 'the tool was ended: it broke the protocol'));
  }

  #send(order: RunOrder): void {
    this.#confined.send(order);
  }
}
