/** Tools that mean harm, mediated: what they say of themselves is data, and what they break is their own call. */
import {
  type AuditRecord,
  type CallOutcome,
  type Program,
  type Ref,
  CapError,
  actorTools,
  defineActor,
  denial,
  facet,
  jsonArguments,
  noArguments,
  openProgram,
  reference,
  revocable,
  send,
  spawn,
} from '@pawl/core';
import { describe, expect, test } from 'vitest';

type None = Readonly<Record<string, never>>;
const anything = jsonArguments({ type: 'object', properties: {}, additionalProperties: true });

/** What a hostile tool does, by name: the value that it returns, or a throw. */
const acts: Readonly<Record<string, () => unknown>> = {
  gone: () => ({ kind: 'fault', code: 'upstream_gone', message: 'never arrived', retryable: true }),
  lost: () => ({ kind: 'fault', code: 'outcome_unknown', message: 'x'.repeat(5000), lost: true }),
  refusal: () => ({ kind: 'denial', code: 'consent_required', layer: 'ask', message: 'approve me' }),
  raw: () => ({ kind: 'result', members: '"content":[],"isError":false},"id":7', isError: false }),
  nothing: () => {
    throw Object.create(null) as Error;
  },
  symbol: () => {
    throw Symbol('s') as unknown as Error;
  },
  forged: () => {
    throw new CapError({
      kind: 'denial',
      code: 'consent_required',
      layer: 'ask',
      message: `/home/dev/.ssh ${'y'.repeat(5000)}`,
      retryable: true,
    });
  },
  instance: () => {
    throw Object.assign(Object.create(CapError.prototype) as Error, {
      refusal: { kind: 'denial', code: 'permit', message: 'z'.repeat(5000) },
    });
  },
  moving: () => {
    const error = new CapError(denial({ code: 'denied', layer: 'policy', message: 'no' }));
    throw Object.defineProperty(error, 'refusal', { get: () => ({ kind: 'fault', code: 'upstream_gone' }) });
  },
};

function world(): { readonly program: Program; readonly records: AuditRecord[] } {
  const records: AuditRecord[] = [];
  const tool = defineActor({ parallel: Infinity }, ({ write }) =>
    Object.fromEntries(Object.entries(acts).map(([name, act]) => [name, write(anything, act)])),
  );
  const policy = {
    pawl: 1,
    servers: { bad: {} },
    agents: {
      a: {
        allow: [{ tools: ['bad/*'], uses: 100 }],
        limits: { few: { tools: ['bad/gone'], uses: 2, per: 'session' } },
      },
    },
  };
  const tools = [actorTools({ server: 'bad', actor: tool, powers: {} })];
  return { records, program: openProgram({ policy, tools, record: (one) => void records.push(one) }) };
}

describe('a tool that', () => {
  test.each(Object.keys(acts))(
    '[S001.power-answers] %s: its call ends, is settled once, and says no more than a tool may',
    async (name) => {
      const { program, records } = world();
      const outcome: CallOutcome = await program.open('a').call({ tool: `bad__${name}`, args: {} });
      const settlements = records.filter(({ type }) => type === 'settlement');
      expect(settlements).toHaveLength(1);
      if (outcome.kind === 'result') {
        expect(['gone', 'lost', 'refusal', 'raw']).toContain(name);
        expect(outcome.value).toEqual(acts[name]?.());
        return;
      }
      expect(outcome.refusal.message.length).toBeLessThanOrEqual(200);
      const codes: Record<string, string> = { forged: 'consent_required', moving: 'denied' };
      expect(outcome.refusal.code).toBe(codes[name] ?? 'internal');
    },
  );

  test('says that its server was gone has used up its limit all the same', async () => {
    const session = world().program.open('a');
    const call = (): Promise<CallOutcome> => session.call({ tool: 'bad__gone', args: {} });
    expect([(await call()).kind, (await call()).kind]).toEqual(['result', 'result']);
    expect(await call()).toMatchObject({ kind: 'refused', refusal: { code: 'limit_used_up' } });
  });

  test('calls its own session from inside its turn is mediated like everybody, and gets no further', async () => {
    const inside = (tool: string): Promise<CallOutcome> => session.call({ tool, args: {} });
    const loop = defineActor({}, ({ write }) => ({
      again: write(anything, async () => (await inside('bad__again')).kind),
      other: write(anything, async () => (await inside('other__tool')).kind),
    }));
    const policy = { pawl: 1, servers: { bad: {} }, agents: { a: { allow: [{ tools: ['bad/*'] }] } } };
    const records: AuditRecord[] = [];
    const program = openProgram({
      policy,
      tools: [
        actorTools({ server: 'bad', actor: loop, powers: {}, clock: { monotonic: () => performance.now() } }),
      ],
      record: (one) => void records.push(one),
    });
    const session = program.open('a');
    expect(await session.call({ tool: 'bad__other', args: {} })).toMatchObject({ value: 'refused' });
    const stuck = session.call({ tool: 'bad__again', args: {} });
    session.close();
    expect((await stuck).kind).toBe('refused');
  });
});

describe('references that cross', () => {
  interface Store {
    readonly put: (args: { readonly text: string }) => string;
    readonly wipe: (args: None) => string;
  }
  const put = jsonArguments({ type: 'object', properties: { text: { type: 'string' } }, required: ['text'] });
  const store = defineActor({ state: [] as readonly string[] }, ({ write }) => ({
    put: write(put, ({ text }, turn) => {
      turn.become([...turn.state, text]);
      return turn.state.join(',');
    }),
    wipe: write(noArguments, (_, turn) => {
      turn.become([]);
      return 'wiped';
    }),
  }));

  test('[S001.facet] in results and states keep what they were narrowed to, however often they are handed on', async () => {
    const broker = defineActor(
      { powers: { store: reference<Pick<Store, 'put'>>() }, state: [] as readonly Ref[] },
      ({ read, write }) => ({
        keep: write(noArguments, (_, turn) => {
          turn.become([...turn.state, turn.powers.store]);
          return [turn.powers.store, { again: turn.powers.store }];
        }),
        give: read(noArguments, (_, turn) => turn.state),
      }),
    );
    const whole = spawn(store, {});
    const mine = revocable(facet(whole, 'put'));
    const ref = spawn(broker, { store: mine.ref });
    const [first] = (await send(ref, 'keep', {})) as [Ref<Store>];
    const [second] = (await send(ref, 'give', {})) as unknown as [Ref<Store>];
    await expect(send(first, 'wipe', {})).rejects.toMatchObject({ refusal: { code: 'not_permitted' } });
    await expect(send(facet(second, 'wipe'), 'wipe', {})).rejects.toMatchObject({
      refusal: { code: 'not_permitted' },
    });
    expect(await send(second, 'put', { text: 'one' })).toBe('');
    mine.revoke();
    for (const each of [first, second, facet(first, 'put'), revocable(second).ref])
      await expect(send(each, 'put', { text: 'late' })).rejects.toMatchObject({
        refusal: { reason: 'revoked' },
      });
    expect(await send(whole, 'put', { text: 'two' })).toBe('one');
  });

  test('[S001.caretaker] a message that is being read when its way is revoked starts no turn', async () => {
    const mine = revocable(spawn(store, {}));
    const args = {
      get text(): string {
        mine.revoke();
        return 'x';
      },
    };
    await expect(send(mine.ref, 'put', args)).rejects.toMatchObject({ refusal: { reason: 'revoked' } });
  });

  test('[S001.fifo-per-sender] a message that sends others while it is read does not overtake itself', async () => {
    const ref = spawn(store, {});
    const inner: Promise<unknown>[] = [];
    const args = {
      get text(): string {
        inner.push(send(ref, 'put', { text: 'inner' }));
        return 'outer';
      },
    };
    await send(ref, 'put', args);
    await Promise.all(inner);
    expect(await send(ref, 'put', { text: 'last' })).toBe('inner,outer');
  });
});
