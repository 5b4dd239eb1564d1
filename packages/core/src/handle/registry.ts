/** The registry: actors mounted under the names of their tools. One immutable table, replaced in one step. */
import {
  type Digest,
  type JsonObject,
  type ServerName,
  type ToolName,
  UsageError,
  splitToolName,
} from '../ground/index.js';
import type { Ref } from '../vat/index.js';

/** An actor to mount. */
export interface Entry {
  readonly tool: ToolName;
  readonly ref: Ref;
  readonly definition: JsonObject;
  /** Of the definition. */
  readonly digest: Digest;
  /** Whoever mounts it vouches that its calls change nothing: they exclude each other from nothing. Never what a server says of itself. */
  readonly reads?: boolean;
  /** `object`: what the actor can reach is bounded, whatever it is asked; else only what its calls name is judged. Default `name`. */
  readonly confinement?: Confinement;
  /** What bounds it: the kernel through bubblewrap, or a locked-down realm. Absent: nothing, or the program's own word for it. */
  readonly confinedBy?: ConfinedBy;
}

/** How far refusals go: to the objects that are reached, or to the names that calls hold. */
export type Confinement = 'object' | 'name';

/** What bounds what an actor can reach. */
export type ConfinedBy = 'bubblewrap' | 'compartment';

/** A mounted actor. `serial` changes whenever the tool was unmounted, or its definition or confinement changed, in between. */
export interface Mounted extends Entry {
  readonly confinement: Confinement;
  readonly serial: number;
}

/** What is mounted at one moment. Never changes. */
export type RegistryTable = ReadonlyMap<ToolName, Mounted>;

/** Mounts and unmounts. INVARIANT(S001.mount-atomic): who reads the table sees it before a step or after it. */
export class Registry {
  #table: RegistryTable = new Map();
  #serial = 0;
  readonly #listeners = new Set<() => void>();

  /** What is mounted now: another object after every change, the same one until then. */
  table(): RegistryTable {
    return this.#table;
  }

  /** Mounts all of them or, with a UsageError, none: a tool that is mounted already, or twice among them, is a mistake. */
  mount(entries: readonly Entry[]): void {
    const next = new Map(this.#table);
    for (const entry of entries) this.#add(next, entry);
    this.#replace(next);
  }

  /** Unmounts those that are mounted and passes over the others. */
  unmount(tools: readonly ToolName[]): void {
    const next = new Map(this.#table);
    for (const tool of tools) next.delete(tool);
    this.#replace(next);
  }

  /**
   * Makes these the tools of the server, and no others. A tool whose definition is the same stays mounted, if need be with
   * another actor; one whose definition changed is unmounted and mounted. UsageError for a tool of another server or twice.
   */
  refresh(server: ServerName, entries: readonly Entry[]): void {
    const kept = [...this.#table].filter(([tool]) => splitToolName(tool).server !== server);
    const next = new Map(kept);
    for (const entry of entries) {
      if (splitToolName(entry.tool).server !== server)
        throw new UsageError(`${entry.tool} is no tool of ${server}`);
      this.#add(next, entry);
    }
    this.#replace(next);
  }

  /** Calls after each change; the listener must not throw. Ends by calling the answer. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #add(
    next: Map<ToolName, Mounted>,
    { tool, ref, definition, digest, reads = false, confinement = 'name', ...rest }: Entry,
  ): void {
    if (next.has(tool)) throw new UsageError(`${tool} is mounted twice`);
    const before = this.#table.get(tool);
    const { confinedBy } = rest;
    const same = isSame(before, { digest, confinement, confinedBy });
    if (!same) this.#serial += 1;
    if (same && before.ref === ref && before.reads === reads) next.set(tool, before);
    else
      next.set(
        tool,
        Object.freeze({
          tool,
          ref,
          definition,
          digest,
          confinement,
          ...(confinedBy === undefined ? {} : { confinedBy }),
          reads,
          serial: same ? before.serial : this.#serial,
        }),
      );
  }

  #replace(next: RegistryTable): void {
    const same =
      next.size === this.#table.size &&
      [...next].every(([tool, mounted]) => this.#table.get(tool) === mounted);
    if (same) return;
    this.#table = next;
    for (const listener of this.#listeners) listener();
  }
}

function isSame(
  before: Mounted | undefined,
  next: Pick<Mounted, 'digest' | 'confinement'> & { readonly confinedBy: ConfinedBy | undefined },
): before is Mounted {
  return (
    before?.digest === next.digest &&
    before.confinement === next.confinement &&
    before.confinedBy === next.confinedBy
  );
}
