/** The names of child sessions, each valid beside one credential's session only. */
import type { SessionId } from '../ground/index.js';

/** By root session. */
export class Children {
  readonly #byRoot = new Map<SessionId, Map<string, SessionId>>();

  /** Enters one. */
  add(root: SessionId, name: string, child: SessionId): void {
    const names = this.#byRoot.get(root) ?? new Map<string, SessionId>();
    this.#byRoot.set(root, names.set(name, child));
  }

  /** Exact match, among those of this root only. */
  find(root: SessionId, name: string): SessionId | undefined {
    return this.#byRoot.get(root)?.get(name);
  }

  /** All of a root. */
  of(root: SessionId): readonly SessionId[] {
    return [...(this.#byRoot.get(root)?.values() ?? [])];
  }

  /** All of every root. */
  all(): readonly SessionId[] {
    return [...this.#byRoot.keys()].flatMap((root) => this.of(root));
  }

  /** Forgets a root with its names, or a child with its own. */
  forget(id: SessionId): void {
    this.#byRoot.delete(id);
    for (const [root, names] of this.#byRoot) {
      for (const [name, child] of names) if (child === id) names.delete(name);
      if (names.size === 0) this.#byRoot.delete(root);
    }
  }
}
