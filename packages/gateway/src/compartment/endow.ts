/** Powers as a tool sees them: hardened objects whose methods ask the gateway. What comes back is data that nobody else holds. */
import { hardened } from './lock.js';
import { type RunOrder, dataOf, mostUses, textOf } from './wire.js';

type Settled = Extract<RunOrder, { order: 'used' }>;

/** One use that the gateway is asked for. */
interface Use {
  readonly power: string;
  readonly method: string;
  readonly args: string;
}

type Verb = (...args: readonly unknown[]) => Promise<unknown>;

interface Waiting {
  readonly done: (value: unknown) => void;
  readonly fail: (error: unknown) => void;
}

/** All uses of powers by one tool. */
export class Endowments {
  readonly #ask: (use: number, wish: Use) => void;
  readonly #under = new Map<number, Waiting>();
  readonly #queue: (() => void)[] = [];
  #last = 0;

  constructor(ask: (use: number, wish: Use) => void) {
    this.#ask = ask;
  }

  /** The powers, by name. */
  powers(table: Readonly<Record<string, readonly string[]>>): object {
    const made = Object.entries(table).map(([power, methods]) => {
      const verbs = methods.map((method): [string, Verb] => [
        method,
        (...args) => this.#use(power, method, args),
      ]);
      return [power, Object.fromEntries(verbs)] as const;
    });
    return hardened(Object.fromEntries<Readonly<Record<string, Verb>>>(made));
  }

  /** The gateway has answered. */
  settle(order: Settled): void {
    const waiting = this.#under.get(order.use);
    this.#under.delete(order.use);
    this.#queue.shift()?.();
    if (order.ok) waiting?.done(answered(dataOf(order.value)));
    else waiting?.fail(hardened(failure(order.error)));
  }

  #use(power: string, method: string, given: readonly unknown[]): Promise<unknown> {
    return new Promise((done, fail) => {
      const args = textOf(given, 'arguments');
      const start = (): void => {
        this.#last += 1;
        this.#under.set(this.#last, { done, fail });
        this.#ask(this.#last, { power, method, args });
      };
      if (this.#under.size < mostUses) start();
      else this.#queue.push(start);
    });
  }
}

/** The tool's own copy. Functions do not travel: an answer of the net power gets its own again. */
function answered(data: unknown): unknown {
  const isAnswer = typeof data === 'object' && data !== null && 'body' in data && 'status' in data;
  if (!isAnswer || !(data.body instanceof Uint8Array)) return data;
  const { body } = data;
  return { ...data, text: hardened(() => Buffer.from(body).toString('utf8')) };
}

function failure({ name, code, message, constraint }: Extract<Settled, { ok: false }>['error']): Error {
  const about = { name, code, ...(constraint === undefined ? {} : { constraint }) };
  return Object.assign(new Error(message), about);
}
