/** The acceptance boxes of seed 002 at the mediation point: the terminal example, and a server whose calls are only noted. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type Declaration,
  type Declared,
  type Json,
  type JsonObject,
  type StoredGeneration,
  declareLimits,
  isJsonArray,
  isJsonObject,
  mintId,
  nodeOf,
  own,
  sha256,
} from '@pawl/core';
import { describe, expect, test } from 'vitest';
import { compileRead, readPolicyText } from '../../packages/gateway/src/config/index.js';
import { memoryStore, openStore } from '../../packages/gateway/src/store/index.js';
import { fakeSource } from '../fake-reload.js';
import { World, refusalOf } from './world.js';

const examples = join(import.meta.dirname, '../../examples/terminal');
const { tools: listed } = (await import(pathToFileURL(join(examples, 'tools.mjs')).href)) as { tools: Json };
const term = Object.fromEntries(
  (isJsonArray(listed) ? listed : [])
    .filter(isJsonObject)
    .map((tool) => [own(tool, 'name') as string, (own(tool, 'inputSchema') ?? {}) as JsonObject]),
);
const text = { type: 'string' };
const tools = { term, notes: { add: { type: 'object', properties: { line: text, backend: text } } } };

/** The example's policy, with a subscriber and a server without a vocabulary. */
const example = `${readFileSync(join(examples, 'pawl.yaml'), 'utf8')}
  free-operator: { allow: [ { tools: ["term/*"] }, { tools: [notes/add] } ] }
  lead: { allow: [ { tools: ["term/*"] } ], instances: optional }
instances:
  lead/sub: {}
`.replace('servers:\n', 'servers:\n  notes: { command: notes }\n');

/** A policy with one agent and, where told, its subscriber. */
function agentWith(ceiling: string, narrow?: string): string {
  const declared = ceiling === '' ? '' : `, ceiling: ${ceiling}`;
  const head = `pawl: 1\nservers: { term: { command: x, connector: terminal }, notes: { command: y } }\n`;
  const agent = `agents: { a: { allow: [ { tools: ["term/*"] }, { tools: [notes/add] } ]${declared} } }\n`;
  return `${head}${agent}${narrow === undefined ? '' : `instances: { a/i: ${narrow} }\n`}`;
}

function entry(of: string, fields: JsonObject | undefined, on = 'terminal'): Declaration {
  return { of: mintId.executor(of), on, ...(fields === undefined ? {} : { fields }) };
}

function world(policy: string, ...declared: readonly Declaration[]): World {
  return new World({ policy, tools, declared, ttl: 3_600_000 });
}

/** Declares as a creator or subscriber does. */
function declaring(
  policy: string,
  of: string,
  declaration: Json,
  stored: readonly Declaration[] = [],
): Declared {
  const read = readPolicyText('policy.yaml', policy);
  if (!read.ok) throw new Error(read.problems[0]?.message);
  const compiled = compileRead(read.policy, { tools: undefined, vanishedTool: 'problem', declared: stored });
  if (!compiled.ok) throw new Error(compiled.problems[0]?.message);
  const { document, facts } = read.policy;
  const node = nodeOf(declaration, { line: 1, column: 1 });
  const declared = declareLimits(
    { document, facts, policy: compiled.policy, stored },
    mintId.executor(of),
    node,
  );
  if (declared === undefined) throw new Error(`nobody is ${of}`);
  return declared;
}

const thrice = <T>(one: T): readonly T[] => [one, one, one];
const capture = 'term__terminal_capture';
const list = 'term__terminal_list_targets';

describe('a creator declares a constraint', () => {
  const policy = agentWith('');

  test.each([
    ['memory', async () => memoryStore()],
    ['sqlite', async () => openStore(mkdtempSync(join(tmpdir(), 'pawl-seed-')))],
  ])(
    '[S002.declared-and-resolved] it is sanitised, kept in a %s store, and resolved with what the executor may do',
    async (_kind, open) => {
      const { kept, dropped } = declaring(policy, 'a', {
        terminal: { backends: ['tmux', 'moon'], colours: ['red'] },
        moonbase: { x: [1] },
      });
      expect(kept).toEqual({ terminal: { backends: ['tmux'] } });
      expect(dropped.map(({ path }) => path)).toEqual([
        'terminal.backends[1]',
        'terminal.colours',
        'moonbase',
      ]);
      const store = await open();
      const declared = Object.entries(kept).map(([on, fields]) => ({
        ...entry('a', fields, on),
        by: 'carla',
        at: 7,
      }));
      const generation: StoredGeneration = {
        number: 1,
        hash: sha256('1'),
        epochs: {},
        source: fakeSource(policy, { declared }),
      };
      await store.generations.put(generation);
      const w = world(policy, ...(await store.declarations.list()));
      await store.close();
      expect(refusalOf(await w.call('a', capture, { target: 'iterm2:1' }))).toMatchObject({
        code: 'out_of_scope',
        layer: 'ceiling',
        rule: 'stored.a.ceiling.terminal',
      });
      expect(await w.call('a', capture, { target: 'tmux:main' })).toMatchObject({ kind: 'result' });
    },
  );

  test('what is junk only reads as absent, never as nothing allowed', () => {
    expect(declaring(policy, 'a', { terminal: { backends: ['moon'] } })).toMatchObject({ kept: {} });
  });
});

describe('a subscriber', () => {
  const two = agentWith('{ terminal: { backends: [tmux, kitty] } }', '{}');
  const scope = async (w: World): Promise<readonly (string | undefined)[]> =>
    Promise.all(
      ['tmux', 'kitty', 'iterm2'].map(
        async (backend) => refusalOf(await w.call('a/i', capture, { target: 'x', backend }))?.code,
      ),
    );

  test('[S002.subscriber-narrows] narrows within the ceiling', async () => {
    const w = world(two, entry('a/i', { backends: ['kitty'] }));
    expect(await scope(w)).toEqual(['out_of_scope', undefined, 'out_of_scope']);
    expect(w.arrivals).toHaveLength(1);
  });

  test('[S002.subscriber-narrows] binds what the creator left to be bound', async () => {
    const policy = agentWith('{ terminal: { targets: single } }', '{}');
    const unbound = world(policy);
    expect(refusalOf(await unbound.call('a/i', capture, { target: 'tmux:main' }))).toMatchObject({
      code: 'out_of_scope',
      constraint: 'terminal.targets (single)',
    });
    const bound = world(policy, entry('a/i', { targets: ['tmux:main'] }));
    expect(await bound.call('a/i', capture, { target: 'tmux:main' })).toMatchObject({ kind: 'result' });
    expect(refusalOf(await bound.call('a/i', capture, { target: 'tmux:logs' }))).toMatchObject({
      constraint: 'terminal.targets (tmux:main)',
      layer: 'narrowing',
    });
    expect([unbound.arrivals.length, bound.arrivals.length]).toEqual([0, 1]);
  });

  test.each([
    ['in part', ['kitty', 'iterm2'], ['out_of_scope', undefined, 'out_of_scope']],
    ['wholly', ['iterm2'], ['out_of_scope', 'out_of_scope', 'out_of_scope']],
  ])(
    '[S002.subscriber-cannot-widen] who asks for more %s gets no more than the intersection, and is told',
    async (...[, asked, codes]) => {
      const { kept, beyond } = declaring(two, 'a/i', { terminal: { backends: asked } });
      expect(beyond).toEqual([
        {
          field: 'terminal.backends',
          asked: 'iterm2',
          left: 'nothing',
          outside: 'terminal.backends (tmux, kitty)',
          path: 'agents.a.ceiling.terminal',
        },
      ]);
      const w = world(two, entry('a/i', kept['terminal']));
      expect(await scope(w)).toEqual(codes);
      expect(w.arrivals).toHaveLength(codes.filter((code) => code === undefined).length);
    },
  );

  test('[S002.subscriber-cannot-widen] a target behind the backends of the ceiling is told, and reached by nothing', async () => {
    const { kept, beyond } = declaring(two, 'a/i', { terminal: { targets: ['iterm2:1:1:1'] } });
    expect(beyond).toMatchObject([{ asked: 'iterm2:1:1:1', outside: 'terminal.backends (tmux, kitty)' }]);
    const w = world(two, entry('a/i', kept['terminal']));
    expect(refusalOf(await w.call('a/i', capture, { target: 'iterm2:1:1:1' }))?.code).toBe('out_of_scope');
    expect(w.arrivals).toEqual([]);
  });

  test('[S002.subscriber-cannot-widen] a stored ceiling narrows that of the document, and neither lifts the other', async () => {
    const w = world(two, entry('a', { backends: ['kitty', 'iterm2'] }));
    expect(await scope(w)).toEqual(['out_of_scope', undefined, 'out_of_scope']);
  });
});

describe('a call with an argument out of scope', () => {
  test('[S002.refused-at-dispatch] [S002.constraint-named] is refused at the dispatcher with the constraint named, and the runner is never called', async () => {
    const w = world(example);
    for (const args of [
      { target: 'iterm2:1:1:1' },
      { target: 'main', backend: 'kitty' },
      { target: 'kitty:1', backend: 'tmux' },
    ]) {
      const refusal = refusalOf(await w.call('tmux-operator', capture, args));
      expect(refusal).toMatchObject({ code: 'out_of_scope', constraint: 'terminal.backends (tmux)' });
      expect(refusal?.message).toContain('terminal.backends (tmux)');
    }
    expect(w.arrivals).toEqual([]);
  });

  test('[S002.reads-gated] reading is refused as writing is: listing, capturing, opening and closing', async () => {
    const w = world(example);
    const calls = await Promise.all([
      w.call('tmux-operator', list, { backend: 'iterm2' }),
      w.call('tmux-operator', capture, { target: 'iterm2:1:1:1' }),
      w.call('tmux-operator', 'term__terminal_open', { backend: 'iterm2', name: 'x' }),
      w.call('tmux-operator', 'term__terminal_close', { target: 'iterm2:1:1:1' }),
    ]);
    expect(calls.map((call) => refusalOf(call)?.code)).toEqual(Array(4).fill('out_of_scope'));
    expect(w.arrivals).toEqual([]);
  });

  test('a default that stands for everything is narrowed to the permitted value and not refused', async () => {
    const w = world(example);
    for (const args of [{}, { backend: 'all' }]) await w.call('kitty-operator', list, args);
    expect(w.arrivals.map(({ args }) => args)).toEqual([{ backend: 'kitty' }, { backend: 'kitty' }]);
  });

  test('[S002.multi-value-target] under a ceiling of several values a permitted prefixed target is permitted', async () => {
    const w = world(agentWith(''), entry('a', { backends: ['tmux', 'kitty'] }));
    for (const target of ['tmux:main', 'kitty:1']) await w.call('a', capture, { target });
    expect(w.arrivals.map(({ args }) => args)).toEqual([
      { target: 'tmux:main', backend: 'tmux' },
      { target: 'kitty:1', backend: 'kitty' },
    ]);
    expect(refusalOf(await w.call('a', capture, { target: 'iterm2:1' }))?.code).toBe('out_of_scope');
    expect(refusalOf(await w.call('a', capture, { target: 'main' }))?.code).toBe('several_values');
  });
});

describe('absent constraints', () => {
  test('[S002.same-object] leave every call as it was: the runner gets the very object that was sent', async () => {
    const calls: readonly (readonly [string, JsonObject])[] = [
      [list, { backend: 'all' }],
      [list, {}],
      [capture, { target: 'iterm2:1:1:1', lines: 2 }],
      ['notes__add', { line: 'x' }],
    ];
    for (const declared of [[], [entry('free-operator', { backends: ['tmux', 'kitty', 'iterm2'] })]]) {
      const w = world(example, ...declared);
      for (const [name, args] of calls) await w.call('free-operator', name, args);
      expect(w.arrivals).toHaveLength(calls.length);
      for (const [at, { args }] of w.arrivals.entries()) expect(args).toBe(calls[at]?.[1]);
    }
  });

  test('[S002.no-lookup] a server without a vocabulary is judged by its policy alone, whatever is stored for others', async () => {
    const w = world(
      agentWith('{ terminal: { backends: [tmux] } }', '{}'),
      entry('a', undefined),
      entry('a/i', { targets: ['tmux:main'] }),
    );
    const args = { line: 'x', backend: 'iterm2' };
    expect(await w.call('a/i', 'notes__add', args)).toMatchObject({ kind: 'result' });
    expect(w.arrivals[0]?.args).toBe(args);
    const policy = w.cell.current.peek()?.policy.executors.get(mintId.executor('a/i'));
    const factors = policy?.forTool('notes/add' as never)?.authorities.factors.map(({ layer }) => layer);
    expect(factors).toEqual(['policy']);
  });
});

describe('consent and constraints', () => {
  test('[S002.consent-then-scope] consent granted and an argument out of scope is refused with the message of the constraint, and the runner is never called', async () => {
    const w = world(example);
    const send = 'term__terminal_send_text';
    const asked = refusalOf(await w.call('tmux-operator', send, { target: 'tmux:main', text: 'ls' }));
    const id = /\((?<id>a_[a-z2-7]{16})\)/u.exec(asked?.message ?? '')?.groups?.['id'] ?? '';
    expect(w.approvals.answer(id, 'yes')).toMatchObject({ kind: 'answered' });
    const outside = refusalOf(await w.call('tmux-operator', send, { target: 'iterm2:1:1:1', text: 'ls' }));
    expect(outside).toMatchObject({ code: 'out_of_scope', constraint: 'terminal.backends (tmux)' });
    expect(outside?.message).toContain('terminal.backends (tmux)');
    expect(outside?.message).not.toMatch(/approv/u);
    expect(w.arrivals).toEqual([]);
  });

  test('[S002.consent-then-scope] a yes does not outlive a ceiling that is stored afterwards', async () => {
    const w = world(example);
    const send = 'term__terminal_send_text';
    const args = { target: 'tmux:main', text: 'ls' };
    const asked = refusalOf(await w.call('tmux-operator', send, args));
    const id = /\((?<id>a_[a-z2-7]{16})\)/u.exec(asked?.message ?? '')?.groups?.['id'] ?? '';
    w.approvals.answer(id, 'yes');
    w.declared = [entry('tmux-operator', { targets: ['tmux:logs'] })];
    w.reload(example);
    expect(refusalOf(await w.call('tmux-operator', send, args))).toMatchObject({
      code: 'out_of_scope',
      constraint: 'terminal.targets (tmux:logs)',
    });
    expect(w.arrivals).toEqual([]);
  });
});

describe('whose ceiling', () => {
  test("[S002.executor-decides] a supervisor that acts through a subordinate acts within the subordinate's", async () => {
    const w = world(example, entry('lead/sub', { backends: ['tmux'] }));
    w.onBehalfOf = 'lead';
    expect(refusalOf(await w.call('lead/sub', capture, { target: 'kitty:1' }))).toMatchObject({
      constraint: 'terminal.backends (tmux)',
    });
    w.onBehalfOf = 'lead/sub';
    expect(await w.call('lead', capture, { target: 'kitty:1' })).toMatchObject({ kind: 'result' });
    expect(w.audit.of('refusal')[0]).toMatchObject({ executor: 'lead/sub', onBehalfOf: 'lead' });
    expect(w.arrivals).toHaveLength(1);
  });

  test('[S002.executor-decides] what is stored for an agent holds for its instances, and what is stored for one of these for no other', async () => {
    const policy = agentWith('', '{}').replace('a/i: {}', 'a/i: {}, a/j: {}');
    const w = world(
      policy,
      entry('a', { backends: ['tmux', 'kitty'] }),
      entry('a/i', { backends: ['kitty'] }),
    );
    const reach = async (who: string): Promise<readonly boolean[]> =>
      Promise.all(
        ['tmux:1', 'kitty:1', 'iterm2:1'].map(
          async (target) => (await w.call(who, capture, { target })).kind === 'result',
        ),
      );
    expect([await reach('a/i'), await reach('a/j')]).toEqual([
      [false, true, false],
      [true, true, false],
    ]);
  });
});

describe('a stored declaration that cannot be read', () => {
  const everyCall = async (w: World, who: string): Promise<readonly unknown[]> => {
    const calls = [
      w.call(who, list, { backend: 'tmux' }),
      w.call(who, capture, { target: 'tmux:main' }),
      w.call(who, 'term__terminal_open', { backend: 'tmux', name: 'x' }),
    ];
    return (await Promise.all(calls)).map((call) => {
      const { code, layer, constraint } = (refusalOf(call) ?? {}) as Record<string, unknown>;
      return [code, layer, constraint];
    });
  };

  test.each<[string, JsonObject | undefined]>([
    ['bytes that are none', undefined],
    ['a field that the table does not have', { colours: ['red'] }],
    ['a value that the field does not have', { backends: ['tmux', 'moon'] }],
    ['a constraint of another kind', { backends: { min: 1 } }],
    ['a set that the document does not have', { backends: { set: 'gone' } }],
    ['no field at all', {}],
  ])(
    '[S002.unreadable-refuses] %s refuses every call that touches what it is for, and nothing else',
    async (_what, fields) => {
      const policy = agentWith('{ terminal: { backends: [tmux] } }', '{}');
      const ceiling = world(policy, entry('a', fields));
      expect(await everyCall(ceiling, 'a/i')).toEqual(thrice(['unreadable_ceiling', 'ceiling', 'terminal']));
      const narrowing = world(policy, entry('a/i', fields));
      expect(await everyCall(narrowing, 'a/i')).toEqual(
        thrice(['unreadable_ceiling', 'narrowing', 'terminal']),
      );
      expect([...ceiling.arrivals, ...narrowing.arrivals]).toEqual([]);
      expect(await ceiling.call('a/i', 'notes__add', { line: 'x' })).toMatchObject({ kind: 'result' });
    },
  );

  test('[S002.unreadable-refuses] by server it refuses that server', async () => {
    const w = world(agentWith(''), entry('a', undefined, 'notes'));
    expect(refusalOf(await w.call('a', 'notes__add', {}))).toMatchObject({ constraint: 'notes' });
    expect(await w.call('a', capture, { target: 'tmux:1' })).toMatchObject({ kind: 'result' });
  });

  test('[S002.unreadable-refuses] refuses nobody else, and is told', () => {
    const w = world(example, entry('tmux-operator', undefined));
    const declared = w.cell.current.peek()?.policy.declared;
    expect(declared).toMatchObject([{ state: 'unreadable', why: expect.any(String) }]);
    return expect(w.call('kitty-operator', capture, { target: 'kitty:1' })).resolves.toMatchObject({
      kind: 'result',
    });
  });
});

describe('no authority', () => {
  test('[S002.gate-never-skipped] an executor without a rule is refused everything, and so is a call without an executor', async () => {
    const policy = agentWith('', '{}').replace(
      '{ tools: ["term/*"] }, { tools: [notes/add] }',
      '{ tools: [notes/add] }',
    );
    const w = world(policy, entry('a', { backends: ['tmux'] }));
    expect(refusalOf(await w.call('a/i', capture, { target: 'tmux:main' }))?.code).toBe('no_such_cap');
    expect(() => w.open('')).toThrow(/no executor/u);
    expect(() => w.open('a')).toThrow(/no executor/u);
    expect(w.arrivals).toEqual([]);
  });
});

describe('the table', () => {
  test('[S002.table-drift] every tool of the example that takes a backend is behind the ceiling', async () => {
    const w = world(example);
    const outcomes = await Promise.all(
      Object.entries(term).map(async ([name, schema]) => {
        const required = own(schema, 'required');
        const needed = isJsonArray(required) ? required.map(String) : [];
        const filler: JsonObject = { target: 'iterm2:1', text: 'x', keys: [], name: 'x' };
        const args = Object.fromEntries(needed.map((each) => [each, filler[each] ?? 'iterm2']));
        const call = await w.call('tmux-operator', `term__${name}`, { ...args, backend: 'iterm2' });
        return refusalOf(call)?.code;
      }),
    );
    expect(outcomes).toEqual(Array(6).fill('out_of_scope'));
    expect(w.arrivals).toEqual([]);
  });
});
