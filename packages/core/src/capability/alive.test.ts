import { describe, expect, test } from 'vitest';
import { fakeEntropy, fakeExecutor, fakeSnapshot, fakeTool } from '../../../../test/fake-policy.js';
import { type ExecutorId, mintId } from '../ground/index.js';
import type { Snapshot } from '../policy/index.js';
import { type Capability, type Revocation, Revocations, deadReason, mintCapability } from './index.js';

const [reporter, editor, other] = ['reporter', 'editor', 'other'].map(fakeExecutor) as [
  ExecutorId,
  ExecutorId,
  ExecutorId,
];
const first = fakeSnapshot({ number: 7 });
const entropy = fakeEntropy();

function mint(snapshot: Snapshot, through: readonly ExecutorId[] = []): Capability {
  const ids = { session: mintId.session('s'), key: mintId.key('k'), tool: fakeTool('files/read') };
  return mintCapability({ ...ids, executor: reporter, snapshot, through }, entropy);
}

function judge(
  capability: Capability,
  snapshot: Snapshot,
  revocations: Revocations = new Revocations(),
): string | undefined {
  return deadReason(capability, snapshot, { revocations, now: 0, expiresAt: 1 });
}

describe('[S000.generation-compared] a capability', () => {
  const capability = mint(first);

  test('lives under the generation that it is pinned to', () => {
    expect(judge(capability, first)).toBeUndefined();
  });

  test('lives under every later generation of its chain', () => {
    const second = fakeSnapshot({ after: first });
    expect(judge(capability, second)).toBeUndefined();
    expect(judge(capability, fakeSnapshot({ after: second }))).toBeUndefined();
  });

  test('is dead under an earlier generation', () => {
    expect(judge(mint(fakeSnapshot({ after: first })), first)).toBe('generation_not_pinned');
  });

  test('is dead under a chain that has another generation at its number', () => {
    const fork = fakeSnapshot({ number: 7, content: 'fork' });
    expect(judge(capability, fork)).toBe('generation_not_pinned');
    expect(judge(capability, fakeSnapshot({ after: fork }))).toBe('generation_not_pinned');
  });

  test('is dead under a chain that does not hold its number', () => {
    expect(judge(capability, fakeSnapshot({ number: 9 }))).toBe('generation_not_pinned');
  });

  test('is dead under the same content and number of another store', () => {
    expect(judge(capability, fakeSnapshot({ number: 7, store: 'another' }))).toBe('generation_not_pinned');
  });
});

describe('[P.capability.epochs] a capability', () => {
  test('is dead once its executor moved to another epoch, and stays so', () => {
    const capability = mint(first);
    const widened = fakeSnapshot({ after: first, epochs: { reporter: 1 } });
    expect(judge(capability, widened)).toBe('generation_widened');
    const undone = fakeSnapshot({ after: widened, content: '7', epochs: { reporter: 2 } });
    expect(judge(capability, undone)).toBe('generation_widened');
    expect(judge(mint(widened), widened)).toBeUndefined();
  });

  test('is dead once any executor moved whose authority it intersects', () => {
    const delegated = mint(first, [editor]);
    expect(judge(delegated, fakeSnapshot({ after: first, epochs: { editor: 1 } }))).toBe(
      'generation_widened',
    );
  });

  test('lives on when another executor moved', () => {
    expect(
      judge(mint(first, [editor]), fakeSnapshot({ after: first, epochs: { other: 1 } })),
    ).toBeUndefined();
  });
});

describe('[S000.revoked-is-not-attenuated] a revoked capability', () => {
  const capability = mint(first, [editor]);
  const all: readonly Revocation[] = [
    { kind: 'capability', id: capability.id },
    { kind: 'session', id: capability.session },
    { kind: 'key', id: capability.key },
    { kind: 'executor', id: reporter },
    { kind: 'executor', id: editor },
  ];

  test.each(all)('is dead under every generation when its $kind was revoked', (revocation) => {
    const revocations = new Revocations();
    expect(judge(capability, first, revocations)).toBeUndefined();
    expect(revocations.revoke(revocation)).toBe(true);
    expect(judge(capability, first, revocations)).toBe('revoked');
    expect(judge(capability, fakeSnapshot({ after: first }), revocations)).toBe('revoked');
    expect(judge(capability, fakeSnapshot({ after: first, epochs: { reporter: 1 } }), revocations)).toBe(
      'revoked',
    );
  });

  test('is not another one: what has the same text as another kind of id revokes nothing', () => {
    const revocations = new Revocations([
      { kind: 'executor', id: other },
      { kind: 'capability', id: mintId.cap(capability.session) },
      { kind: 'key', id: mintId.key(reporter) },
    ]);
    expect(judge(capability, first, revocations)).toBeUndefined();
  });

  test('says so even after it expired', () => {
    const revocations = new Revocations(all);
    expect(deadReason(capability, first, { revocations, now: 2, expiresAt: 1 })).toBe('revoked');
  });
});

test('a capability expires at its time and not before', () => {
  const revocations = new Revocations();
  const capability = mint(first);
  expect(deadReason(capability, first, { revocations, now: 9, expiresAt: 10 })).toBeUndefined();
  expect(deadReason(capability, first, { revocations, now: 10, expiresAt: 10 })).toBe('expired');
});

describe('revocations', () => {
  test('tell of what is new, once and after it is in force, and not of what was loaded', () => {
    const known: Revocation = { kind: 'key', id: mintId.key('old') };
    const fresh: Revocation = { kind: 'key', id: mintId.key('new') };
    const revocations = new Revocations([known]);
    const told: unknown[] = [];
    const end = revocations.subscribe((revocation) => told.push([revocation, revocations.has(revocation)]));
    expect(revocations.revoke(known)).toBe(false);
    revocations.revoke(fresh);
    revocations.revoke(fresh);
    end();
    revocations.revoke({ kind: 'key', id: mintId.key('later') });
    expect(told).toEqual([[fresh, true]]);
    expect(revocations.size).toBe(3);
  });
});

test('capabilities are frozen, have ids of their own, and keep their epochs when the snapshot gets others', () => {
  const epochs = new Map([[reporter, 3]]);
  const [one, two] = [mint({ ...first, epochs }), mint({ ...first, epochs })];
  epochs.set(reporter, 4);
  expect(Object.isFrozen(one)).toBe(true);
  expect(one.id).not.toBe(two.id);
  expect(one.epochs.get(reporter)).toBe(3);
});
