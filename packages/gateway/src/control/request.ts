/** Reading a control request: only POST /v1/OPERATION, from no browser, with a strictly decoded body. */
import { type JsonLimits, isJsonObject, parseJsonBytes } from '@pawl/core';
import { type Answer, no, yes } from './answer.js';
import { type Role, mayAct } from './role.js';
import type { Prepared } from './params.js';
import { type Operation, operationNamed, operationTable } from './table.js';

/** The only host that requests may name. */
export const controlHost = 'pawl';
/** Longest body, in bytes. */
export const longestBody: number = 1024 * 1024;
const limits: Partial<JsonLimits> = { bytes: longestBody };

/** What comes before the body. Headers that were sent more than once are all there. */
export interface ControlHead {
  readonly method: string;
  readonly url: string;
  readonly host: readonly string[];
  readonly origin: readonly string[];
  readonly contentType: readonly string[];
}

/** Finds the operation and whether this caller may ask for it; reads no body. Never throws. */
export function readHead(head: ControlHead, role: Role): Answer<Operation> {
  if (head.origin.length > 0) return no('forbidden', 'requests from browsers are not served here');
  if (head.host.length !== 1 || head.host[0] !== controlHost)
    return no('forbidden', `found another Host; allowed here: ${controlHost}`);
  if (head.method !== 'POST') return no('wrong_method', `found another method; allowed here: POST`);
  const name = head.url.startsWith('/v1/') ? head.url.slice('/v1/'.length) : '';
  const operation = operationNamed(name);
  if (operation === undefined) {
    const known = Object.keys(operationTable).join(', ');
    return no('unknown_operation', `found no such operation; allowed here: POST /v1/ and one of ${known}`);
  }
  if (!mayAct(role, operation.role)) return no('forbidden', `this needs the role ${operation.role}`);
  if (
    head.contentType.length !== 1 ||
    !/^application\/json(?:; ?charset=utf-8)?$/iu.test(head.contentType[0] ?? '')
  )
    return no('malformed', 'found another content type; allowed here: application/json');
  return yes(operation);
}

/** Reads the parameters. Never throws. */
export function readBody(operation: Operation, body: Uint8Array): Answer<Prepared> {
  if (body.length > longestBody) return no('too_large', `found a body longer than ${longestBody} bytes`);
  const parsed = parseJsonBytes(body, limits);
  if (!parsed.ok) return no('malformed', `the body holds ${parsed.found}`);
  if (!isJsonObject(parsed.value)) return no('malformed', 'the body holds no object');
  const prepared = operation.prepare(parsed.value);
  return typeof prepared === 'string' ? no('invalid_parameters', prepared) : yes(prepared);
}
