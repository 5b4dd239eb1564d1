/** SMT solvers as oracles: each says of a list of scripts whether one can be met. */
import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Interface, createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/** Some script can be met, none can, or that was not decided in time. Anything else a solver says is thrown. */
export type Answer = 'sat' | 'unsat' | 'unknown';

/** One question: scripts without `check-sat`; asked is whether any of them can be met. */
export type Scripts = readonly string[];

/** Milliseconds that a solver has for one script. */
const patience = 1000;

/** Joins what was said of the scripts of one question. */
function answerOf(said: readonly string[]): Answer {
  const odd = said.find((each) => !['sat', 'unsat', 'unknown', 'timeout'].includes(each));
  if (odd !== undefined) throw new Error(`a solver says: ${odd}`);
  if (said.includes('sat')) return 'sat';
  return said.every((each) => each === 'unsat') ? 'unsat' : 'unknown';
}

/** Z3, one question after the other. */
export class Z3 {
  #process: ChildProcessByStdio<Writable, Readable, null> | undefined;
  #lines: AsyncIterator<string> | undefined;
  #reader: Interface | undefined;

  readonly #patience: number;

  /** `milliseconds` are for each script. */
  constructor(milliseconds: number = patience) {
    this.#patience = milliseconds;
  }

  /** Asks. A question that hangs past all patience counts as unknown, and the process begins anew. */
  async ask(scripts: Scripts): Promise<Answer> {
    const { stdin } = (this.#process ??= this.#start());
    stdin.write(`${JSON.stringify(scripts)}\n`);
    const late = new Promise<'late'>((resolve) => {
      setTimeout(resolve, 10_000 + this.#patience * scripts.length, 'late').unref();
    });
    const line = await Promise.race([this.#lines?.next(), late]);
    if (line === 'late') {
      this.stop();
      return 'unknown';
    }
    if (line === undefined || line.done === true) throw new Error('the process of z3 ended');
    const said: unknown = JSON.parse(line.value);
    return answerOf(Array.isArray(said) ? said.map(String) : []);
  }

  /** Ends the process. */
  stop(): void {
    this.#reader?.close();
    this.#process?.kill('SIGKILL');
    this.#process = undefined;
  }

  #start(): ChildProcessByStdio<Writable, Readable, null> {
    const file = fileURLToPath(new URL('z3-process.mjs', import.meta.url));
    const child = spawn(process.execPath, [file, String(this.#patience)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#reader = createInterface({ input: child.stdout });
    this.#lines = this.#reader[Symbol.asyncIterator]();
    return child;
  }
}

/** Whether cvc5 is installed. */
export function cvc5IsHere(): boolean {
  return spawnSync('cvc5', ['--version']).status === 0;
}

/** Asks cvc5 many questions at once. */
export function askCvc5(questions: readonly Scripts[]): readonly Answer[] {
  const scripts = questions.flat().map((script) => `(push)\n${script}\n(check-sat)\n(pop)`);
  const options = ['--lang=smt2', '--incremental', '--strings-exp', `--tlimit-per=${patience}`];
  const { stdout } = spawnSync('cvc5', options, {
    input: `(set-logic ALL)\n${scripts.join('\n')}\n`,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  const said = stdout.split('\n').filter((line) => line !== '');
  if (said.length !== scripts.length) throw new Error(`cvc5 says: ${said.at(-1) ?? 'nothing'}`);
  let at = 0;
  return questions.map(({ length }) => answerOf(said.slice(at, (at += length))));
}
