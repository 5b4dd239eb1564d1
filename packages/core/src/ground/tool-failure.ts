/** A failure on its way through code that speaks in exceptions: what was allowed was tried, and did not work. */
import { shortened } from './denial.js';

/** Thrown by tools and their powers. `message` is what a model may read, at most 200 characters: it names nothing of the host. */
export class ToolFailure extends Error {
  override readonly name: string = 'ToolFailure';

  constructor(message: string) {
    super(shortened(message));
  }
}
