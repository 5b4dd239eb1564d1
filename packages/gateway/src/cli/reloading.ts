/** Reloads of a running daemon: the document is read again, its servers are seen to, and core decides. */
import { resolve } from 'node:path';
import {
  type Declaration,
  type DeclaredBy,
  type DeclaringPolicy,
  type LoadProblem,
  type OperatorAct,
  type Proposed,
  type Reloaded,
  type Reloader,
  type ServerName,
  type Trigger,
  systemClock,
} from '@pawl/core';
import type { BadPolicy, ReadPolicy } from '../config/index.js';
import type { RefusedReload } from '../control/index.js';
import type { Store, StoredPin } from '../store/index.js';
import { type Candidate, type CandidateParts, candidate, serverChanges } from './generation.js';
import { type LiveServers, closeAll } from './live-servers.js';
import type { Quarantine } from './quarantine.js';
import type { PolicyReader } from './reader.js';
import { type RunningServer, type ServersOptions, notStarted, probeServers, sourcesIn } from './servers.js';

/** What a reload is asked with. */
export interface ReloadWish {
  readonly trigger: Exclude<Trigger, 'start'>;
  readonly act?: OperatorAct;
  /** A stored generation instead of the document. */
  readonly to?: number;
  /** A change of what is stored for an executor, under the document in force; the file is not read. */
  readonly declare?: DeclareWish;
  /** Waiting definitions that are to come into force, under the document in force; the file is not read. */
  readonly accept?: AcceptWish;
}

/** Which of the definitions that wait by then are accepted. A throw leaves everything as it is. */
export type AcceptWish = (waiting: readonly StoredPin[]) => readonly StoredPin[];

/** A change of stored ceilings or narrowings. */
export interface DeclareWish extends DeclaredBy {
  /** Everything that is to be stored, of everybody; asked when it is this reload's turn. A throw leaves everything as it is. */
  readonly entries: (around: DeclaringPolicy) => readonly Declaration[];
}

/** What reloading needs. */
export interface ReloadingParts {
  /** The policy file, as given. */
  readonly file: string;
  readonly folder: string;
  /** What is in force. */
  readonly read: ReadPolicy;
  readonly store: Store;
  readonly storeFolder: string;
  readonly reloader: Reloader;
  readonly live: LiveServers;
  readonly quarantine: Quarantine;
  /** First use is not accepted either. */
  readonly locked: boolean;
  readonly reader: PolicyReader;
  /** What new servers are started with, but for the document. */
  readonly servers: Omit<ServersOptions, 'document' | 'folder'>;
  readonly log: (line: string) => void;
  /** Takes the findings of a generation that came into force. */
  readonly found: (findings: readonly LoadProblem[]) => void;
}

/** Servers that a proposal would run, and which of them were started for it. */
interface Staged {
  readonly read: ReadPolicy;
  readonly servers: readonly RunningServer[];
  readonly fresh: readonly RunningServer[];
  readonly made: Candidate;
}

/** Reloads, one after the other. */
export class Reloading {
  readonly #parts: ReloadingParts;
  #last: RefusedReload | undefined;
  #inForce: ReadPolicy;
  #seen: ReadPolicy | undefined;

  constructor(parts: ReloadingParts) {
    this.#parts = parts;
    this.#inForce = parts.read;
  }

  /** The last reload that did not go through, until one does. */
  get lastRefusal(): RefusedReload | undefined {
    return this.#last;
  }

  /** Never rejects for what a document, a server or a store does. */
  async reload(wish: ReloadWish): Promise<Reloaded> {
    let staged: Staged | undefined;
    const { declare, accept, ...rest } = wish;
    const answer = await this.#parts.reloader.reload({
      ...rest,
      ...(declare && { declared: { of: declare.of, by: declare.by } }),
      ...(accept && { accepting: true }),
      propose: async () => {
        const made = await this.#stage(wish);
        if ('problems' in made) return { kind: 'invalid', file: made.file, problems: made.problems };
        staged = made;
        return made.made;
      },
      inForce: () => this.#take(staged),
    });
    if (answer.kind !== 'activated' && staged !== undefined) await closeAll(staged.fresh);
    if (answer.kind === 'activated' && staged !== undefined)
      await this.#parts.quarantine.record(staged.made.waiting);
    // What is refused of a declaration or of a tool is nothing that the document wants.
    if (declare === undefined && accept === undefined) this.#note(wish.trigger, answer);
    return answer;
  }

  /** What a reload of the document, or of a stored generation, would come to; starts and changes nothing. */
  propose(to?: number): Promise<Proposed> {
    return this.#parts.reloader.propose(async () => {
      const made = await this.#stage({ trigger: 'operator', ...(to !== undefined && { to }) });
      return 'problems' in made ? { kind: 'invalid', file: made.file, problems: made.problems } : made.made;
    });
  }

  /** Absolute paths of the policy and of every fact that it names, as it is in force and as it was read last. */
  files(): readonly string[] {
    const facts = [this.#inForce, this.#seen].flatMap((read) => [...(read?.document.facts.values() ?? [])]);
    const paths = [this.#parts.file, ...facts.map(({ file }) => resolve(this.#parts.folder, file))];
    return [...new Set(paths.map((path) => resolve(path)))];
  }

  /** In the step in which the generation came into force. */
  #take(staged: Staged | undefined): void {
    if (staged === undefined) return;
    const { read, servers, made } = staged;
    this.#inForce = read;
    this.#parts.live.become({ servers, policy: made.policy, digests: made.digests });
    this.#parts.found(made.findings);
  }

  async #stage(wish: ReloadWish): Promise<Staged | BadPolicy> {
    const read = await this.#read(wish);
    if (!read.ok) return read;
    const { servers, fresh } = await this.#servers(read.policy, wish);
    try {
      const { store, storeFolder, log, locked, reloader } = this.#parts;
      const declared = await this.#declared(wish);
      const accepting = await this.#accepted(wish);
      const pinned = { pins: store.pins, locked, accepting };
      const around = { declared, storeFolder, clock: systemClock, log, ...pinned };
      const parts = { read: read.policy, servers, ...around };
      const made = await candidate({ ...parts, before: reloader.current().snapshot.policy });
      if ('problems' in made) {
        await closeAll(fresh);
        return made;
      }
      const shownAs = fresh.length === 0 ? undefined : await shownHash(parts, fresh);
      const known = { changes: this.#changes(read.policy), ...(shownAs === undefined ? {} : { shownAs }) };
      return { read: read.policy, servers, fresh, made: { ...made, ...known } };
    } catch (error) {
      await closeAll(fresh);
      throw error;
    }
  }

  /** What is stored for executors, or what a declaration makes of it. */
  async #declared({ declare }: ReloadWish): Promise<readonly Declaration[]> {
    const { store, reloader } = this.#parts;
    const stored = await store.declarations.list();
    if (declare === undefined) return stored;
    const { document, facts } = this.#inForce;
    return declare.entries({ document, facts, policy: reloader.current().snapshot.policy, stored });
  }

  async #accepted({ accept }: ReloadWish): Promise<readonly StoredPin[]> {
    if (accept === undefined) return [];
    const pins = await this.#parts.store.pins.list();
    const taken = accept(pins.filter(({ state }) => state === 'waiting'));
    const gone = taken.find(({ server }) => !this.#inForce.document.servers.has(server));
    if (gone !== undefined) throw new Error(`the policy in force has no server ${gone.server}`);
    return taken;
  }

  async #read({
    to,
    declare,
    accept,
  }: ReloadWish): Promise<{ readonly ok: true; readonly policy: ReadPolicy } | BadPolicy> {
    const { file, folder, store, reader } = this.#parts;
    if (declare !== undefined || accept !== undefined) return { ok: true, policy: this.#inForce };
    if (to === undefined) {
      const read = await reader.file(file);
      if (read.ok) this.#seen = read.policy;
      return read;
    }
    const stored = await store.generations.at(to);
    if (stored === undefined) throw new Error(`this store has no generation ${to}`);
    return reader.source(file, stored.source, folder);
  }

  /** Servers that stay what they are go on; others are started only by an operator's act. */
  async #servers(read: ReadPolicy, wish: ReloadWish): Promise<Pick<Staged, 'servers' | 'fresh'>> {
    const { live, servers: options } = this.#parts;
    const { document, folder } = read;
    const changed = new Set(this.#changes(read).map(({ path }) => path));
    const running = new Map(live.all().map((server) => [server.name, server]));
    const sources = sourcesIn({ document, ...(options.only && { only: options.only }) });
    const isNew = (name: ServerName): boolean => !running.has(name) || changed.has(`servers.${name}`);
    const wanted = sources.filter(({ name }) => isNew(name));
    const fresh =
      wish.act === undefined
        ? wanted.map((source) =>
            notStarted(source, folder, 'it is new or changed, and waits for an operator'),
          )
        : await probeServers({ ...options, document, folder }, wanted);
    const started = new Map(fresh.map((server) => [server.name, server]));
    const servers = sources.flatMap(({ name }) => started.get(name) ?? running.get(name) ?? []);
    return { servers, fresh };
  }

  #changes(read: ReadPolicy): ReturnType<typeof serverChanges> {
    const { live, servers } = this.#parts;
    // The command line of the one wrapped server is not the document's.
    if (servers.only !== undefined) return [];
    return serverChanges(new Map(live.all().map(({ name, identity }) => [name, identity])), read);
  }

  #note(trigger: Trigger, { kind }: Reloaded): void {
    if (kind === 'activated') this.#last = undefined;
    else if (kind !== 'same') this.#last = { at: systemClock.wall(), trigger, kind };
    // What is in force is what is asked for: whatever was refused before is not wanted any more.
    else this.#last = undefined;
  }
}

/** The hash under which operators are shown a candidate: as it is before its new servers are started. */
async function shownHash(
  parts: CandidateParts,
  fresh: readonly RunningServer[],
): Promise<Candidate['hash'] | undefined> {
  const waiting = new Set(fresh);
  const probe = { ok: false, why: 'it waits for an operator' } as const;
  const servers = parts.servers.map((server) =>
    waiting.has(server) ? { ...server, supervisor: undefined, probe } : server,
  );
  const made = await candidate({ ...parts, servers, log: () => undefined });
  return 'problems' in made ? undefined : made.hash;
}
