/** One line of `pawl test`: a call, and what has to come of it. */
import {
  type Json,
  type JsonObject,
  canonicalJson,
  deepEqualJson,
  denialCodes,
  isJsonArray,
  isJsonObject,
  layers,
  own,
} from '@pawl/core';
import { callMembers, lineOf, objectIn } from './call-line.js';
import type { DecideLine, JudgedLine } from './judge.js';

/** What has to come of a call. What is absent is not compared. */
export interface Expectation {
  /** One of these. */
  readonly decisions: readonly string[];
  readonly code?: string;
  readonly layer?: string;
  /** As named in the verdict, with or without the values that follow in brackets. */
  readonly constraint?: string;
  /** Path in the document: of the rule that refuses, or of one that admits. */
  readonly rule?: string;
  /** As forwarded. */
  readonly args?: Json;
  /** Argument paths, in any order. */
  readonly filled?: readonly string[];
}

/** A call with its expectation. */
export interface PolicyCase {
  readonly line: DecideLine;
  readonly expect: Expectation;
  /** Ask becomes permit in this case; undefined: as the command line says. */
  readonly assumeConsent: boolean | undefined;
}

const decisions = ['permit', 'ask', 'deny'] as const;
const consentMembers = ['assumeConsent', 'assume_consent'] as const;
const caseMembers = [...callMembers, 'expect', ...consentMembers];
const expectMembers = ['decision', 'decision_in', 'code', 'layer', 'constraint', 'rule', 'args', 'filled'];

/** Reads a line, strictly; a text says what was found and what is allowed. A case without `id` is named by its place. */
export function caseOf(text: string, place: number): PolicyCase | string {
  const object = objectIn(text);
  if (object === undefined) return 'found no JSON object; allowed here: a call with "expect"';
  const stray = strayIn(object, caseMembers);
  if (stray !== undefined) return stray;
  const line = lineOf(own(object, 'id') === undefined ? { ...object, id: `line ${place}` } : object);
  if (line === undefined)
    return 'found no "tool" or "message", or a member that is no text; allowed here: all but "id", "args", "expect" and "assumeConsent" are texts';
  const given = consentMembers.map((name) => own(object, name)).find((value) => value !== undefined);
  if (given !== undefined && typeof given !== 'boolean')
    return 'found "assumeConsent" that is no boolean; allowed here: true or false';
  const expect = expectationOf(own(object, 'expect'));
  return typeof expect === 'string' ? expect : { line, expect, assumeConsent: given };
}

function strayIn(object: JsonObject, allowed: readonly string[]): string | undefined {
  const stray = Object.keys(object).find((key) => !allowed.includes(key));
  return stray === undefined
    ? undefined
    : `found the key ${JSON.stringify(stray.slice(0, 60))}; allowed here: ${allowed.join(', ')}`;
}

function expectationOf(value: Json | undefined): Expectation | string {
  const expect = typeof value === 'string' ? { decision: value } : value;
  if (!isJsonObject(expect))
    return 'found no "expect"; allowed here: permit, ask, deny, or an object with "decision"';
  const stray = strayIn(expect, expectMembers);
  if (stray !== undefined) return `expect: ${stray}`;
  const chosen = decisionsIn(expect);
  if (typeof chosen === 'string') return chosen;
  return wordsIn(expect, chosen);
}

function decisionsIn(expect: JsonObject): readonly string[] | string {
  const [one, several] = [own(expect, 'decision'), own(expect, 'decision_in')];
  const chosen = one === undefined ? several : several === undefined ? [one] : undefined;
  const known = isJsonArray(chosen) ? decisions.filter((decision) => chosen.includes(decision)) : [];
  return isJsonArray(chosen) && known.length > 0 && known.length === chosen.length
    ? known
    : 'expect: found no "decision", or another one; allowed here: permit, ask, deny, or several of them as "decision_in"';
}

function wordsIn(expect: JsonObject, chosen: readonly string[]): Expectation | string {
  const words: Record<string, string> = {};
  for (const [name, allowed] of Object.entries(wordMembers)) {
    const value = own(expect, name);
    if (value === undefined) continue;
    if (typeof value !== 'string' || allowed?.includes(value) === false)
      return `expect: found ${name} ${canonicalJson(value).slice(0, 60)}; allowed here: ${allowed?.join(', ') ?? 'a text'}`;
    words[name] = value;
  }
  const [args, filled] = [own(expect, 'args'), namesIn(own(expect, 'filled'))];
  if (filled === 'bad')
    return 'expect: found "filled" that is no list of texts; allowed here: argument paths, as args.owner';
  return {
    decisions: chosen,
    ...words,
    ...(args === undefined ? {} : { args }),
    ...(filled === undefined ? {} : { filled }),
  };
}

/** Members of an expectation that are texts, and what each may be. */
const wordMembers: Readonly<Record<string, readonly string[] | undefined>> = {
  code: Object.keys(denialCodes),
  layer: layers,
  constraint: undefined,
  rule: undefined,
};

function namesIn(value: Json | undefined): readonly string[] | 'bad' | undefined {
  if (value === undefined) return undefined;
  if (!isJsonArray(value)) return 'bad';
  const names = value.filter((name) => typeof name === 'string');
  return names.length === value.length ? names : 'bad';
}

/** Whether a verdict is the expected one in everything that is compared. */
export function meets(expect: Expectation, { verdict, rules }: JudgedLine): boolean {
  const { code, layer, constraint, rule, args, filled } = expect;
  const compared = [
    expect.decisions.includes(verdict.decision),
    code === undefined || code === verdict.code,
    layer === undefined || layer === verdict.layer,
    constraint === undefined || isNamed(constraint, verdict.constraint),
    rule === undefined || [verdict.rule, ...rules].includes(rule),
    args === undefined || deepEqualJson(args, verdict.args),
    filled === undefined || sameNames(filled, verdict.filled),
  ];
  return compared.every(Boolean);
}

function isNamed(expected: string, constraint: string | undefined): boolean {
  return constraint === expected || constraint?.startsWith(`${expected} (`) === true;
}

function sameNames(one: readonly string[], other: readonly string[] = []): boolean {
  const sorted = (names: readonly string[]): string => JSON.stringify([...new Set(names)].sort());
  return sorted(one) === sorted(other);
}
