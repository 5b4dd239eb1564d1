/** Snapshots, clocks and randomness for tests of rooms that stand on policy. */
import {
  type Clock,
  type Digest,
  type Entropy,
  type ExecutorId,
  type ToolName,
  executorId,
  mintId,
  parseAgentName,
  parseToolName,
  sha256,
} from '../packages/core/src/ground/index.js';
import {
  type CompiledPolicy,
  type ExecutorPolicy,
  type Settings,
  type SkillSide,
  type Snapshot,
  defaultSettings,
} from '../packages/core/src/policy/index.js';

/** What a test says of a snapshot; each member has a default. */
export interface SnapshotFacts {
  readonly number?: number;
  readonly store?: string;
  /** Stands for everything that decides; another text is another hash. */
  readonly content?: string;
  /** The snapshot before it on the chain. */
  readonly after?: Snapshot;
  readonly epochs?: Readonly<Record<string, number>>;
  /** Executor to the tools that its policy reaches, in order. */
  readonly reach?: Readonly<Record<string, readonly ToolName[]>>;
  readonly settings?: Partial<Settings>;
}

/** A snapshot of a policy in which `forTool` knows nothing. */
export function fakeSnapshot(facts: SnapshotFacts = {}): Snapshot {
  const {
    number = (facts.after?.generation.number ?? 0) + 1,
    store = 'store',
    content = `${number}`,
  } = facts;
  const hash: Digest = sha256(content);
  const executors = new Map(
    Object.entries(facts.reach ?? {}).map(([id, reachable]) => [
      mintId.executor(id),
      executor(id, reachable),
    ]),
  );
  const policy: CompiledPolicy = Object.freeze({
    settings: { ...defaultSettings, ...facts.settings },
    servers: new Map(),
    agents: new Map(),
    executors,
    declared: [],
  });
  return Object.freeze({
    generation: Object.freeze({ number, hash, store: mintId.store(store) }),
    policy,
    epochs: new Map(Object.entries(facts.epochs ?? {}).map(([id, epoch]) => [mintId.executor(id), epoch])),
    lineage: new Map([...(facts.after?.lineage ?? []), [number, hash]]),
  });
}

function executor(id: string, reachable: readonly ToolName[]): ExecutorPolicy {
  const agent = parseAgentName(id)!;
  return Object.freeze({
    id: executorId(agent),
    agent,
    instance: undefined,
    forTool: () => undefined,
    budgets: new Map(),
    reachable,
    skills: noSkills,
  });
}

const noSkills: SkillSide = {
  grants: new Map(),
  acting: () => {
    throw new Error('no skill acts here');
  },
  holds: () => ({ kind: 'outside', why: 'nothing is granted' }),
  alone: () => undefined,
  fieldsOf: () => undefined,
};

/** The executor of an agent. */
export function fakeExecutor(agent: string): ExecutorId {
  return executorId(parseAgentName(agent)!);
}

/** A tool name that is known to be one. */
export function fakeTool(text: string): ToolName {
  return parseToolName(text)!;
}

/** Clocks that stand still until they are moved. */
export interface FakeClock extends Clock {
  /** Moves both clocks. */
  pass(milliseconds: number): void;
  /** Moves the wall clock alone. */
  jump(milliseconds: number): void;
}

/** A clock at 0, and at midnight of the first day. */
export function fakeClock(): FakeClock {
  let [monotonic, wall] = [0, 0];
  return {
    monotonic: () => monotonic,
    wall: () => wall,
    pass: (milliseconds) => {
      monotonic += milliseconds;
      wall += milliseconds;
    },
    jump: (milliseconds) => {
      wall += milliseconds;
    },
  };
}

/** Bytes that never repeat within 2^32 draws, the same in every run. */
export function fakeEntropy(): Entropy {
  let drawn = 0;
  return {
    bytes: (length) => {
      drawn += 1;
      const digest = sha256(`${drawn}`);
      return Uint8Array.from({ length }, (_, at) =>
        Number.parseInt(digest.slice((2 * at) % 64, ((2 * at) % 64) + 2), 16),
      );
    },
  };
}
