/** What a server says that is no answer to a call: counted, and read for the little that is open. */
import { type Clock, type JsonObject, isJsonObject, own } from '@pawl/core';
import { type AnswerLine, readAnswerLine } from './answer-line.js';
import { answerToServer } from './frames.js';
import { type StrayLimits, StrayOutput } from './stray.js';

/** What is done with it. */
export interface IncomingOptions {
  readonly clock: Clock;
  readonly limits: StrayLimits;
  /** Writes the answer to a request of the server; undefined where it has nothing to ask. */
  readonly reply: () => ((text: string) => void) | undefined;
  readonly progress: (token: number, progress: JsonObject) => void;
  readonly changed: () => void;
  /** It says too much. */
  readonly flood: () => void;
}

/** Reads it. */
export class Incoming {
  readonly #options: IncomingOptions;
  readonly #stray: StrayOutput;

  constructor(options: IncomingOptions) {
    this.#options = options;
    this.#stray = new StrayOutput(options.limits, options.clock);
  }

  /** Counts bytes that are no message; false when they were too much. */
  noise(bytes: number): boolean {
    if (this.#stray.allows(bytes)) return true;
    this.#options.flood();
    return false;
  }

  /** Takes the text of a message. */
  take(text: Buffer, line: AnswerLine = readAnswerLine(text)): void {
    if (this.noise(text.length) && line.kind === 'message') this.#message(line.value);
  }

  #message(value: JsonObject): void {
    const method = own(value, 'method');
    const id = own(value, 'id');
    if (typeof method !== 'string') return;
    if (id !== undefined && id !== null) this.#options.reply()?.(answerToServer(id, method));
    else if (method === 'notifications/tools/list_changed') this.#options.changed();
    else if (method === 'notifications/progress') this.#progress(own(value, 'params'));
  }

  #progress(params: JsonObject[string]): void {
    if (!isJsonObject(params)) return;
    const token = own(params, 'progressToken');
    if (typeof token === 'number') this.#options.progress(token, params);
  }
}
