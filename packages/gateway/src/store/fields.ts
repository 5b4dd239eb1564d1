/** Strict reading of stored objects. */
import {
  type AgentName,
  type Json,
  type JsonObject,
  type ServerName,
  isJsonArray,
  isJsonObject,
  own,
  parseAgentName,
  parseServerName,
  readJson,
} from '@pawl/core';
import { StoreError } from './ports.js';

/** Members of a stored object, each with its type. */
export class Fields {
  readonly #kind: string;
  readonly #object: JsonObject;

  /** From the text of a row, or from an object inside one. Throws `damaged`, as every method does. */
  constructor(kind: string, text: string | Json) {
    this.#kind = kind;
    const value = typeof text === 'string' ? readJson(text) : text;
    if (!isJsonObject(value)) throw this.#broken('it is no object');
    this.#object = value;
  }

  /** The whole object. */
  get whole(): JsonObject {
    return this.#object;
  }

  json(name: string): Json | undefined {
    return own(this.#object, name);
  }

  text(name: string): string {
    const value = this.json(name);
    if (typeof value !== 'string') throw this.#broken(`${name} is no text`);
    return value;
  }

  number(name: string): number {
    const value = this.json(name);
    if (typeof value !== 'number') throw this.#broken(`${name} is no number`);
    return value;
  }

  optionalText(name: string): string | undefined {
    return this.json(name) === undefined ? undefined : this.text(name);
  }

  optionalNumber(name: string): number | undefined {
    return this.json(name) === undefined ? undefined : this.number(name);
  }

  numbers(name: string): Readonly<Record<string, number>> {
    const value = this.json(name);
    if (!isJsonObject(value)) throw this.#broken(`${name} is no object`);
    const entries = Object.entries(value).map(([key, number]): [string, number] => {
      if (typeof number !== 'number') throw this.#broken(`${name}.${key} is no number`);
      return [key, number];
    });
    return Object.fromEntries(entries);
  }

  /** The members of an object, each read by `read`. */
  record<T>(name: string, read: (value: Json, key: string) => T): Readonly<Record<string, T>> {
    const value = this.json(name);
    if (!isJsonObject(value)) throw this.#broken(`${name} is no object`);
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, read(each ?? null, key)]));
  }

  /** A list of texts. */
  texts(name: string): readonly string[] {
    const value = this.json(name);
    if (!isJsonArray(value) || !value.every((each) => typeof each === 'string'))
      throw this.#broken(`${name} is no list of texts`);
    return value;
  }

  /** Objects of a list. */
  static objects(kind: string, value: Json): readonly JsonObject[] {
    if (!isJsonArray(value) || !value.every(isJsonObject))
      throw new StoreError('damaged', `a row of kind ${kind} cannot be read: a list of objects is none`);
    return value;
  }

  choice<T extends string>(name: string, allowed: readonly T[]): T {
    const value = allowed.find((candidate) => candidate === this.json(name));
    if (value === undefined) throw this.#broken(`${name} is none of ${allowed.join(', ')}`);
    return value;
  }

  agent(name: string): AgentName {
    return this.#parsed(name, parseAgentName);
  }

  server(name: string): ServerName {
    return this.#parsed(name, parseServerName);
  }

  #parsed<T>(name: string, parser: (text: string) => T | undefined): T {
    const value = parser(this.text(name));
    if (value === undefined) throw this.#broken(`${name} is malformed`);
    return value;
  }

  #broken(why: string): StoreError {
    return new StoreError('damaged', `a row of kind ${this.#kind} cannot be read: ${why}`);
  }
}
