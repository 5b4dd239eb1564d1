/** CPU of the front processes a call, at one and at several calls in flight. */
import { type Seen, summary } from '../measure/rounds.js';
import { cpuOf } from './cpu.js';
import { type Front, startFronts } from './fronts.js';

/** How many calls to make. */
export interface FrontEffort {
  readonly rounds: number;
  readonly warmUp: number;
  /** Calls of one front in one round, at 16 in flight; a quarter of them at one. */
  readonly calls: number;
  readonly profile: string | undefined;
}

/** Milliseconds of CPU a call. */
export interface FrontFigures {
  readonly name: string;
  readonly inFlight: number;
  /** All processes of the front together. */
  readonly total: Omit<Seen, 'name'>;
  /** Each process alone. */
  readonly parts: Readonly<Record<string, Omit<Seen, 'name'>>>;
  /** Milliseconds that pass for a call, in the median round. */
  readonly wall: number;
}

const flights = [16, 1];

/** Measures all fronts in turns. */
export async function measureFronts(effort: FrontEffort): Promise<readonly FrontFigures[]> {
  const { fronts, close } = await startFronts(effort.profile);
  try {
    const series = flights.flatMap((inFlight) => fronts.map((front) => new Series(front, inFlight)));
    for (const { front } of series.slice(0, fronts.length)) await makeCalls(front, effort.warmUp, 16);
    for (let round = 0; round < effort.rounds; round++) {
      for (const one of series) await one.round(effort.calls);
    }
    return series.map((one) => one.figures());
  } finally {
    await close();
  }
}

class Series {
  readonly front: Front;
  readonly #inFlight: number;
  readonly #samples = new Map<string, number[]>();

  constructor(front: Front, inFlight: number) {
    this.front = front;
    this.#inFlight = inFlight;
  }

  async round(most: number): Promise<void> {
    const calls = Math.ceil(this.#inFlight === 1 ? most / 4 : most);
    const processes = Object.entries(this.front.processes);
    const before = processes.map(([, pid]) => cpuOf(pid));
    const start = performance.now();
    await makeCalls(this.front, calls, this.#inFlight);
    this.#note('wall', (performance.now() - start) / calls);
    const used = processes.map(([name, pid], i) => [name, (cpuOf(pid) - before[i]!) / calls] as const);
    for (const [name, cpu] of used) this.#note(name, cpu);
    this.#note(
      'total',
      used.reduce((sum, [, cpu]) => sum + cpu, 0),
    );
  }

  figures(): FrontFigures {
    const { name, processes } = this.front;
    const seen = (what: string): Omit<Seen, 'name'> => summary(this.#samples.get(what) ?? []);
    const parts = Object.keys(processes).map((part) => [part, seen(part)] as const);
    return {
      name,
      inFlight: this.#inFlight,
      total: seen('total'),
      parts: Object.fromEntries(parts),
      wall: seen('wall').median,
    };
  }

  #note(what: string, value: number): void {
    const list = this.#samples.get(what) ?? [];
    list.push(value);
    this.#samples.set(what, list);
  }
}

async function makeCalls({ call }: Front, calls: number, inFlight: number): Promise<void> {
  let left = calls;
  const lane = async (): Promise<void> => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
}
