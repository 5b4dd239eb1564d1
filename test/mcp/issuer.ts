/** An issuer of OAuth tokens in this process: everybody who asks it logs in at once. It does otherwise where a test says so. */
import { createHash, randomBytes } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What an issuer does otherwise. */
export interface IssuerScript {
  /** Members of the metadata that are replaced; undefined ones are left out. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Members of each answer with tokens. */
  readonly tokens?: Readonly<Record<string, unknown>>;
  /** Parameters of the way back to the client. */
  readonly back?: Readonly<Record<string, string>>;
  /** Refuses to renew. */
  readonly refuses?: boolean;
}

/** A running issuer. */
export interface Issuer {
  readonly url: string;
  script: IssuerScript;
  /** Paths that were asked for, in order. */
  readonly asked: string[];
  /** Forms that came for tokens. */
  readonly forms: URLSearchParams[];
  /** Whether it gave this access token, and has not taken it back. */
  knows(access: string): boolean;
  /** Takes every access token back. */
  revoke(): void;
  close(): Promise<void>;
}

/** Starts one. */
export async function startIssuer(): Promise<Issuer> {
  const live = new Set<string>();
  const renewals = new Set<string>();
  const codes = new Map<
    string,
    { readonly challenge: string; readonly redirect: string; readonly resource: string }
  >();
  const issuer: Issuer = {
    url: '',
    script: {},
    asked: [],
    forms: [],
    knows: (access) => live.has(access),
    revoke: () => live.clear(),
    close: async () => {
      const gone = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await gone;
    },
  };
  const tokens = (): object => {
    const [access, refresh] = [token(), token()];
    live.add(access);
    renewals.add(refresh);
    return {
      access_token: access,
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: refresh,
      ...issuer.script.tokens,
    };
  };
  const exchange = (form: URLSearchParams): object | undefined => {
    if (form.get('grant_type') === 'refresh_token') {
      const isKnown = renewals.delete(form.get('refresh_token') ?? '');
      return isKnown && issuer.script.refuses !== true ? tokens() : undefined;
    }
    const held = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isSame = held?.challenge === challenge && held.redirect === form.get('redirect_uri');
    return isSame && held.resource === form.get('resource') ? tokens() : undefined;
  };
  const answers: Readonly<Record<string, (url: URL, body: string) => Answer>> = {
    '/.well-known/oauth-authorization-server': () => json(200, metadataOf(issuer)),
    '/register': () => json(201, { client_id: 'client-1', redirect_uris: ['http://127.0.0.1/callback'] }),
    '/authorize': ({ searchParams: asked }) => {
      const code = token();
      const redirect = asked.get('redirect_uri') ?? '';
      codes.set(code, {
        challenge: asked.get('code_challenge') ?? '',
        redirect,
        resource: asked.get('resource') ?? '',
      });
      const back = new URLSearchParams({ code, state: asked.get('state') ?? '', ...issuer.script.back });
      return { status: 302, headers: { location: `${redirect}?${back.toString()}` }, body: '' };
    },
    '/token': (_url, body) => {
      const form = new URLSearchParams(body);
      issuer.forms.push(form);
      const given = exchange(form);
      return given === undefined ? json(400, { error: 'invalid_grant' }) : json(200, given);
    },
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', issuer.url);
    issuer.asked.push(url.pathname);
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const answer = answers[url.pathname]?.(url, Buffer.concat(chunks).toString('utf8')) ?? json(404, {});
    response.writeHead(answer.status, answer.headers).end(answer.body);
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(issuer, { url });
}

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

function json(status: number, value: object): Answer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

function metadataOf({ url, script }: Issuer): object {
  const metadata = {
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    registration_endpoint: `${url}/register`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
  };
  return { ...metadata, ...script.metadata };
}

function token(): string {
  return randomBytes(16).toString('hex');
}
