/** Reading policies in a thread of their own: what a running gateway does, so that no call waits for a parser. */
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { AgentName, GenerationSource, PolicyDocument } from '@pawl/core';
import type { BadPolicy, ReadPolicy } from '../config/index.js';
import { askThread } from './ask-thread.js';
import type { Portion, ReadQuestion, Skeleton } from './read-thread.js';

/** What came of reading. */
export type ReadResult = { readonly ok: true; readonly policy: ReadPolicy } | BadPolicy;

/** Reads policies, one after the other. */
export interface PolicyReader {
  /** A file with the facts that it names. */
  file(file: string): Promise<ReadResult>;
  /** A stored source; `otherwise` is the folder of one that has none. */
  source(file: string, source: GenerationSource, otherwise: string): Promise<ReadResult>;
  /** Ends the thread. */
  close(): Promise<void>;
}

type Rules = Portion['rules'];

/** A reader whose thread is started at the first question. Calls come one at a time. */
export function threadReader(): PolicyReader {
  let thread: Worker | undefined;
  const read = async (question: ReadQuestion): Promise<ReadResult> => {
    thread ??= started();
    try {
      const answer = await askThread<Skeleton | BadPolicy>(thread, question);
      return answer.ok ? { ok: true, policy: await whole(thread, answer) } : answer;
    } catch (error) {
      // Whatever broke it, the next question gets a thread of its own.
      void thread.terminate();
      thread = undefined;
      throw error;
    }
  };
  return {
    file: (file) => read({ ask: 'file', file }),
    source: (file, source, otherwise) => read({ ask: 'source', file, source, otherwise }),
    close: async () => void (await thread?.terminate()),
  };
}

function started(): Worker {
  const thread = new Worker(new URL('./read-thread.js', import.meta.url), { name: 'reader' });
  thread.unref();
  return thread;
}

/** Fetches the rules portion by portion, with a rest after each. */
async function whole(thread: Worker, { document, portions, ...read }: Skeleton): Promise<ReadPolicy> {
  const found = new Map<AgentName, Record<Portion['list'], Rules[number][]>>();
  for (let portion = 0; portion < portions; portion += 1) {
    const { agent, list, rules } = await askThread<Portion>(thread, { ask: 'rules', portion });
    const lists = found.get(agent) ?? { allow: [], ask: [], deny: [] };
    found.set(agent, lists);
    for (const rule of rules) lists[list].push(rule);
    await setImmediate();
  }
  const agents: PolicyDocument['agents'] = new Map(
    [...document.agents].map(([name, agent]) => [name, { ...agent, ...found.get(name) }]),
  );
  const { file, folder, text, facts, findings, digest } = read;
  return { file, folder, text, facts, findings, digest, document: { ...document, agents } };
}
