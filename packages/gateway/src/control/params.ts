/** Reading the parameters of an operation strictly: each by name, none unknown, and what is allowed when one is wrong. */
import { type Json, type JsonObject, isJsonArray, own } from '@pawl/core';
import type { Answer } from './answer.js';
import type { Operations } from './operations.js';
import type { Role } from './role.js';

/** A request that was read and only has to be done. */
export type Prepared = (operations: Operations, role: Role) => Promise<Answer<unknown>>;

/** What one parameter may be. */
export interface Rule<T> {
  /** The value, or undefined when it is wrong. */
  readonly read: (value: Json) => T | undefined;
  /** A noun phrase. */
  readonly allowed: string;
}

/** The parameters of one request. After reading, {@link problem} says what is wrong, if anything. */
export class Params {
  readonly #given: JsonObject;
  #problem: string | undefined;

  /** `names` are all that there are. */
  constructor(given: JsonObject, names: readonly string[]) {
    this.#given = given;
    const unknown = Object.keys(given).find((name) => !names.includes(name));
    if (unknown === undefined) return;
    const allowed = names.length === 0 ? 'nothing' : names.join(', ');
    this.#problem = `found the parameter ${JSON.stringify(unknown.slice(0, 60))}; allowed here: ${allowed}`;
  }

  /** What is wrong: the first thing found. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** A parameter that has to be there. */
  need<T>(name: string, rule: Rule<T>): T | undefined {
    if (own(this.#given, name) !== undefined) return this.may(name, rule);
    this.#problem ??= `parameter ${JSON.stringify(name)}: found nothing; allowed here: ${rule.allowed}`;
    return undefined;
  }

  /** A parameter that may be absent. */
  may<T>(name: string, rule: Rule<T>): T | undefined {
    const given = own(this.#given, name);
    if (given === undefined) return undefined;
    const value = rule.read(given);
    if (value === undefined)
      this.#problem ??= `parameter ${JSON.stringify(name)}: found ${inWords(given)}; allowed here: ${rule.allowed}`;
    return value;
  }
}

/** A text that `parse` takes. */
export function textRule<T>(parse: (text: string) => T | undefined, allowed: string): Rule<T> {
  return { read: (value) => (typeof value === 'string' ? parse(value) : undefined), allowed };
}

/** A text of that form. */
export function formRule(form: RegExp, allowed: string): Rule<string> {
  return textRule((text) => (form.test(text) ? text : undefined), allowed);
}

/** A whole number within bounds. */
export function wholeRule(least: number, most: number): Rule<number> {
  const fits = (value: Json): value is number =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
  return {
    read: (value) => (fits(value) ? value : undefined),
    allowed: `a whole number from ${least} to ${most}`,
  };
}

/** The kind of a value and never the value: a caller's slip may hold a secret. */
function inWords(value: Json): string {
  if (value === null) return 'null';
  if (isJsonArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `another ${typeof value}`;
}
