/** Places for what runs at the same time: whoever finds none waits in line, for a while. */
import { CompartmentFailure } from './failure.js';

/** How many there are, and how long anybody waits for one. */
interface PlacesOptions {
  readonly most: number;
  readonly waitMs: number;
}

interface Waiting {
  readonly go: () => void;
}

/** Gives a place back; a second time does nothing. */
type Leave = () => void;

/** The places. */
export class Places {
  readonly #options: PlacesOptions;
  readonly #line = new Set<Waiting>();
  #taken = 0;

  constructor(options: PlacesOptions) {
    this.#options = options;
  }

  /**
   * Takes a place, in the order of asking. Rejects with a CompartmentFailure: `busy` when none came free in time, `closed` when
   * whoever waits has gone.
   */
  async take(signal?: AbortSignal): Promise<Leave> {
    if (signal?.aborted === true) throw gone();
    if (this.#taken < this.#options.most) this.#taken += 1;
    else await this.#wait(signal);
    let isHeld = true;
    return () => {
      if (isHeld) this.#free();
      isHeld = false;
    };
  }

  #free(): void {
    const [next] = this.#line;
    // The place goes from hand to hand: nobody who comes now is served before whoever waits.
    if (next === undefined) this.#taken -= 1;
    else next.go();
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    const { most, waitMs } = this.#options;
    return new Promise((done, fail) => {
      const over = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', aborted);
        this.#line.delete(waiting);
      };
      const giveUp = (why: CompartmentFailure): void => {
        over();
        fail(why);
      };
      const aborted = (): void => giveUp(gone());
      const late = (): void =>
        giveUp(new CompartmentFailure('busy', `${most} tools run already and none ended; call again later`));
      const timer = setTimeout(late, waitMs);
      signal?.addEventListener('abort', aborted, { once: true });
      const waiting: Waiting = {
        go: () => {
          over();
          done();
        },
      };
      this.#line.add(waiting);
    });
  }
}

function gone(): CompartmentFailure {
  return new CompartmentFailure('closed', 'the call was given up');
}
