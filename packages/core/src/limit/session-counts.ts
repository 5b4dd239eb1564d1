/** What one session has used, also across reloads. */
import type { BudgetBook } from './reserve.js';

/** Counts by key. */
export class SessionCounts {
  readonly #used = new Map<string, number>();
  /** By whose they are; '' is the session's own executor. */
  readonly #books = new Map<string, Omit<BudgetBook, 'books'>>();

  /** How often; 0 for what was never counted. */
  of(key: string): number {
    return this.#used.get(key) ?? 0;
  }

  /** Counts up or down. */
  add(key: string, by: number): void {
    this.#used.set(key, this.of(key) + by);
  }

  /**
   * Takes up the budgets of another generation. A rule that is still there goes on; one that is new, or changed, begins where
   * the most used of those that went away, or changed, stands: a reload refills nothing.
   */
  carry({ generation, keys, books = new Map([['', keys]]) }: BudgetBook): void {
    for (const [whose, own] of books) this.#carry(whose, { generation, keys: own });
  }

  #carry(whose: string, book: Omit<BudgetBook, 'books'>): void {
    const before = this.#books.get(whose);
    if (before?.generation === book.generation) return;
    this.#books.set(whose, book);
    if (before === undefined) return;
    const [old, fresh] = [new Set(before.keys.values()), new Set(book.keys.values())];
    const gone = [...old].filter((key) => !fresh.has(key)).map((key) => this.of(`rule ${key}`));
    const most = Math.max(0, ...gone);
    for (const key of fresh) {
      if (!old.has(key)) this.#used.set(`rule ${key}`, Math.max(this.of(`rule ${key}`), most));
    }
  }
}
