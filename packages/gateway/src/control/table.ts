/** The closed table of operations: who may ask for each, how long it may take, and how its parameters are read. */
import { type JsonObject, mintId, parseAgentName } from '@pawl/core';
import type { Answer } from './answer.js';
import { type KeyIssue, type OperationName, type Operations, mostRecords } from './operations.js';
import { Params, formRule, textRule, wholeRule } from './params.js';
import type { Role } from './role.js';

/** A request that was read and only has to be done. */
export type Prepared = (operations: Operations, role: Role) => Promise<Answer<unknown>>;

/** One operation. */
export interface Operation {
  readonly role: Role;
  /** Milliseconds after which a caller is told that there was no answer in time. */
  readonly within: number;
  /** Reads the parameters: what to do, or what is wrong with them. */
  prepare(given: JsonObject): Prepared | string;
}

const quick = 30_000;
const slow = 600_000;

const agent = textRule(parseAgentName, 'an agent name: letters, digits, "_", "." and "-"');
const instance = textRule(parseAgentName, 'an instance name: letters, digits, "_", "." and "-"');
const keyId = textRule(
  (text) => (/^[a-z2-7]{16}$/u.test(text) ? mintId.key(text) : undefined),
  'the 16 characters of a key id',
);
const salt = formRule(/^[0-9a-f]{32}$/u, '16 bytes in hexadecimal');
const hash = formRule(/^[0-9a-f]{64}$/u, '32 bytes in hexadecimal');
const askId = formRule(/^a_[a-z2-7]{16}$/u, 'the id of an ask');
const verdict = textRule((text) => (['yes', 'no'] as const).find((each) => each === text), 'yes or no');
const word = formRule(/^[\x21-\x7e]{1,200}$/u, 'a text of at most 200 visible characters');

/** All operations, by name. */
export const operationTable: Readonly<Record<OperationName, Operation>> = Object.freeze({
  status: plain('viewer', quick, (operations) => operations.status()),
  keysIssue: { role: 'operator', within: quick, prepare: prepareIssue },
  keysList: plain('viewer', quick, (operations) => operations.keysList()),
  keysRevoke: { role: 'operator', within: quick, prepare: prepareRevoke },
  approvals: plain('viewer', quick, (operations) => operations.approvals()),
  approve: { role: 'approver', within: quick, prepare: prepareApprove },
  auditVerify: plain('viewer', slow, (operations) => operations.auditVerify()),
  auditShow: { role: 'viewer', within: slow, prepare: prepareShow },
});

/** The operation of that name, or undefined. Never anything inherited. */
export function operationNamed(name: string): Operation | undefined {
  const known = Object.entries(operationTable).find(([each]) => each === name);
  return known?.[1];
}

function plain(role: Role, within: number, prepared: Prepared): Operation {
  return { role, within, prepare: (given) => new Params(given, []).problem ?? prepared };
}

function prepareIssue(given: JsonObject): Prepared | string {
  const params = new Params(given, ['agent', 'instance', 'id', 'salt', 'hash']);
  const named = { agent: params.need('agent', agent), instance: params.may('instance', instance) };
  const secret = {
    id: params.need('id', keyId),
    salt: params.need('salt', salt),
    hash: params.need('hash', hash),
  };
  const issue = whole({ ...named, ...secret });
  if (params.problem !== undefined || issue === undefined) return params.problem ?? 'a parameter is missing';
  return (operations) => operations.keysIssue(issue);
}

function whole(parts: { readonly [K in keyof KeyIssue]-?: KeyIssue[K] | undefined }): KeyIssue | undefined {
  const { agent, instance, id, salt, hash } = parts;
  if (agent === undefined || id === undefined || salt === undefined || hash === undefined) return undefined;
  return { agent, id, salt, hash, ...(instance === undefined ? {} : { instance }) };
}

function prepareRevoke(given: JsonObject): Prepared | string {
  const params = new Params(given, ['id']);
  const id = params.need('id', keyId);
  if (params.problem !== undefined || id === undefined) return params.problem ?? 'a parameter is missing';
  return (operations) => operations.keysRevoke({ id });
}

function prepareApprove(given: JsonObject): Prepared | string {
  const params = new Params(given, ['id', 'says']);
  const id = params.need('id', askId);
  const says = params.need('says', verdict);
  if (params.problem !== undefined || id === undefined || says === undefined)
    return params.problem ?? 'a parameter is missing';
  return (operations, role) => operations.approve({ id, says }, role);
}

function prepareShow(given: JsonObject): Prepared | string {
  const params = new Params(given, ['limit', 'call', 'executor']);
  const limit = params.need('limit', wholeRule(1, mostRecords));
  const call = params.may('call', word);
  const executor = params.may('executor', word);
  if (params.problem !== undefined || limit === undefined) return params.problem ?? 'a parameter is missing';
  const query = {
    limit,
    ...(call === undefined ? {} : { call }),
    ...(executor === undefined ? {} : { executor }),
  };
  return (operations) => operations.auditShow(query);
}
