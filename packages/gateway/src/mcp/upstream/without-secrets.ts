/** A server from whose words the secrets that it was given are taken out. */
import { type Fault, type Json, type JsonObject, isJsonObject } from '@pawl/core';
import type { RawResult } from '../result.js';
import type { Started } from './stdio.js';
import type { Upstream, UpstreamCall, UpstreamCallOptions, UpstreamTool } from './upstream.js';

/** Takes secrets out. */
export interface Cleaner {
  text(text: string): string;
  json(value: Json): Json;
  /** JSON text, or members of an object; what holds no secret stays as it is written. */
  raw(json: string): string;
}

/** The same server, or why it does not run, with results, errors, progress, definitions and reasons cleaned. */
export function withoutSecrets(started: Started, cleaner: Cleaner): Started {
  if (!started.ok) return { ...started, why: cleaner.text(started.why) };
  return { ...started, upstream: new CleanUpstream(started.upstream, cleaner) };
}

class CleanUpstream implements Upstream {
  readonly #upstream: Upstream;
  readonly #cleaner: Cleaner;
  #listed: readonly UpstreamTool[] | undefined;
  #tools: readonly UpstreamTool[] = [];

  constructor(upstream: Upstream, cleaner: Cleaner) {
    this.#upstream = upstream;
    this.#cleaner = cleaner;
  }

  get state(): Upstream['state'] {
    return this.#upstream.state;
  }

  tools(): readonly UpstreamTool[] {
    return this.#cleaned(this.#upstream.tools());
  }

  async list(): Promise<readonly UpstreamTool[]> {
    return this.#cleaned(await this.#upstream.list());
  }

  call(tool: string, args: JsonObject, options: UpstreamCallOptions): UpstreamCall {
    const { onProgress } = options;
    const told = onProgress && {
      onProgress: (progress: JsonObject): void => {
        const clean = this.#cleaner.json(progress);
        if (isJsonObject(clean)) onProgress(clean);
      },
    };
    const { handedOver, answer } = this.#upstream.call(tool, args, { ...options, ...told });
    return { handedOver, answer: answer.then((each) => this.#answer(each)) };
  }

  onDown(listener: (why: string) => void): void {
    this.#upstream.onDown((why) => listener(this.#cleaner.text(why)));
  }

  onToolsChanged(listener: () => void): void {
    this.#upstream.onToolsChanged(listener);
  }

  close(): Promise<void> {
    return this.#upstream.close();
  }

  #answer(answer: RawResult | Fault): RawResult | Fault {
    if (answer.kind === 'fault') {
      if (answer.detail === undefined) return answer;
      return Object.freeze({ ...answer, detail: this.#cleaner.text(answer.detail) });
    }
    return answer.kind === 'error'
      ? { ...answer, error: this.#cleaner.raw(answer.error) }
      : { ...answer, members: this.#cleaner.raw(answer.members) };
  }

  /** A name is what calls are made by, so a tool whose name holds a secret is none. */
  #cleaned(listed: readonly UpstreamTool[]): readonly UpstreamTool[] {
    if (this.#listed === listed) return this.#tools;
    this.#listed = listed;
    this.#tools = listed.flatMap(({ name, definition }) => {
      const clean = this.#cleaner.json(definition);
      return isJsonObject(clean) && this.#cleaner.text(name) === name ? [{ name, definition: clean }] : [];
    });
    return this.#tools;
  }
}
