/** The mounts of one session: what it lists, and what it still answers to. */
import {
  type Capability,
  type Freezes,
  type Pinned,
  type Revocations,
  mintCapability,
  movedReason,
  pinTo,
} from '../capability/index.js';
import type { Clock, DeadReason, Entropy, ExecutorId, Handle, ToolName } from '../ground/index.js';
import { type Current, type Snapshot, delegatedPolicy } from '../policy/index.js';
import type { Ledger } from './ledger.js';
import { mintHandle } from './mint.js';
import { NameBook, opaqueName, readableName } from './name.js';
import type { Mount, Session } from './opening.js';
import type { Mounted, Registry, RegistryTable } from './registry.js';

/** What all sessions share. */
export interface Surroundings {
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly registry: Registry;
  readonly current: Current;
  readonly revocations: Revocations;
  readonly freezes?: Freezes;
  readonly ledger: Ledger;
  /** Handles that a session holds at most. */
  readonly perSession: number;
  /** Tools that an executor has beside those of its policy; none where it is absent. */
  readonly skills?: SkillTools;
}

/** Tools of loaded skills. */
export interface SkillTools {
  /** Another number after every change. */
  readonly changes: number;
  /** Masked ones are not listed, and their calls are answered all the same. */
  toolsOf(executor: ExecutorId): { readonly open: readonly ToolName[]; readonly masked: readonly ToolName[] };
}

interface Minted {
  readonly mount: Mount;
  readonly serial: number;
}

const noSkills: ReturnType<SkillTools['toolsOf']> = Object.freeze({ open: [], masked: [] });

/** What the mounts were last made from. */
interface Seen {
  readonly snapshot: Snapshot | undefined;
  readonly table: RegistryTable;
  readonly revoked: number;
  readonly frozen: number;
  readonly skills: number;
}

/**
 * Every question first brings the mounts up to date with the registry, the snapshot in force and the revocations, in one
 * synchronous step. A mount that attenuation leaves without any call that could be admitted is no longer listed, but its handle
 * lives and its calls are refused by the policy. A moved epoch ends all of them, and none is minted before {@link reissue}.
 */
export class Mounts {
  readonly #session: Session;
  readonly #around: Surroundings;
  /** Of a child session: those of the session that delegated. */
  readonly #parent: Mounts | undefined;
  readonly #names = new NameBook();
  readonly #minted = new Map<ToolName, Minted>();
  /** Tools whose capability was revoked: this session gets no other one for them. */
  readonly #barred = new Set<ToolName>();
  #byName: ReadonlyMap<string, Mount> = new Map();
  /** By name the last handle of each tool, dead or alive. */
  readonly #handles = new Map<string, Handle>();
  #listed: readonly Mount[] = Object.freeze([]);
  #pinned: Pinned | undefined;
  #seen: Seen | undefined;

  constructor(session: Session, around: Surroundings, parent?: Mounts) {
    this.#session = session;
    this.#around = around;
    this.#parent = parent;
    this.#pin();
  }

  /** In the order of the policy; the same array while nothing changed. */
  list(): readonly Mount[] {
    this.#look();
    return this.#listed;
  }

  /** Exact match. Includes what is no longer listed but lives. */
  find(name: string): Mount | undefined {
    this.#look();
    return this.#byName.get(name);
  }

  /** The last handle that a name had here, dead or alive. */
  formerHandle(name: string): Handle | undefined {
    return this.#handles.get(name);
  }

  /** Other handles for the same capabilities. */
  rotate(): void {
    this.#look();
    for (const [tool, { mount, serial }] of this.#minted) {
      this.#around.ledger.bury(mount.handle, 'expired');
      this.#enter(tool, this.#mount(mount, mount.capability), serial);
    }
    this.#seen = undefined;
  }

  /** Lets capabilities be minted under the epoch in force. */
  reissue(): void {
    this.#look();
    if (!this.isMoved()) return;
    this.#pin();
    this.#seen = undefined;
  }

  /** Whether an epoch moved since capabilities were last minted: then there are none before {@link reissue}. */
  isMoved(): boolean {
    const snapshot = this.#around.current.peek();
    if (snapshot === undefined || this.#pinned === undefined) return false;
    return movedReason(this.#pinned, snapshot) !== undefined;
  }

  /** Ends every handle. */
  end(reason: DeadReason): void {
    for (const tool of this.#minted.keys()) this.#bury(tool, reason);
    this.#listed = Object.freeze([]);
    this.#byName = new Map();
  }

  #pin(): void {
    const snapshot = this.#around.current.peek();
    this.#pinned = snapshot && pinTo(snapshot, this.#executors());
  }

  /** Everybody whose authority the session's is: its executor, then those through whom it was delegated. */
  #executors(): readonly ExecutorId[] {
    return [this.#session.executor, ...(this.#session.child?.through ?? [])];
  }

  #look(): void {
    const { current, registry, revocations, freezes, skills } = this.#around;
    const seen: Seen = {
      snapshot: current.peek(),
      table: registry.table(),
      revoked: revocations.size,
      frozen: freezes?.changes ?? 0,
      skills: skills?.changes ?? 0,
    };
    if (this.#isSeen(seen)) return;
    this.#seen = seen;
    if (this.#pinned === undefined) this.#pin();
    const moved = this.#pinned && seen.snapshot && movedReason(this.#pinned, seen.snapshot);
    if (moved !== undefined) this.end(moved);
    else this.#update(seen);
  }

  #isSeen({ snapshot, table, revoked, frozen, skills }: Seen): boolean {
    const seen = this.#seen;
    if (seen === undefined) return false;
    const same = seen.snapshot === snapshot && seen.table === table;
    return same && seen.revoked === revoked && seen.frozen === frozen && seen.skills === skills;
  }

  #update({ snapshot, table }: Seen): void {
    const { perSession } = this.#around;
    for (const [tool, { serial }] of this.#minted) {
      if (table.get(tool)?.serial !== serial) this.#bury(tool, 'expired');
    }
    const wanted = this.#wanted(snapshot, table);
    const masked = new Set(this.#ofSkills().masked);
    const listed = wanted.filter(({ tool }) => !masked.has(tool));
    this.#dropBeyond(perSession - wanted.length, new Set(wanted.map(({ tool }) => tool)));
    if (snapshot !== undefined) this.#mintAll(wanted, snapshot);
    this.#publish(listed);
  }

  /** What is to have a handle: tools that the policy reaches or a skill brings, mounted, and not revoked. */
  #wanted(snapshot: Snapshot | undefined, table: RegistryTable): readonly Mounted[] {
    const { revocations, freezes, perSession } = this.#around;
    const { id, key } = this.#session;
    const executors = this.#executors();
    if (executors.some((each) => freezes?.covers(each) !== undefined)) return [];
    if (snapshot === undefined || revocations.coversSession({ id, key, executors })) return [];
    const { open, masked } = this.#ofSkills();
    return [...this.#reachable(snapshot), ...open, ...masked]
      .map((tool) => table.get(tool))
      .filter((mounted) => mounted !== undefined)
      .filter(({ tool }) => !this.#isRevoked(tool) && this.#parent?.capabilityOf(tool) !== null)
      .slice(0, perSession);
  }

  /** A child session has what was delegated, and that is never a skill. */
  #ofSkills(): ReturnType<SkillTools['toolsOf']> {
    const { executor, child } = this.#session;
    return (child === undefined ? this.#around.skills?.toolsOf(executor) : undefined) ?? noSkills;
  }

  #reachable({ policy }: Snapshot): readonly ToolName[] {
    const { executor, child } = this.#session;
    const held =
      child === undefined ? policy.executors.get(executor) : delegatedPolicy(policy, child.delegation);
    return held?.reachable ?? [];
  }

  /** The capability of a tool while it lives here, for what is derived from it; null when there is none. */
  capabilityOf(tool: ToolName): Capability | null {
    this.#look();
    return this.#isRevoked(tool) ? null : (this.#minted.get(tool)?.mount.capability ?? null);
  }

  #isRevoked(tool: ToolName): boolean {
    const minted = this.#minted.get(tool);
    return (
      this.#barred.has(tool) ||
      (minted !== undefined && this.#around.revocations.covers(minted.mount.capability))
    );
  }

  /** Of the mounts that are not listed keeps the oldest `room`. */
  #dropBeyond(room: number, listed: ReadonlySet<ToolName>): void {
    const others = [...this.#minted.keys()].filter((tool) => !listed.has(tool));
    for (const tool of others.slice(Math.max(0, room))) this.#bury(tool, 'expired');
  }

  #mintAll(wanted: readonly Mounted[], snapshot: Snapshot): void {
    this.#names.enter(wanted.map(({ tool }) => tool));
    const { id: session, key, executor, child } = this.#session;
    const through = child?.through ?? [];
    for (const mounted of wanted) {
      const { tool, serial } = mounted;
      if (this.#minted.has(tool)) continue;
      const parent = this.#parent?.capabilityOf(tool);
      if (parent === null) continue;
      const init = { executor, session, key, tool, snapshot, through, ...(parent && { parent }) };
      const capability = mintCapability(init, this.#around.entropy);
      this.#enter(tool, this.#mount(mounted, capability), serial);
    }
  }

  #mount(mounted: Omit<Mounted, 'ref' | 'serial'>, capability: Capability): Mount {
    const { tool, definition, digest, confinement, confinedBy } = mounted;
    const handle = mintHandle(this.#around.entropy);
    const title = this.#names.nameOf(tool) ?? readableName(tool);
    const opaque = this.#around.current.peek()?.policy.settings.exposure === 'opaque';
    const name = opaque ? opaqueName(handle) : title;
    const by = confinedBy === undefined ? {} : { confinedBy };
    return Object.freeze({ handle, name, title, tool, capability, definition, digest, confinement, ...by });
  }

  #enter(tool: ToolName, mount: Mount, serial: number): void {
    this.#handles.set(mount.name, mount.handle);
    this.#minted.set(tool, { mount, serial });
    this.#around.ledger.lease(mount.handle, { session: this.#session.id, mount });
  }

  #bury(tool: ToolName, reason: DeadReason): void {
    const minted = this.#minted.get(tool);
    if (minted === undefined) return;
    const revoked = this.#isRevoked(tool);
    if (revoked) this.#barred.add(tool);
    this.#minted.delete(tool);
    this.#around.ledger.bury(minted.mount.handle, revoked ? 'revoked' : reason);
  }

  #publish(wanted: readonly Mounted[]): void {
    const living = [...this.#minted].filter(([tool]) => !this.#isRevoked(tool));
    this.#byName = new Map(living.map(([, { mount }]) => [mount.name, mount]));
    const listed = wanted
      .map(({ tool }) => this.#minted.get(tool)?.mount)
      .filter((mount) => mount !== undefined);
    const same =
      listed.length === this.#listed.length && listed.every((mount, at) => mount === this.#listed[at]);
    if (!same) this.#listed = Object.freeze(listed);
  }
}
