/** The command line in process: what it wrote and how it ended. */
import type { ExitCode } from '../packages/gateway/src/cli/command.js';
import { run } from '../packages/gateway/src/cli/program.js';

/** How a command line ended. */
export interface Ended {
  readonly exit: ExitCode;
  readonly out: string;
  readonly err: string;
}

/** Runs `pawl` with these words. */
export async function pawl(...argv: readonly string[]): Promise<Ended> {
  let [out, err] = ['', ''];
  const code = await run(argv, { out: (text) => void (out += text), err: (text) => void (err += text) });
  return { exit: code, out, err };
}

/** The lines of an output, each of them JSON. */
export function jsonLines(out: string): readonly unknown[] {
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));
}
