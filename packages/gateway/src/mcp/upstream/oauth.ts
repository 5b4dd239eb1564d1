/** Tokens of an issuer for one server: a login with a person at a browser, and their renewal without one. */
import { timingSafeEqual } from 'node:crypto';
import {
  type AuthorizationServerMetadata,
  type FetchLike,
  OAuthError,
  type OAuthTokens,
  discoverAuthorizationServerMetadata,
  exchangeAuthorization,
  refreshAuthorization,
  registerClient,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import { type Clock, type Entropy, base32 } from '@pawl/core';
import { issuerFetch } from './oauth-fetch.js';

/** Whose tokens, for what. */
export interface OAuthTarget {
  /** As the policy names it: its metadata has to say the same. */
  readonly issuer: string;
  readonly scopes: readonly string[];
  /** The address of the server. */
  readonly resource: string;
  /** Certificates of the issuer to trust instead of the usual ones, as PEM. */
  readonly ca?: string;
}

/** Tokens, and the client that they were given to. */
export interface ServerTokens {
  readonly issuer: string;
  readonly resource: string;
  readonly client: string;
  readonly clientSecret?: string;
  readonly access: string;
  readonly refresh?: string;
  /** Unix milliseconds. */
  readonly expiresAt?: number;
}

/** A login that waits for its person. */
export interface Login {
  /** What the person opens. */
  readonly url: string;
  /** Whether these parameters come back from this login, whatever else they say. */
  isOwn(returned: URLSearchParams): boolean;
  /** Takes the parameters with which the browser comes back. Rejects with a reason for people. */
  finish(returned: URLSearchParams): Promise<ServerTokens>;
}

/** What a login is made with. */
export interface LoginOptions {
  /** Where the browser comes back to, on this machine. */
  readonly redirect: string;
  /** A client that the issuer knows; else one is registered. */
  readonly client?: string;
  readonly clock: Clock;
  readonly entropy: Entropy;
}

/** Begins a login. Rejects with a reason for people. */
export async function beginLogin(target: OAuthTarget, options: LoginOptions): Promise<Login> {
  const fetchFn = issuerFetch(target.ca);
  const { redirect, clock, entropy } = options;
  const metadata = await metadataOf(target, fetchFn);
  const client = await clientOf({ target, metadata, fetchFn }, options);
  const state = base32(entropy.bytes(20));
  const scope = target.scopes.length === 0 ? {} : { scope: target.scopes.join(' ') };
  const asked = { metadata, clientInformation: client, resource: target.resource };
  const { authorizationUrl, codeVerifier } = await startAuthorization(target.issuer, {
    ...asked,
    ...scope,
    redirectUrl: redirect,
    state,
  });
  return {
    url: safe(authorizationUrl.href, 'where people log in'),
    isOwn: (returned) => isSame(returned.get('state') ?? '', state),
    finish: async (returned) => {
      const code = codeIn(returned, state, metadata);
      const exchange = { ...asked, authorizationCode: code, codeVerifier, redirectUri: redirect, fetchFn };
      const given = await telling('the login', () => exchangeAuthorization(target.issuer, exchange));
      return tokensOf(given, { target, client, now: clock.wall() });
    },
  };
}

/** Renews tokens. Rejects with a reason for people. */
export async function renewTokens(
  target: OAuthTarget,
  tokens: ServerTokens,
  clock: Clock,
): Promise<ServerTokens> {
  const { refresh, client, clientSecret } = tokens;
  if (refresh === undefined) throw new Error('the issuer gave nothing to renew it with');
  const fetchFn = issuerFetch(target.ca);
  const metadata = await metadataOf(target, fetchFn);
  const clientInformation =
    clientSecret === undefined ? { client_id: client } : { client_id: client, client_secret: clientSecret };
  const { resource } = target;
  const wish = { metadata, clientInformation, refreshToken: refresh, resource, fetchFn };
  const given = await telling('the renewal', () => refreshAuthorization(target.issuer, wish));
  return tokensOf(given, { target, client: clientInformation, now: clock.wall() });
}

async function metadataOf({ issuer }: OAuthTarget, fetchFn: FetchLike): Promise<AuthorizationServerMetadata> {
  const metadata = await telling('the metadata', () =>
    discoverAuthorizationServerMetadata(issuer, { fetchFn }),
  );
  if (metadata === undefined) throw new Error(`there is no issuer at ${issuer}: it has no metadata`);
  // INVARIANT(P.oauth.issuer): nobody but the issuer that the policy names is asked, as it names itself.
  if (metadata.issuer !== issuer) throw new Error(`the metadata of ${issuer} is of another issuer`);
  if (metadata.code_challenge_methods_supported?.includes('S256') !== true)
    throw new Error(`${issuer} does not offer PKCE with S256, without which a login can be stolen`);
  safe(metadata.token_endpoint, 'its tokens');
  if (metadata.registration_endpoint !== undefined) safe(metadata.registration_endpoint, 'its registration');
  return metadata;
}

interface Registering {
  readonly target: OAuthTarget;
  readonly metadata: AuthorizationServerMetadata;
  readonly fetchFn: FetchLike;
}

async function clientOf(
  { target, metadata, fetchFn }: Registering,
  { redirect, client }: LoginOptions,
): Promise<{ readonly client_id: string; readonly client_secret?: string }> {
  if (client !== undefined) return { client_id: client };
  if (metadata.registration_endpoint === undefined)
    throw new Error(
      `${target.issuer} registers nobody: have a client registered for ${redirect}, and name it with --client-id`,
    );
  const clientMetadata = {
    client_name: 'Pawl',
    redirect_uris: [redirect],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  };
  const { client_id, client_secret } = await telling('the registration', () =>
    registerClient(target.issuer, { metadata, clientMetadata, fetchFn }),
  );
  return client_secret === undefined ? { client_id } : { client_id, client_secret };
}

function codeIn(returned: URLSearchParams, state: string, metadata: AuthorizationServerMetadata): string {
  if (!isSame(returned.get('state') ?? '', state))
    throw new Error('the browser came back from another login');
  validateAuthorizationResponseIssuer({
    iss: returned.get('iss') ?? undefined,
    expectedIssuer: metadata.issuer,
    issParameterSupported: metadata.authorization_response_iss_parameter_supported === true,
  });
  const refused = returned.get('error');
  if (refused !== null) throw new Error(`the issuer refused: ${plain(refused)}`);
  const code = returned.get('code');
  if (code === null || code === '') throw new Error('the browser came back without a code');
  return code;
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

interface Giving {
  readonly target: OAuthTarget;
  readonly client: { readonly client_id: string; readonly client_secret?: string };
  readonly now: number;
}

function tokensOf(given: OAuthTokens, { target, client, now }: Giving): ServerTokens {
  const { access_token: access, token_type: type, refresh_token: refresh, expires_in: seconds } = given;
  if (type.toLowerCase() !== 'bearer') throw new Error('the issuer gave a token of another kind than Bearer');
  if (!/^[!-~]{6,8192}$/u.test(access)) throw new Error('the issuer gave a token that no header can carry');
  return {
    issuer: target.issuer,
    resource: target.resource,
    client: client.client_id,
    access,
    ...(client.client_secret !== undefined && { clientSecret: client.client_secret }),
    ...(refresh !== undefined && { refresh }),
    ...(seconds !== undefined && { expiresAt: now + seconds * 1000 }),
  };
}

/** Over a way that others cannot read: https, or this machine. */
function safe(text: string, what: string): string {
  const { protocol, hostname } = new URL(text);
  const isHere = protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  if (protocol !== 'https:' && !isHere)
    throw new Error(`the issuer has ${what} at an address that is not encrypted`);
  return text;
}

/** What an issuer says of a failure may hold anything: of it only the code is told. */
async function telling<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OAuthError)
      throw new Error(`${what} was refused: ${plain(error.code)}`, { cause: error });
    throw new Error(`${what} failed: ${plain(reasonOf(error))}`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

function plain(text: string): string {
  return text.slice(0, 100).replaceAll(/[^ -~]/gu, '?');
}
