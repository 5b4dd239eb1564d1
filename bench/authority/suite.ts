/** The public benchmarks as they stand beside the repository: tools, tasks and the calls that solve them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@pawl/core';

/** One call, with literal arguments. */
export interface SuiteCall {
  readonly function: string;
  readonly args: JsonObject;
}

/** One tool; `parameters` is its input schema. */
export interface SuiteTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  readonly effect: 'read' | 'write';
  /** Arguments that say who or what is affected; absent where the data does not say. */
  readonly authority_args?: readonly string[];
}

/** Something to do, and how it is done. */
export interface SuiteTask {
  readonly id: string;
  readonly ground_truth: readonly SuiteCall[];
}

/** What a user wants, and what an attacker wants instead. */
export interface AttackedSuite {
  readonly name: string;
  readonly tools: readonly SuiteTool[];
  readonly userTasks: readonly SuiteTask[];
  readonly attacks: readonly SuiteTask[];
}

/** Somebody with things of their own, by kind: orders or reservations, and ways of paying. */
export interface SuiteUser {
  readonly payment_methods: readonly string[];
  readonly orders?: JsonObject;
  readonly reservations?: readonly string[];
}

/** Tasks of several users over the same tools. */
export interface SharedSuite {
  readonly name: string;
  readonly tools: readonly SuiteTool[];
  readonly users: Readonly<Record<string, SuiteUser>>;
  readonly tasks: readonly (SuiteTask & { readonly user_id: string })[];
}

/** What a model called when it was asked to do a task, attacked or not. */
export interface SuiteTrace {
  readonly user_task: string;
  readonly injection_task: string | null;
  readonly calls: readonly (SuiteCall & { readonly attack?: boolean })[];
}

/** Tasks with recorded traces. */
export interface TracedSuite {
  readonly name: string;
  readonly tools: readonly SuiteTool[];
  readonly userTasks: readonly SuiteTask[];
  readonly traces: readonly SuiteTrace[];
}

/** A suite of AgentDojo in a folder: `banking`, `slack`, `travel` or `workspace`. */
export function attackedSuite(folder: string, name: string): AttackedSuite {
  const stored = read(folder, name) as Pick<AttackedSuite, 'tools'> & {
    readonly user_tasks: readonly SuiteTask[];
    readonly injection_tasks: readonly SuiteTask[];
  };
  return { name, tools: stored.tools, userTasks: stored.user_tasks, attacks: stored.injection_tasks };
}

/** A domain of tau-bench in a folder: `airline` or `retail`. */
export function sharedSuite(folder: string, name: string): SharedSuite {
  return { ...(read(folder, name) as Omit<SharedSuite, 'name'>), name };
}

/** A suite of AgentDyn in a folder: `dailylife`, `github` or `shopping`. */
export function tracedSuite(folder: string, name: string): TracedSuite {
  const stored = read(folder, name) as Pick<TracedSuite, 'tools' | 'traces'> & {
    readonly user_tasks: readonly SuiteTask[];
  };
  return { name, tools: stored.tools, userTasks: stored.user_tasks, traces: stored.traces };
}

function read(folder: string, name: string): unknown {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
}
