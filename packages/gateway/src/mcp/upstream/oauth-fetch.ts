/** Requests to an issuer: bounded, to the address that was asked for, over a certificate that is trusted. */
import type { FetchLike } from '@modelcontextprotocol/client';
import { Agent, request } from 'undici';

const deadlineMs = 15_000;
const mostBytes = 262_144;

/** What the SDK's OAuth helpers fetch with. `ca`: certificates to trust instead of the usual ones, as PEM. */
export function issuerFetch(ca?: string): FetchLike {
  return async (url, init = {}) => {
    const agent = new Agent({
      connect: { rejectUnauthorized: true, timeout: deadlineMs, ...(ca !== undefined && { ca }) },
    });
    try {
      const { body } = init;
      const answer = await request(new URL(url), {
        dispatcher: agent,
        method: init.method === 'POST' ? 'POST' : 'GET',
        headers: Object.fromEntries(new Headers(init.headers)),
        signal: AbortSignal.timeout(deadlineMs),
        ...(body !== undefined && body !== null && { body: textOf(body) }),
      });
      const bytes = await bounded(answer.body);
      // Redirects would be followed by nobody here: they are answers that are no success.
      return new Response(statusHasBody(answer.statusCode) ? bytes : null, { status: answer.statusCode });
    } finally {
      await agent.destroy();
    }
  };
}

/** The helpers send texts and forms. */
function textOf(body: unknown): string {
  if (typeof body === 'string') return body;
  return body instanceof URLSearchParams ? body.toString() : '';
}

function statusHasBody(status: number): boolean {
  return status !== 204 && status !== 205 && status !== 304;
}

async function bounded(body: AsyncIterable<unknown>): Promise<ArrayBuffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    if (!Buffer.isBuffer(chunk)) continue;
    length += chunk.length;
    if (length > mostBytes) throw new Error('the issuer says too much');
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks)).buffer;
}
