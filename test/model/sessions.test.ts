/** Registry, sessions and locator against a reference model, in any order of operations. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Revocations } from '../../packages/core/src/capability/index.js';
import {
  type ExecutorId,
  type Handle,
  type SessionId,
  type ToolName,
  handleFrom,
  mintId,
  parseAgentName,
  parseServerName,
  sha256,
} from '../../packages/core/src/ground/index.js';
import {
  type Entry,
  type Locator,
  type Mount,
  Registry,
  Sessions,
  locatorOf,
} from '../../packages/core/src/handle/index.js';
import { type CurrentCell, currentCell } from '../../packages/core/src/policy/set-current.js';
import { spawn } from '../../packages/core/src/vat/index.js';
import {
  type FakeClock,
  fakeClock,
  fakeEntropy,
  fakeExecutor,
  fakeSnapshot,
  fakeTool,
} from '../fake-policy.js';

const tools = ['files/read', 'files/write', 'files/a.b', 'web/get', 'web/post'].map(fakeTool);
const servers = ['files', 'web'] as const;
const agents = ['reporter', 'editor'] as const;
const keys = ['k0', 'k1', 'k2'] as const;
const ttl = 100;

interface KnownHandle {
  readonly handle: Handle;
  readonly session: number;
  readonly tool: ToolName;
  readonly serial: number;
  readonly mount: Mount;
  dead: boolean;
}

interface KnownSession {
  readonly id: SessionId;
  readonly key: number;
  readonly executor: ExecutorId;
  readonly expires: number;
  epoch: number;
  over: boolean;
  readonly barred: Set<ToolName>;
}

/** What must be true, in plain words and slowly. */
class Model {
  now = 0;
  serial = 0;
  readonly mounted = new Map<ToolName, { definition: string; serial: number }>();
  readonly reach = new Map<ExecutorId, readonly ToolName[]>();
  readonly epochs = new Map<ExecutorId, number>();
  readonly sessions: KnownSession[] = [];
  readonly handles: KnownHandle[] = [];
  readonly revokedKeys = new Set<number>();

  mount(tool: ToolName, definition: string): void {
    if (this.mounted.get(tool)?.definition === definition) return;
    this.unmount(tool);
    this.serial += 1;
    this.mounted.set(tool, { definition, serial: this.serial });
  }

  unmount(tool: ToolName): void {
    this.mounted.delete(tool);
    this.kill((handle) => handle.tool === tool);
  }

  kill(which: (handle: KnownHandle) => boolean): void {
    for (const handle of this.handles) if (which(handle)) handle.dead = true;
  }

  end(at: number): void {
    this.sessions[at]!.over = true;
    this.kill(({ session }) => session === at);
  }

  pass(milliseconds: number): void {
    this.now += milliseconds;
    this.sessions.forEach(({ expires }, at) => this.now >= expires && this.end(at));
  }

  /** Tools that the session lists. */
  list(at: number): readonly ToolName[] {
    const { executor, epoch, over, barred } = this.sessions[at]!;
    if (over || epoch !== this.epochs.get(executor)) return [];
    return (this.reach.get(executor) ?? []).filter((tool) => this.mounted.has(tool) && !barred.has(tool));
  }

  livingHandle(at: number, tool: ToolName): KnownHandle | undefined {
    return this.handles.find((handle) => handle.session === at && handle.tool === tool && !handle.dead);
  }
}

interface Real {
  readonly clock: FakeClock;
  readonly cell: CurrentCell;
  readonly registry: Registry;
  readonly revocations: Revocations;
  readonly sessions: Sessions;
  readonly locator: Locator;
}

type Command = fc.Command<Model, Real>;

function command(name: string, run: (model: Model, real: Real) => void): Command {
  return { check: () => true, run, toString: () => name };
}

function entry(tool: ToolName, definition: string): Entry {
  const ref = spawn({ parallel: 1, turn: () => tool });
  return { tool, ref, definition: { description: definition }, digest: sha256(definition) };
}

/** One of a list by any number; nothing for an empty list. */
function pick<T>(list: readonly T[], nat: number): { readonly it: T; readonly at: number } | undefined {
  const at = list.length === 0 ? -1 : nat % list.length;
  const it = list[at];
  return it === undefined ? undefined : { it, at };
}

function activate(model: Model, { cell }: Real): void {
  const after = cell.current.peek();
  const [reach, epochs] = [Object.fromEntries(model.reach), Object.fromEntries(model.epochs)];
  cell.set(fakeSnapshot({ reach, epochs, ...(after === undefined ? {} : { after }) }));
}

/** Lists, compares with the model, and notes the handles that are new. */
function look(model: Model, { locator }: Real, at: number): void {
  const session = model.sessions[at]!;
  const listed = locator.list(session.id);
  expect(listed.map(({ tool }) => tool)).toEqual(model.list(at));
  expect(locator.list(session.id)).toBe(listed);
  expect(new Set(listed.map(({ name }) => name)).size).toBe(listed.length);
  for (const mount of listed) {
    const known = model.livingHandle(at, mount.tool);
    if (known === undefined) {
      expect(model.handles.some(({ handle }) => handle === mount.handle)).toBe(false);
      const { handle, tool } = mount;
      model.handles.push({
        handle,
        session: at,
        tool,
        serial: model.mounted.get(tool)!.serial,
        mount,
        dead: false,
      });
    } else expect(mount).toBe(known.mount);
    expect(locator.find(session.id, mount.name)).toBe(mount.handle);
  }
}

const nat = fc.nat({ max: 1000 });
const aTool = fc.constantFrom(...tools);
const aDefinition = fc.constantFrom('v1', 'v2');
const anAgent = fc.constantFrom(...agents).map(fakeExecutor);

const mount = fc.tuple(aTool, aDefinition).map(([tool, definition]) =>
  command(`mount ${tool} ${definition}`, (model, { registry }) => {
    if (model.mounted.has(tool))
      return expect(() => registry.mount([entry(tool, definition)])).toThrow('twice');
    model.mount(tool, definition);
    return registry.mount([entry(tool, definition)]);
  }),
);

const unmount = aTool.map((tool) =>
  command(`unmount ${tool}`, (model, { registry }) => {
    model.unmount(tool);
    registry.unmount([tool]);
  }),
);

const refresh = fc
  .tuple(fc.constantFrom(...servers), fc.subarray(tools), aDefinition)
  .map(([server, some, definition]) => {
    const own = tools.filter((tool) => tool.startsWith(`${server}/`));
    const kept = own.filter((tool) => some.includes(tool));
    return command(`refresh ${server} to ${kept.join()} ${definition}`, (model, { registry }) => {
      for (const tool of own) {
        if (kept.includes(tool)) model.mount(tool, definition);
        else model.unmount(tool);
      }
      registry.refresh(
        parseServerName(server)!,
        kept.map((tool) => entry(tool, definition)),
      );
    });
  });

const open = fc.tuple(fc.nat(keys.length - 1), anAgent).map(([key, executor]) =>
  command(`open ${keys[key]} as ${executor}`, (model, { sessions }) => {
    const agent = parseAgentName(executor)!;
    const session = sessions.open({ key: mintId.key(keys[key]!), executor, agent });
    if (model.revokedKeys.has(key)) return expect(session).toBeUndefined();
    const before = model.sessions.findIndex((each) => each.key === key && !each.over);
    if (model.sessions[before]?.executor === executor)
      return expect(session?.id).toBe(model.sessions[before]?.id);
    if (before >= 0) model.end(before);
    const [id, epoch] = [session!.id, model.epochs.get(executor)!];
    expect(model.sessions.some((each) => each.id === id)).toBe(false);
    model.sessions.push({
      id,
      key,
      executor,
      epoch,
      expires: model.now + ttl,
      over: false,
      barred: new Set(),
    });
  }),
);

const close = nat.map((which) =>
  command(`close ${which}`, (model, { sessions }) => {
    const found = pick(model.sessions, which);
    if (found === undefined) return;
    model.end(found.at);
    sessions.close(found.it.id);
    expect(sessions.get(found.it.id)).toBeUndefined();
  }),
);

const rotate = nat.map((which) =>
  command(`rotate ${which}`, (model, { sessions }) => {
    const found = pick(model.sessions, which);
    if (found === undefined) return;
    model.kill(({ session }) => session === found.at);
    sessions.rotate(found.it.id);
  }),
);

const reissue = nat.map((which) =>
  command(`reissue ${which}`, (model, { sessions }) => {
    const found = pick(model.sessions, which);
    if (found === undefined) return;
    expect(sessions.reissue(found.it.id)).toBe(!found.it.over);
    found.it.epoch = model.epochs.get(found.it.executor)!;
  }),
);

const pass = fc.integer({ min: 1, max: 25 }).map((milliseconds) =>
  command(`pass ${milliseconds}`, (model, { clock }) => {
    model.pass(milliseconds);
    clock.pass(milliseconds);
  }),
);

const attenuate = fc.tuple(anAgent, fc.subarray(tools)).map(([executor, some]) =>
  command(`attenuate ${executor} to ${some.join()}`, (model, real) => {
    model.reach.set(
      executor,
      model.reach.get(executor)!.filter((tool) => some.includes(tool)),
    );
    activate(model, real);
  }),
);

const widen = fc.tuple(anAgent, fc.shuffledSubarray(tools)).map(([executor, some]) =>
  command(`widen ${executor} to ${some.join()}`, (model, real) => {
    model.reach.set(executor, some);
    model.epochs.set(executor, model.epochs.get(executor)! + 1);
    model.kill(({ session }) => model.sessions[session]!.executor === executor);
    activate(model, real);
  }),
);

const revokeCapability = nat.map((which) =>
  command(`revoke capability of handle ${which}`, (model, real) => {
    const living = pick(
      model.handles.filter(({ dead }) => !dead),
      which,
    )?.it;
    if (living === undefined) return;
    look(model, real, living.session);
    living.dead = true;
    model.sessions[living.session]!.barred.add(living.tool);
    real.revocations.revoke({ kind: 'capability', id: living.mount.capability.id });
  }),
);

const revokeSession = nat.map((which) =>
  command(`revoke session ${which}`, (model, { revocations }) => {
    const found = pick(model.sessions, which);
    if (found === undefined) return;
    model.end(found.at);
    revocations.revoke({ kind: 'session', id: found.it.id });
  }),
);

const revokeKey = fc.nat(keys.length - 1).map((key) =>
  command(`revoke key ${key}`, (model, { revocations }) => {
    model.revokedKeys.add(key);
    model.sessions.forEach((session, at) => session.key === key && model.end(at));
    revocations.revoke({ kind: 'key', id: mintId.key(keys[key]!) });
  }),
);

const list = nat.map((which) =>
  command(`list ${which}`, (model, real) => {
    const found = pick(model.sessions, which);
    if (found !== undefined) look(model, real, found.at);
  }),
);

const locate = fc.tuple(nat, nat, fc.boolean()).map(([which, from, own]) =>
  command(
    `locate handle ${which} in ${own ? 'its session' : `session ${from}`}`,
    (model, { locator, registry }) => {
      const handle = pick(model.handles, which)?.it;
      const session = own && handle ? handle.session : pick(model.sessions, from)?.at;
      if (session === undefined) return;
      const { id } = model.sessions[session]!;
      expect(locator.locate(id, handleFrom('a'.repeat(26)))).toBe('unknown');
      if (handle === undefined) return;
      const located = locator.locate(id, handle.handle);
      if (handle.session !== session) return expect(located).toBe('foreign');
      if (handle.dead) return expect(['expired', 'revoked', 'generation_widened']).toContain(located);
      expect(located).toMatchObject({ mount: handle.mount, session: { id } });
      expect(typeof located === 'string' ? located : located.ref).toBe(
        registry.table().get(handle.tool)!.ref,
      );
    },
  ),
);

const commands = fc.commands(
  [mount, mount, unmount, refresh, open, open, close, rotate, reissue, pass, attenuate, widen]
    .concat([revokeCapability, revokeCapability, revokeSession, revokeKey])
    .concat([list, list, list, list, locate, locate, locate]),
  { maxCommands: 80, size: '+1' },
);

test('[S001.handle-per-session] [S001.mount-atomic] handles lead where the reference model says, in any order of operations', () => {
  fc.assert(
    fc.property(commands, (some) => {
      fc.modelRun(() => {
        const [clock, cell, registry, revocations] = [
          fakeClock(),
          currentCell(),
          new Registry(),
          new Revocations(),
        ];
        const powers = { clock, entropy: fakeEntropy(), registry, revocations, current: cell.current };
        const sessions = new Sessions({ ...powers, ttl });
        const real: Real = { clock, cell, registry, revocations, sessions, locator: locatorOf(sessions) };
        const model = new Model();
        for (const executor of agents.map(fakeExecutor)) {
          model.reach.set(executor, tools);
          model.epochs.set(executor, 0);
        }
        activate(model, real);
        for (const tool of tools.slice(1)) {
          model.mount(tool, 'v1');
          registry.mount([entry(tool, 'v1')]);
        }
        return { model, real };
      }, some);
    }),
    { numRuns: 400 },
  );
});
