/** Requests to the one address of a server: no redirects, no proxies, nothing unpacked, certificates verified. */
import { Pool } from 'undici';

/** One request. */
export interface Ask {
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The beginning of an answer. */
export interface Head {
  readonly status: number;
  /** By lower-case name; what came several times is joined with `, `. */
  readonly headers: ReadonlyMap<string, string>;
}

/** What is heard of a request. */
export interface Heard {
  /** A connection has taken the request: from here on its bytes may have left. */
  sent(): void;
  head(head: Head): void;
  /** The bytes are the listener's. */
  chunk(bytes: Buffer): void;
  /** Once, and last: with what went wrong, undefined after a whole answer. */
  over(why: string | undefined): void;
}

/** Breaks a request off; nothing is heard of it any more. */
export type BreakOff = () => void;

/** What a link is made from. */
export interface LinkOptions {
  /** Absolute, http or https. */
  readonly url: string;
  /** Certificates to trust instead of the usual ones, as PEM. */
  readonly ca?: string;
}

const connectMs = 10_000;
/** Requests at the same time, each on a connection of its own. */
const mostConnections = 256;

/** Connections to one origin. */
export class HttpLink {
  readonly #pool: Pool;
  readonly #path: string;
  readonly #shown: string;

  constructor({ url, ca }: LinkOptions) {
    const { origin, pathname, search } = new URL(url);
    this.#path = pathname + search;
    this.#shown = origin + pathname;
    this.#pool = new Pool(origin, {
      // Said outright: the environment could switch it off otherwise.
      connect: { rejectUnauthorized: true, timeout: connectMs, ...(ca !== undefined && { ca }) },
      connections: mostConnections,
      pipelining: 1,
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Sends a request. Never throws. */
  ask({ method, headers, body }: Ask, heard: Heard): BreakOff {
    const line = new Line(heard, this.#shown);
    const request = { path: this.#path, method, headers: { ...headers }, body: body ?? null };
    this.#pool.dispatch(request, line);
    line.begun();
    return () => line.breakOff();
  }

  /** Breaks everything off; settles when it is gone. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}

/** One request, as undici tells of it. */
class Line {
  readonly #heard: Heard;
  readonly #shown: string;
  #hasBegun = false;
  #isOver = false;
  #abort: ((error?: Error) => void) | undefined;

  constructor(heard: Heard, shown: string) {
    this.#heard = heard;
    this.#shown = shown;
  }

  /** Whoever asked knows by now whom to break off. */
  begun(): void {
    this.#hasBegun = true;
  }

  breakOff(): void {
    this.#isOver = true;
    this.#abort?.();
  }

  onConnect(abort: (error?: Error) => void): void {
    const again = this.#abort !== undefined;
    this.#abort = abort;
    if (this.#isOver) return abort();
    // INVARIANT(P.dispatch.never-resent): a connection that is lost does not have its request sent on another.
    if (again) return abort(new Error('the connection was lost'));
    this.#heard.sent();
  }

  onHeaders(status: number, raw: Buffer[]): boolean {
    if (this.#isOver || status < 200) return true;
    const headers = new Map<string, string>();
    for (let at = 0; at + 1 < raw.length; at += 2) {
      const name = raw[at]?.toString('latin1').toLowerCase() ?? '';
      const value = raw[at + 1]?.toString('latin1') ?? '';
      const before = headers.get(name);
      headers.set(name, before === undefined ? value : `${before}, ${value}`);
    }
    this.#heard.head({ status, headers });
    return true;
  }

  onData(chunk: Buffer): boolean {
    if (!this.#isOver) this.#heard.chunk(chunk);
    return true;
  }

  onComplete(): void {
    this.#end(undefined);
  }

  onError(error: Error): void {
    this.#end(troubleOf(error, this.#shown));
  }

  #end(why: string | undefined): void {
    if (!this.#hasBegun) return queueMicrotask(() => this.#end(why));
    if (this.#isOver) return;
    this.#isOver = true;
    this.#heard.over(why);
  }
}

/** What went wrong, for people: without addresses and what the other side said. */
function troubleOf(error: Error, shown: string): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  if (/CERT|SIGNATURE|ISSUER|ALTNAME/u.test(code))
    return `the certificate of ${shown} is not trusted (${code}); NODE_EXTRA_CA_CERTS can name a file of further authorities`;
  if (code === 'UND_ERR_INVALID_ARG') return `a header for ${shown} is malformed`;
  return `${shown} cannot be reached, or broke off (${code})`;
}
