/** The thread in which policies are read, so that no call waits for a parser. What was read is fetched in portions. */
import { parentPort } from 'node:worker_threads';
import type { AgentName, Digest, GenerationSource, Json, LoadProblem, PolicyDocument } from '@pawl/core';
import { type BadPolicy, type ReadPolicy, readPolicy } from '../config/index.js';
import { documentDigest, readSource } from './source.js';

/** What is asked: a file, a stored source, or a portion of the rules of what was read last. */
export type ReadQuestion =
  | { readonly ask: 'file'; readonly file: string }
  | {
      readonly ask: 'source';
      readonly file: string;
      readonly source: GenerationSource;
      readonly otherwise: string;
    }
  | { readonly ask: 'rules'; readonly portion: number };

/** Rules of one list of one agent, in order. */
export interface Portion {
  readonly agent: AgentName;
  readonly list: 'allow' | 'ask' | 'deny';
  readonly rules: PolicyDocument['agents'] extends ReadonlyMap<AgentName, infer A>
    ? A extends { readonly allow: infer R }
      ? R
      : never
    : never;
}

/** A policy without its rules. */
export interface Skeleton {
  readonly ok: true;
  readonly file: string;
  readonly folder: string;
  readonly text: string;
  /** Agents have no rules, and there are no plain values. */
  readonly document: PolicyDocument;
  readonly facts: ReadonlyMap<string, Json>;
  readonly findings: readonly LoadProblem[];
  readonly digest: Digest;
  /** How many portions of rules there are to fetch. */
  readonly portions: number;
}

/** Rules in one portion: so many cross a thread in a millisecond. */
const inPortion = 40;
const lists = ['allow', 'ask', 'deny'] as const;

let portions: readonly Portion[] = [];

const port = parentPort;
port?.on('message', (question: ReadQuestion) => {
  port.postMessage(question.ask === 'rules' ? portions[question.portion] : answerTo(question));
});

function answerTo(question: Exclude<ReadQuestion, { ask: 'rules' }>): Skeleton | BadPolicy {
  const read =
    question.ask === 'file'
      ? readPolicy(question.file)
      : readSource(question.file, question.source, question.otherwise);
  return read.ok ? skeletonOf(read.policy) : read;
}

function skeletonOf({ file, folder, text, document, facts, findings }: ReadPolicy): Skeleton {
  portions = [...document.agents.values()].flatMap((agent) =>
    lists.flatMap((list) => portionsOf(agent.name, list, agent[list])),
  );
  const agents = new Map(
    [...document.agents].map(([name, agent]) => [name, { ...agent, allow: [], ask: [], deny: [] }]),
  );
  const bare = { ...document, agents, plain: {} };
  const digest = documentDigest(document);
  return { ok: true, file, folder, text, document: bare, facts, findings, digest, portions: portions.length };
}

function portionsOf(agent: AgentName, list: Portion['list'], rules: Portion['rules']): readonly Portion[] {
  const count = Math.ceil(rules.length / inPortion);
  return Array.from({ length: count }, (_, at) => ({
    agent,
    list,
    rules: rules.slice(at * inPortion, (at + 1) * inPortion),
  }));
}
