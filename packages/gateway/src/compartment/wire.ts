/** What goes between the gateway and the process of a compartment: lines of JSON. Data of tools and of powers travels as text inside them. */

/** Uses of powers that are under way at the same time; further ones wait in the process. */
export const mostUses = 16;

/** To the process that reads and checks a module. */
export interface LoadOrder {
  readonly order: 'load';
  /** Paths inside the folder, `/` between, each with its bytes in base64. */
  readonly files: readonly (readonly [path: string, base64: string])[];
  /** The modules that are wanted, each a path. */
  readonly entries: readonly string[];
}

/** To the process that runs it. */
export type RunOrder =
  | {
      readonly order: 'open';
      /** In base64. */
      readonly archive: string;
      /** Names of powers, each with its methods. */
      readonly powers: Readonly<Record<string, readonly string[]>>;
      readonly resultBytes: number;
    }
  | { readonly order: 'call'; readonly call: number; readonly method: string; readonly args: string }
  | { readonly order: 'used'; readonly use: number; readonly ok: true; readonly value: string }
  | { readonly order: 'used'; readonly use: number; readonly ok: false; readonly error: UseError };

/** Why a use of a power came to nothing, in words that a tool may read. */
export interface UseError {
  readonly name: string;
  readonly code: string;
  readonly message: string;
  readonly constraint?: string;
}

/** From either process. */
export type Said =
  | {
      readonly say: 'loaded';
      readonly entry: string;
      readonly archive: string;
      readonly methods: readonly string[];
    }
  | { readonly say: 'refused'; readonly why: string; readonly file?: string }
  | { readonly say: 'open' }
  | {
      readonly say: 'use';
      readonly use: number;
      readonly power: string;
      readonly method: string;
      readonly args: string;
    }
  | { readonly say: 'result'; readonly call: number; readonly value: string }
  | {
      readonly say: 'failed';
      readonly call: number;
      readonly code: 'threw' | 'too_large';
      readonly message: string;
    };

/**
 * Data as text: JSON in which bytes stand as base64 in an object of their own; undefined is the empty text. `answer` leaves out
 * functions, as JSON does; `arguments` refuses them and other things that are no data; `result` refuses bytes too. Throws TypeError.
 */
export function textOf(value: unknown, as: 'answer' | 'arguments' | 'result'): string {
  const replaced = function (this: unknown, key: string, member: unknown): unknown {
    if (key === '__proto__') throw new TypeError('a member is named __proto__');
    const raw: unknown = isKeyed(this) ? this[key] : member;
    const isBytes = raw instanceof Uint8Array;
    if (as !== 'answer' && (!isPlain(member) || (isBytes && as === 'result')))
      throw new TypeError(`${key === '' ? 'the value' : JSON.stringify(key)} is no plain data`);
    return isBytes ? { [bytesKey]: Buffer.from(new Uint8Array(raw)).toString('base64') } : member;
  };
  const text: string | undefined = JSON.stringify(value, replaced);
  return text ?? '';
}

/** The data of a text that {@link textOf} made. Throws SyntaxError or TypeError for any other. */
export function dataOf(text: string): unknown {
  if (text === '') return undefined;
  const data: unknown = JSON.parse(text, (key, member: unknown) => {
    refusingProto(key, member);
    const bytes = isKeyed(member) ? member[bytesKey] : undefined;
    return typeof bytes === 'string' ? new Uint8Array(Buffer.from(bytes, 'base64')) : member;
  });
  return data;
}

/** The data of a text that holds none but JSON: what looks like bytes is an object. Throws SyntaxError or TypeError for any other. */
export function jsonOf(text: string): unknown {
  if (text === '') return undefined;
  const data: unknown = JSON.parse(text, refusingProto);
  return data;
}

function refusingProto(key: string, member: unknown): unknown {
  if (key === '__proto__') throw new TypeError('a member is named __proto__');
  return member;
}

const bytesKey = '\u0000bytes';

function isKeyed(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'function' && typeof value !== 'symbol' && typeof value !== 'bigint';
}

/** Cuts a stream into lines of at most so many bytes. */
export class Lines {
  readonly #most: number;
  #parts: Buffer[] = [];
  #size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** The lines that the chunk completes. Undefined: one is longer than it may be, and the stream is of no use any more. */
  take(chunk: Buffer): readonly string[] | undefined {
    const lines: string[] = [];
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      if (!this.#keep(chunk.subarray(from, end))) return undefined;
      lines.push(Buffer.concat(this.#parts).toString('utf8'));
      this.#parts = [];
      this.#size = 0;
      from = end + 1;
    }
    return this.#keep(chunk.subarray(from)) ? lines : undefined;
  }

  #keep(part: Buffer): boolean {
    this.#size += part.length;
    if (this.#size > this.#most) return false;
    if (part.length > 0) this.#parts.push(part);
    return true;
  }
}
