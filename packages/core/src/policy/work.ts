/** Work that may rest between its steps: whoever drives it decides when the next one is made. */

/** Yields where it may rest, and returns what came of it. Pure: it waits for nothing. */
export type Work<T> = Generator<undefined, T, undefined>;

/** Does all of it at once. */
export function finish<T>(work: Work<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Most small things that are done between two rests. */
const inOneStep = 512;

/** Does something small with each item, with a rest now and then. */
export function* withEach<T>(items: readonly T[], use: (item: T) => void): Work<void> {
  for (const [at, item] of items.entries()) {
    use(item);
    if (at % inOneStep === inOneStep - 1) yield;
  }
}
