/** What every Upstream does, whatever carries the bytes: run with a factory that starts test/mcp/fake-server. */
import { type Fault, type JsonObject, isJsonObject, own } from '@pawl/core';
import { afterEach, describe, expect, test } from 'vitest';
import type { RawResult, Upstream, UpstreamCallOptions } from '../../packages/gateway/src/mcp/index.js';

/** Starts the fake server in a mode that the suite names. */
export type StartFake = (mode: 'old' | 'modern') => Promise<Upstream>;

/** The text of a result's first block. */
export function textOf(answer: RawResult | Fault): string {
  if (answer.kind !== 'result') return `${answer.kind}: ${JSON.stringify(answer)}`;
  const value = JSON.parse(`{${answer.members}}`) as { content: { text: string }[] };
  return value.content[0]?.text ?? '';
}

/** Options of a call that nobody cancels. */
export function patiently(more: Partial<UpstreamCallOptions> = {}): UpstreamCallOptions {
  return { signal: new AbortController().signal, deadlineMs: 60_000, ...more };
}

/** The suite. */
export function upstreamSuite(name: string, start: StartFake): void {
  const running: Upstream[] = [];
  const up = async (mode: 'old' | 'modern' = 'old'): Promise<Upstream> => {
    const upstream = await start(mode);
    running.push(upstream);
    return upstream;
  };
  const ask = async (upstream: Upstream, tool: string, args: JsonObject = {}): Promise<RawResult | Fault> =>
    upstream.call(tool, args, patiently()).answer;
  afterEach(async () => {
    await Promise.all(running.splice(0).map((upstream) => upstream.close()));
  });

  describe.each(['old', 'modern'] as const)(`${name}, %s era`, (mode) => {
    test('lists the tools of every page, without _meta', async () => {
      const tools = (await up(mode)).tools();
      expect(tools).toHaveLength(20);
      expect(tools[0]).toEqual({
        name: 'echo',
        definition: {
          name: 'echo',
          description: 'does echo',
          inputSchema: { type: 'object', properties: {} },
        },
      });
    });

    test('hands a call over at once and settles with the answer', async () => {
      const upstream = await up(mode);
      const { handedOver, answer } = upstream.call('echo', { a: [1, 'ü', null] }, patiently());
      expect(handedOver).toBe(true);
      expect(textOf(await answer)).toBe('{"a":[1,"ü",null]}');
    });

    test('gives answers to the calls that they belong to, in any order', async () => {
      const upstream = await up(mode);
      const [slow, fast] = [ask(upstream, 'late', { ms: 60 }), ask(upstream, 'echo', { n: 2 })];
      expect(textOf(await fast)).toBe('{"n":2}');
      expect(textOf(await slow)).toBe('late');
    });

    test('passes a result on as written, but for _meta and resultType [P.wire.answers-unchanged]', async () => {
      const answer = await ask(await up(mode), 'exact');
      if (mode === 'modern') expect(answer).toMatchObject({ kind: 'result' });
      expect(answer).toEqual({
        kind: 'result',
        members: '"content":[],"structuredContent":{"n":12345678901234567890,"e":1.50,"s":"\\u00e9\\ud800"}',
        isError: false,
      });
      const plain = await ask(await up(mode), 'echo');
      expect(plain.kind === 'result' && plain.members).not.toMatch(/_meta|resultType/u);
    });

    test("passes a server's JSON-RPC error on as it is [P.wire.answers-unchanged]", async () => {
      expect(await ask(await up(mode), 'error')).toEqual({
        kind: 'error',
        error: '{"code":-32602,"message":"no such file","data":{"n":1.5}}',
      });
    });

    test('sends only its own _meta: the envelope of the newer era, trace context, and a token of its own', async () => {
      const upstream = await up(mode);
      const bare = JSON.parse(textOf(await ask(upstream, 'meta'))) as JsonObject | null;
      if (mode === 'old') expect(bare).toBeNull();
      else expect(bare).toMatchObject({ 'io.modelcontextprotocol/protocolVersion': '2026-07-28' });
      const options = patiently({ trace: { traceparent: '00-1' }, onProgress: () => undefined });
      const meta: unknown = JSON.parse(textOf(await upstream.call('meta', {}, options).answer));
      expect(meta).toMatchObject({ traceparent: '00-1', progressToken: expect.any(Number) as number });
    });

    test('tells progress to the call that asked, and to nobody once it is settled [P.surface.own-progress]', async () => {
      const upstream = await up(mode);
      const told: JsonObject[] = [];
      const options = patiently({ onProgress: (progress) => told.push(progress) });
      const answer = await upstream.call('progress', {}, options).answer;
      expect(textOf(answer)).toMatch(/^\d+$/u);
      await ask(upstream, 'echo');
      expect(told.map((progress) => own(progress, 'progress'))).toEqual([1]);
    });
  });

  describe(name, () => {
    test('replaces an answer past the limit whole [P.wire.result-too-large]', async () => {
      const upstream = await up();
      expect(textOf(await ask(upstream, 'huge', { bytes: 262_144 }))).toHaveLength(262_144);
      for (const bytes of [262_145, 20_000_000]) {
        expect(await ask(upstream, 'huge', { bytes })).toMatchObject({
          kind: 'fault',
          code: 'result_too_large',
        });
      }
      expect(textOf(await ask(upstream, 'echo'))).toBe('{}');
    });

    test('answers outcome_unknown for what it cannot read, and goes on', async () => {
      const upstream = await up();
      for (const tool of ['unreadable', 'input']) {
        expect(await ask(upstream, tool)).toMatchObject({ kind: 'fault', code: 'outcome_unknown' });
      }
      expect(textOf(await ask(upstream, 'echo'))).toBe('{}');
    });

    test('tolerates garbage between answers [P.bad.upstream-dies]', async () => {
      expect(textOf(await ask(await up(), 'garbage'))).toBe('after garbage');
    });

    test('ignores repeated answers and answers to calls that nobody made [P.bad.upstream-dies]', async () => {
      const upstream = await up();
      expect(textOf(await ask(upstream, 'twice'))).toBe('first');
      expect(textOf(await ask(upstream, 'foreign'))).toBe('yours');
      expect(textOf(await ask(upstream, 'echo'))).toBe('{}');
    });

    test('settles what was handed over with outcome_unknown when the server dies [P.bad.upstream-dies] [P.dispatch.lost-answer]', async () => {
      const upstream = await up();
      const down: string[] = [];
      upstream.onDown((why) => down.push(why));
      const [waiting, killer] = [ask(upstream, 'hang'), ask(upstream, 'die')];
      expect(await waiting).toMatchObject({ kind: 'fault', code: 'outcome_unknown', retryable: false });
      expect(await killer).toMatchObject({ code: 'outcome_unknown' });
      expect(upstream.state).toBe('down');
      expect(down).toHaveLength(1);
      upstream.onDown((why) => down.push(why));
      expect(down).toHaveLength(2);
    });

    test('answers upstream_gone without a hand-over once the server is gone [P.bad.upstream-dies]', async () => {
      const upstream = await up();
      await ask(upstream, 'die');
      const { handedOver, answer } = upstream.call('echo', {}, patiently());
      expect(handedOver).toBe(false);
      expect(await answer).toMatchObject({ kind: 'fault', code: 'upstream_gone', retryable: true });
    });

    test('ends a server that floods its output, and only its calls suffer [P.bad.upstream-dies]', async () => {
      const [flooding, other] = [await up(), await up()];
      expect(await ask(flooding, 'flood')).toMatchObject({ code: 'outcome_unknown' });
      expect(flooding.state).toBe('down');
      expect(textOf(await ask(other, 'echo'))).toBe('{}');
    });

    test('gives up a call without a sign for its deadline and tells the server [P.wire.timeout]', async () => {
      const upstream = await up();
      const { answer } = upstream.call('hang', {}, patiently({ deadlineMs: 50 }));
      expect(await answer).toMatchObject({ kind: 'fault', code: 'outcome_unknown' });
      expect(await cancellations(upstream)).toHaveLength(1);
    });

    test('cancels a call whose caller gave up, and tells the server', async () => {
      const upstream = await up();
      const controller = new AbortController();
      const { answer } = upstream.call('hang', {}, patiently({ signal: controller.signal }));
      await ask(upstream, 'late', { ms: 50 });
      controller.abort();
      expect(await answer).toMatchObject({ kind: 'fault', code: 'outcome_unknown' });
      expect(await cancellations(upstream)).toHaveLength(1);
      const early = upstream.call('echo', {}, patiently({ signal: controller.signal }));
      expect(early.handedOver).toBe(false);
    });

    test('sends no call twice, and says of which calls no answer came [P.dispatch.never-resent]', async () => {
      const upstream = await up();
      const stop = new AbortController();
      const quiet = upstream.call('hang', {}, patiently({ deadlineMs: 50 })).answer;
      const unwanted = upstream.call('hang', {}, patiently({ signal: stop.signal })).answer;
      await ask(upstream, 'late', { ms: 50 });
      stop.abort();
      const [late, cancelled, unreadable] = [await quiet, await unwanted, await ask(upstream, 'unreadable')];
      const died = await ask(upstream, 'die');
      expect([late, cancelled, unreadable, died].map((answer) => 'lost' in answer)).toEqual([
        true,
        false,
        false,
        true,
      ]);
    });

    test('refuses what a server asks of the client, but for a ping [P.surface.default-deny]', async () => {
      const answers = JSON.parse(textOf(await ask(await up(), 'asks'))) as JsonObject[];
      expect(answers.map(({ id }) => id)).toEqual(['q1', 2, 3]);
      expect(answers.map(({ error }) => isJsonObject(error) && own(error, 'code'))).toEqual([
        -32601,
        -32601,
        false,
      ]);
    });

    test('says that tools changed, and goes on with those it listed until they are listed again', async () => {
      const upstream = await up();
      let changes = 0;
      upstream.onToolsChanged(() => (changes += 1));
      const before = upstream.tools();
      await ask(upstream, 'changed');
      expect(changes).toBe(1);
      expect(upstream.tools()).toBe(before);
      expect(await upstream.list()).toEqual(before);
      expect(upstream.tools()).not.toBe(before);
    });

    test('settles what is in flight when it is closed, and closes twice', async () => {
      const upstream = await up();
      const waiting = ask(upstream, 'hang');
      await Promise.all([upstream.close(), upstream.close()]);
      expect(await waiting).toMatchObject({ code: 'outcome_unknown' });
      expect(await waiting).not.toHaveProperty('lost');
    });
  });

  async function cancellations(upstream: Upstream): Promise<JsonObject[]> {
    const seen = JSON.parse(textOf(await ask(upstream, 'seen'))) as JsonObject[];
    return seen.filter(({ method }) => method === 'notifications/cancelled');
  }
}
