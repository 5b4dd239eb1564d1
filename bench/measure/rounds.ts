/** CPU time of pieces of work, measured in interleaved rounds of one process. */

/** One thing to measure; `run` does it once over all its inputs and gives something that depends on every answer. */
export interface Contender {
  readonly name: string;
  /** How many units one run does. */
  readonly units: number;
  readonly run: () => number;
}

/** What was seen, in microseconds of CPU a unit, all threads of the process included. */
export interface Seen {
  readonly name: string;
  readonly median: number;
  readonly min: number;
  readonly rounds: number;
}

/** How long to measure. */
export interface Effort {
  readonly rounds: number;
  readonly warmUp: number;
  /** Least milliseconds of one contender in one round. */
  readonly milliseconds: number;
}

/** Runs the contenders in turns, so that what disturbs the machine disturbs all of them; each round begins with another one. */
export function measure(contenders: readonly Contender[], effort: Effort): readonly Seen[] {
  const samples = contenders.map((): number[] => []);
  for (let round = -effort.warmUp; round < effort.rounds; round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      const which = (((round + turn) % contenders.length) + contenders.length) % contenders.length;
      const cost = costOf(contenders[which]!, effort.milliseconds);
      if (round >= 0) samples[which]!.push(cost);
    }
  }
  return contenders.map(({ name }, i) => ({ name, ...summary(samples[i]!) }));
}

/** Median and minimum. */
export function summary(samples: readonly number[]): Omit<Seen, 'name'> {
  const sorted = [...samples].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const median = sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  return { median, min: sorted[0]!, rounds: sorted.length };
}

let kept = 0;

/** Runs again and again for a while. */
function costOf({ units, run }: Contender, milliseconds: number): number {
  const before = process.cpuUsage();
  const end = performance.now() + milliseconds;
  let runs = 0;
  do {
    kept = (kept + run()) | 0;
    runs++;
  } while (performance.now() < end);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (runs * units);
}
