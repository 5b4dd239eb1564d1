/** The tokens with which a server is asked: those of the principal on whose behalf, renewed before they end. */
import type { Clock, ExecutorId, ServerSource } from '@pawl/core';
import { type OAuthTarget, renewTokens } from '../mcp/index.js';
import type { Redactor } from '../power/index.js';
import type { StoredTokens, TokenFolder } from '../store/index.js';

/** A token is renewed when it ends within this time, in milliseconds. */
const earlyMs = 60_000;
/** Milliseconds between tries while requests go on. */
const againMs = 10_000;

/** What the logins of one server are made from. */
export interface LoginsOptions {
  readonly server: ServerSource['name'];
  readonly target: OAuthTarget;
  readonly tokens: Pick<TokenFolder, 'read' | 'set'>;
  /** Finds every token that was used so far. */
  readonly redactor: Redactor;
  readonly clock: Clock;
}

/** The logins of one server. */
export class Logins {
  readonly #options: LoginsOptions;
  /** Renewals under way: one for each principal. */
  readonly #renewals = new Map<ExecutorId | undefined, Promise<string | undefined>>();

  /** When a renewal was last tried while requests went on. */
  readonly #triedAt = new Map<ExecutorId | undefined, number>();

  constructor(options: LoginsOptions) {
    this.#options = options;
  }

  /** Sees to a token that can be used; or why there is none, and what to do. Never rejects. */
  async ready(principal: ExecutorId | undefined): Promise<string | undefined> {
    const tokens = this.#tokens(principal);
    if (tokens === undefined) return this.#nobody(principal);
    if (!this.#endsWithin(tokens, earlyMs)) return undefined;
    const why = await this.renew(principal);
    // What cannot be renewed is good until its end.
    return this.#endsWithin(tokens, 0) ? why : undefined;
  }

  /** Renews the token, one renewal at a time; why that did not work. Never rejects. */
  renew(principal: ExecutorId | undefined): Promise<string | undefined> {
    const under = this.#renewals.get(principal);
    if (under !== undefined) return under;
    const fresh = this.#renew(principal).finally(() => this.#renewals.delete(principal));
    this.#renewals.set(principal, fresh);
    return fresh;
  }

  /** The header of a request now; or why there is none. A token that ends soon is renewed meanwhile. */
  header(principal: ExecutorId | undefined): { readonly authorization: string } | string {
    const tokens = this.#tokens(principal);
    if (tokens === undefined) return this.#nobody(principal);
    if (this.#endsWithin(tokens, 0)) return 'the token has ended; it is being renewed';
    if (tokens.refresh !== undefined && this.#endsWithin(tokens, earlyMs)) this.#renewSoon(principal);
    return { authorization: `Bearer ${tokens.access}` };
  }

  /** Requests go on meanwhile, so an issuer that does not answer is not asked at each of them. */
  #renewSoon(principal: ExecutorId | undefined): void {
    const now = this.#options.clock.monotonic();
    if (now - (this.#triedAt.get(principal) ?? Number.NEGATIVE_INFINITY) < againMs) return;
    this.#triedAt.set(principal, now);
    void this.renew(principal);
  }

  /** Tokens of another issuer, or for another address, are none. */
  #tokens(principal: ExecutorId | undefined): StoredTokens | undefined {
    const { server, target, tokens, redactor } = this.#options;
    const found = tokens.read(server, principal);
    if (found === undefined || found.issuer !== target.issuer || found.resource !== target.resource)
      return undefined;
    for (const value of [found.access, found.refresh, found.clientSecret])
      if (value !== undefined) redactor.add(value);
    return found;
  }

  async #renew(principal: ExecutorId | undefined): Promise<string | undefined> {
    const { server, target, tokens, clock } = this.#options;
    const before = this.#tokens(principal);
    if (before === undefined) return this.#nobody(principal);
    try {
      const renewed = await renewTokens(target, before, clock);
      // A login, or its end, meanwhile is newer.
      if (this.#tokens(principal)?.access === before.access) tokens.set(server, principal, renewed);
      this.#tokens(principal);
      return undefined;
    } catch (error) {
      const why = error instanceof Error ? error.message : 'unknown';
      return `the token of ${whose(principal)} cannot be renewed: ${why}; ${this.#command(principal)}`;
    }
  }

  #endsWithin({ expiresAt }: StoredTokens, ms: number): boolean {
    return expiresAt !== undefined && expiresAt - this.#options.clock.wall() <= ms;
  }

  #nobody(principal: ExecutorId | undefined): string {
    return `nobody has logged in there for ${whose(principal)}; ${this.#command(principal)}`;
  }

  #command(principal: ExecutorId | undefined): string {
    const [agent, instance] = principal?.split('/') ?? [];
    const words = [
      `run: pawl secrets login ${this.#options.server}`,
      ...(agent === undefined ? [] : [`--agent ${agent}`]),
      ...(instance === undefined ? [] : [`--instance ${instance}`]),
    ];
    return words.join(' ');
  }
}

function whose(principal: ExecutorId | undefined): string {
  return principal ?? 'the list of its tools';
}

/** Whose tokens a server is asked with; undefined where it wants none. */
export function targetOf({ url, auth }: Pick<ServerSource, 'url' | 'auth'>): OAuthTarget | undefined {
  if (url === undefined || auth === undefined) return undefined;
  const { issuer, scopes } = auth.oauth;
  return { issuer, scopes, resource: url };
}
