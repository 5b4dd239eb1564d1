import { describe, expect, test } from 'vitest';
import {
  type FakeClock,
  type SnapshotFacts,
  fakeClock,
  fakeEntropy,
  fakeExecutor,
  fakeSnapshot,
  fakeTool,
} from '../../../../test/fake-policy.js';
import { Revocations } from '../capability/index.js';
import {
  type Handle,
  type ToolName,
  mintId,
  parseAgentName,
  parseHandle,
  parseServerName,
  sha256,
} from '../ground/index.js';
import { type CurrentCell, currentCell } from '../policy/set-current.js';
import { spawn } from '../vat/index.js';
import {
  type Entry,
  type Located,
  type Locator,
  type Opening,
  type Session,
  Registry,
  Sessions,
  handleHash,
  locatorOf,
  mintHandle,
} from './index.js';

const [read, write, list] = ['files/read', 'files/write', 'files/list'].map(fakeTool) as [
  ToolName,
  ToolName,
  ToolName,
];
const all = [read, write, list];
const ttl = 1000;

function entry(tool: ToolName, definition = 'v1'): Entry {
  const ref = spawn({ parallel: Infinity, turn: () => tool });
  return { tool, ref, definition: { description: definition }, digest: sha256(definition) };
}

interface World {
  readonly clock: FakeClock;
  readonly cell: CurrentCell;
  readonly registry: Registry;
  readonly revocations: Revocations;
  readonly sessions: Sessions;
  readonly locator: Locator;
  /** Puts the next snapshot of the chain in force. */
  activate(facts: SnapshotFacts): void;
  open(key?: string, executor?: string): Session;
  /** The handle of a tool in a session. */
  handle(session: Session, tool: ToolName): Handle;
}

function world(facts: SnapshotFacts = {}, perSession?: number): World {
  const [clock, entropy, cell, registry, revocations] = [
    fakeClock(),
    fakeEntropy(),
    currentCell(),
    new Registry(),
    new Revocations(),
  ];
  const reach = { reporter: all, editor: all };
  cell.set(fakeSnapshot({ reach, ...facts }));
  registry.mount(all.map((tool) => entry(tool)));
  const sessions = new Sessions({
    clock,
    entropy,
    ttl,
    registry,
    current: cell.current,
    revocations,
    ...(perSession === undefined ? {} : { perSession }),
  });
  const locator = locatorOf(sessions);
  return {
    clock,
    cell,
    registry,
    revocations,
    sessions,
    locator,
    activate: (next) => cell.set(fakeSnapshot({ reach, after: cell.current.peek()!, ...facts, ...next })),
    open: (key = 'k', executor = 'reporter') => sessions.open(opening(key, executor))!,
    handle: (session, tool) => locator.list(session.id).find((mount) => mount.tool === tool)!.handle,
  };
}

function opening(key: string, executor: string): Opening {
  return { key: mintId.key(key), executor: fakeExecutor(executor), agent: parseAgentName(executor)! };
}

function names({ locator }: World, session: Session): readonly string[] {
  return locator.list(session.id).map(({ name }) => name);
}

describe('a handle', () => {
  test('[S001.handle-unguessable] is /object/ and the base32 of 128 bits of the entropy that was passed in', () => {
    const handle = mintHandle({ bytes: (length) => new Uint8Array(length).fill(255) });
    expect(handle).toBe(`/object/${'7'.repeat(25)}4`);
    expect(parseHandle(handle)).toBe(handle);
    const asked: number[] = [];
    mintHandle({
      bytes: (length) => {
        asked.push(length);
        return new Uint8Array(length);
      },
    });
    expect(asked).toEqual([16]);
  });

  test('leads to its tool, its actor and its session', () => {
    const here = world();
    const session = here.open();
    const located = here.locator.locate(session.id, here.handle(session, write)) as Located;
    expect(located.mount.tool).toBe(write);
    expect(located.session).toBe(session);
    expect(located.ref).toBe(here.registry.table().get(write)?.ref);
    expect(located.mount.capability).toMatchObject({
      executor: 'reporter',
      session: session.id,
      tool: write,
    });
  });

  test('stays the same while its tool is mounted, through attenuations and other tools that come and go', () => {
    const here = world();
    const session = here.open();
    const before = here.handle(session, read);
    here.activate({});
    here.registry.unmount([write]);
    here.registry.mount([entry(fakeTool('files/more'))]);
    here.registry.refresh(parseServerName('files')!, [entry(read), entry(list)]);
    expect(here.handle(session, read)).toBe(before);
  });

  test('[S001.handle-per-session] is foreign in every other session, also in one of the same executor', () => {
    const here = world();
    const [mine, same, other] = [here.open('a'), here.open('b'), here.open('c', 'editor')];
    const handle = here.handle(mine, read);
    expect(here.locator.locate(same.id, handle)).toBe('foreign');
    expect(here.locator.locate(other.id, handle)).toBe('foreign');
    expect(here.locator.locate(mint('none'), handle)).toBe('foreign');
    expect(here.handle(same, read)).not.toBe(handle);
  });

  test('[S001.handle-per-session] dies with its session: closed, expired or replaced', () => {
    const here = world();
    const closed = here.open('a');
    const first = here.handle(closed, read);
    here.sessions.close(closed.id);
    expect(here.locator.locate(closed.id, first)).toBe('expired');
    expect(here.sessions.around.ledger.find(first).lease).toBeUndefined();
    const expired = here.open('a');
    const second = here.handle(expired, read);
    here.clock.pass(ttl);
    expect(here.locator.locate(expired.id, second)).toBe('expired');
    const next = here.open('a');
    expect(here.locator.locate(expired.id, second)).toBe('expired');
    expect(here.locator.locate(next.id, second)).toBe('foreign');
  });

  test('dies when its tool is unmounted, also if it is mounted again before anybody looks', () => {
    const here = world();
    const session = here.open();
    const handle = here.handle(session, read);
    here.registry.unmount([read]);
    here.registry.mount([entry(read)]);
    expect(here.locator.locate(session.id, handle)).toBe('expired');
    expect(here.handle(session, read)).not.toBe(handle);
  });

  test('dies when the definition of its tool changes', () => {
    const here = world();
    const session = here.open();
    const handle = here.handle(session, read);
    here.registry.refresh(parseServerName('files')!, [entry(read, 'v2'), entry(write), entry(list)]);
    expect(here.locator.locate(session.id, handle)).toBe('expired');
  });

  test('dies by rotation, which keeps names and capabilities', () => {
    const here = world();
    const session = here.open();
    const before = here.locator.list(session.id);
    here.sessions.rotate(session.id);
    const after = here.locator.list(session.id);
    expect(before.map(({ handle }) => here.locator.locate(session.id, handle))).toEqual(
      before.map(() => 'expired'),
    );
    expect(after.map(({ name }) => name)).toEqual(before.map(({ name }) => name));
    expect(after.map(({ capability }) => capability)).toEqual(before.map(({ capability }) => capability));
    expect(here.locator.locate(session.id, after[0]!.handle)).toMatchObject({ mount: after[0] });
  });

  test('[S001.unknown-handle] that nobody minted, or that is missing, is unknown', () => {
    const here = world();
    const session = here.open();
    expect(here.locator.locate(session.id, mintHandle(fakeEntropy()))).toBe('unknown');
    expect(here.locator.locate(session.id, undefined)).toBe('unknown');
    expect(here.locator.locate(mint('none'), undefined)).toBe('unknown');
  });

  test('is minted once a policy is in force', () => {
    const registry = new Registry();
    registry.mount([entry(read)]);
    const cell = currentCell();
    const powers = { clock: fakeClock(), entropy: fakeEntropy(), registry, revocations: new Revocations() };
    const sessions = new Sessions({ ...powers, ttl, current: cell.current });
    const locator = locatorOf(sessions);
    const session = sessions.open(opening('k', 'reporter'))!;
    expect(locator.list(session.id)).toEqual([]);
    cell.set(fakeSnapshot({ reach: { reporter: [read] } }));
    expect(locator.list(session.id)).toHaveLength(1);
  });

  test('is written down as a keyed hash only, which differs with the salt and never holds the handle', () => {
    const [here, there] = [world(), world()];
    const handle = here.handle(here.open(), read);
    expect(here.locator.hash(handle)).toMatch(/^[0-9a-f]{64}$/u);
    expect(here.locator.hash(handle)).toBe(there.locator.hash(handle));
    const salted = [1, 2].map((byte) => handleHash(new Uint8Array(32).fill(byte), handle));
    expect(salted[0]).not.toBe(salted[1]);
  });
});

describe('[P.capability.epochs] a moved epoch', () => {
  test('ends all handles and mints none into the open session, until an operator reissues', () => {
    const here = world();
    const session = here.open();
    const handle = here.handle(session, read);
    here.activate({ epochs: { reporter: 1 } });
    expect(here.locator.locate(session.id, handle)).toBe('generation_widened');
    expect(here.locator.list(session.id)).toEqual([]);
    expect(here.open()).toBe(session);
    here.sessions.rotate(session.id);
    expect(here.locator.list(session.id)).toEqual([]);
    expect(here.sessions.reissue(session.id)).toBe(true);
    expect(here.locator.list(session.id)).toHaveLength(3);
    expect(here.locator.locate(session.id, handle)).toBe('generation_widened');
  });

  test('of another executor changes nothing', () => {
    const here = world();
    const session = here.open();
    const before = here.locator.list(session.id);
    here.activate({ epochs: { editor: 1 } });
    expect(here.locator.list(session.id)).toBe(before);
  });

  test('is no hindrance to a session that is opened afterwards', () => {
    const here = world();
    here.open();
    here.activate({ epochs: { reporter: 1 } });
    expect(here.locator.list(here.open('another').id)).toHaveLength(3);
  });

  test('that did not happen leaves nothing to reissue', () => {
    const here = world();
    const session = here.open();
    const before = here.locator.list(session.id);
    here.sessions.reissue(session.id);
    expect(here.locator.list(session.id)).toBe(before);
    expect(here.sessions.reissue(mint('none'))).toBe(false);
  });
});

describe('[S000.revoked-is-not-attenuated] revoking', () => {
  test('a capability ends its handle for good: this session gets no other one for the tool', () => {
    const here = world();
    const session = here.open();
    const { handle, capability } = here.locator.list(session.id)[0]!;
    here.revocations.revoke({ kind: 'capability', id: capability.id });
    expect(here.locator.locate(session.id, handle)).toBe('revoked');
    expect(here.locator.find(session.id, 'files__read')).toBeUndefined();
    here.sessions.rotate(session.id);
    here.registry.unmount([read]);
    here.registry.mount([entry(read)]);
    here.activate({ epochs: { reporter: 1 } });
    here.sessions.reissue(session.id);
    expect(names(here, session)).toEqual(['files__write', 'files__list']);
  });

  test.each(['session', 'key', 'executor'] as const)(
    'a %s ends the session and all its handles at once',
    (kind) => {
      const here = world();
      const session = here.open();
      const handle = here.handle(session, read);
      const ids = { session: session.id, key: session.key, executor: session.executor };
      here.revocations.revoke({ kind, id: ids[kind] } as Parameters<Revocations['revoke']>[0]);
      expect(here.locator.locate(session.id, handle)).toBe('revoked');
      expect(here.locator.list(session.id)).toEqual([]);
      expect(here.sessions.get(session.id)).toBeUndefined();
      expect(here.sessions.all()).toEqual([]);
      const again = here.sessions.open(opening('k', 'reporter'));
      if (kind === 'session') expect(again?.id).not.toBe(session.id);
      else expect(again).toBeUndefined();
    },
  );
});

describe('a session', () => {
  test('[P.session.credential] is the same one for the same key while it lives, and another for another key', () => {
    const here = world();
    const session = here.open('a');
    here.clock.pass(ttl - 1);
    expect(here.open('a')).toBe(session);
    expect(here.open('b').id).not.toBe(session.id);
    here.clock.pass(1);
    expect(here.open('a').id).not.toBe(session.id);
  });

  test('[P.session.ttl] ends earlier when the TTL in force is lowered, with its handles, and never later than its own', () => {
    const { clock, entropy, cell, registry, revocations } = { ...world(), entropy: fakeEntropy() };
    let inForce = 1000;
    const around = { clock, entropy, registry, revocations, current: cell.current };
    const sessions = new Sessions({ ...around, ttl: () => inForce });
    const session = sessions.open(opening('k', 'reporter'))!;
    const [mount] = locatorOf(sessions).list(session.id);
    clock.pass(400);
    inForce = 500;
    expect(sessions.get(session.id)).toBe(session);
    clock.pass(100);
    expect(sessions.get(session.id)).toBeUndefined();
    expect(locatorOf(sessions).locate(session.id, mount?.handle)).toBe('expired');
    const next = sessions.open(opening('k', 'reporter'))!;
    expect(next.id).not.toBe(session.id);
    inForce = 10_000;
    clock.pass(500);
    expect(sessions.get(next.id)).toBeUndefined();
  });

  test('[P.bad.clock] neither ends nor lives longer when the wall clock jumps', () => {
    const here = world();
    const session = here.open();
    here.clock.jump(10 * ttl);
    expect(here.sessions.get(session.id)).toBe(session);
    here.clock.jump(-30 * ttl);
    here.clock.pass(ttl);
    expect(here.sessions.get(session.id)).toBeUndefined();
  });

  test('ends when its key comes to stand for another executor', () => {
    const here = world();
    const session = here.open('a', 'reporter');
    const handle = here.handle(session, read);
    const next = here.open('a', 'editor');
    expect(next.executor).toBe('editor');
    expect(here.locator.locate(session.id, handle)).toBe('expired');
  });

  test.each([0, -1, Number.NaN])('cannot live %d milliseconds', (bad) => {
    const { clock, cell, registry, revocations } = world();
    const powers = { clock, entropy: fakeEntropy(), current: cell.current, registry, revocations };
    expect(() => new Sessions({ ...powers, ttl: bad })).toThrow('ttl');
    expect(() => new Sessions({ ...powers, ttl, perSession: bad })).toThrow('perSession');
  });
});

describe('the list of a session', () => {
  test('[P.session.deterministic-list] is the mounted part of what the policy reaches, in the order of the policy', () => {
    const here = world({ reach: { reporter: [list, read, fakeTool('files/absent')], editor: [] } });
    expect(names(here, here.open())).toEqual(['files__list', 'files__read']);
    expect(names(here, here.open('another'))).toEqual(['files__list', 'files__read']);
    expect(names(here, here.open('c', 'editor'))).toEqual([]);
    expect(names(here, here.open('d', 'unheard-of'))).toEqual([]);
  });

  test('is the same array while nothing changed', () => {
    const here = world();
    const session = here.open();
    const before = here.locator.list(session.id);
    here.activate({});
    here.registry.mount([entry(fakeTool('web/get'))]);
    expect(here.locator.list(session.id)).toBe(before);
  });

  test('[P.handle.cap] holds at most so many handles, the first of the policy, and 512 unless told', () => {
    const many = Array.from({ length: 600 }, (_, at) => fakeTool(`many/t${at}`));
    const here = world({ reach: { reporter: many } });
    here.registry.mount(many.map((tool) => entry(tool)));
    expect(here.locator.list(here.open().id).map(({ tool }) => tool)).toEqual(many.slice(0, 512));
    const small = world({}, 2);
    expect(names(small, small.open())).toEqual(['files__read', 'files__write']);
  });

  test('[P.handle.cap] drops what is no longer listed when room is needed', () => {
    const here = world({ reach: { reporter: [read, write] } }, 2);
    const session = here.open();
    const handle = here.handle(session, read);
    here.activate({ reach: { reporter: [write] } });
    expect(here.locator.locate(session.id, handle)).toMatchObject({ mount: { tool: read } });
    here.activate({ reach: { reporter: [write, list] } });
    expect(here.locator.list(session.id)).toHaveLength(2);
    expect(here.locator.locate(session.id, handle)).toBe('expired');
  });

  test('leaves out what attenuation took, whose handle and name still lead to a call that the policy refuses', () => {
    const here = world();
    const session = here.open();
    const handle = here.handle(session, read);
    here.activate({ reach: { reporter: [write] } });
    expect(names(here, session)).toEqual(['files__write']);
    expect(here.locator.locate(session.id, handle)).toMatchObject({ mount: { tool: read } });
    expect(here.locator.find(session.id, 'files__read')).toBe(handle);
  });

  test('names tools by their bare handle where the policy exposes them so', () => {
    const here = world({ settings: { exposure: 'opaque' } });
    const session = here.open();
    for (const { name, title, handle, tool } of here.locator.list(session.id)) {
      expect(handle).toBe(`/object/${name}`);
      expect(title).toBe(tool.replace('/', '__'));
      expect(here.locator.find(session.id, name)).toBe(handle);
    }
    const before = names(here, session);
    here.sessions.rotate(session.id);
    expect(names(here, session).some((name) => before.includes(name))).toBe(false);
  });
});

describe('[S001.no-name-folding] a name', () => {
  test.each([
    'files__Read',
    'FILES__READ',
    ' files__read',
    'files__read ',
    'files/read',
    'read',
    '',
    '__proto__',
    'files__re\u200dad',
  ])('%j names nothing', (name) => {
    const here = world();
    expect(here.locator.find(here.open().id, name)).toBeUndefined();
  });

  test('of another session names nothing here', () => {
    const here = world({ reach: { reporter: [read], editor: [write] } });
    const [reporter, editor] = [here.open('a'), here.open('b', 'editor')];
    expect(here.locator.find(reporter.id, 'files__read')).toBe(here.handle(reporter, read));
    expect(here.locator.find(editor.id, 'files__read')).toBeUndefined();
    expect(here.locator.find(mint('none'), 'files__read')).toBeUndefined();
  });
});

function mint(text: string): Session['id'] {
  return mintId.session(text);
}
