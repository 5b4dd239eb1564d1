/** A failure on its way through code that speaks in exceptions: what was allowed was tried, and did not work. */
import { shortened } from './denial.js';

/** Thrown by tools and their powers. `message` is what a model may read, at most 200 characters: it names nothing of the host. */
export class ToolFailure extends Error {
  override readonly name: string = 'ToolFailure';
  readonly #told: string;

  constructor(message: string) {
    const told = shortened(message);
    super(told);
    this.#told = told;
  }

  /** What a model may read of it; undefined for everything else that was thrown, of which nothing is asked: it may be anything. */
  static toldBy(thrown: unknown): string | undefined {
    return typeof thrown === 'object' && thrown !== null && #told in thrown ? thrown.#told : undefined;
  }
}
