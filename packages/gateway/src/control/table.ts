/** The closed table of operations: who may ask for each, how long it may take, and how its parameters are read. */
import {
  type FrozenName,
  type JsonObject,
  type Revocation,
  everything,
  isJsonObject,
  mintId,
  parseAgentName,
} from '@pawl/core';
import { type KeyIssue, type OperationName, type ReloadAsked, mostRecords } from './operations.js';
import { preparePins, preparePinsAccept, preparePinsReject } from './pin-params.js';
import { Params, type Prepared, type Rule, formRule, textRule, wholeRule } from './params.js';
import type { Role } from './role.js';

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
const shownHash = formRule(/^[0-9a-f]{12,64}$/u, '12 to 64 digits of a hash in hexadecimal');
const askId = formRule(/^a_[a-z2-7]{16}$/u, 'the id of an ask');
const verdict = textRule((text) => (['yes', 'no'] as const).find((each) => each === text), 'yes or no');
const word = formRule(/^[\x21-\x7e]{1,200}$/u, 'a text of at most 200 visible characters');

const absolutePath = formRule(/^\/[^\0]{0,4000}$/u, 'an absolute path');

const flag: Rule<boolean> = {
  read: (value) => (typeof value === 'boolean' ? value : undefined),
  allowed: 'true or false',
};
const mapping: Rule<JsonObject> = {
  read: (value) => (isJsonObject(value) ? value : undefined),
  allowed: 'an object: connectors or servers, each with its fields',
};
const generation = wholeRule(1, Number.MAX_SAFE_INTEGER);
const subject = textRule(
  (text) => (['capability', 'session', 'executor', 'key'] as const).find((each) => each === text),
  'capability, session, executor or key',
);
const executor = textRule(
  (text) => (text === everything || readFrozenName(text) === undefined ? undefined : mintId.executor(text)),
  'an agent, or AGENT/INSTANCE',
);
const frozenName = textRule(readFrozenName, 'an agent, AGENT/INSTANCE, or * for everything');

/** All operations, by name. */
export const operationTable: Readonly<Record<OperationName, Operation>> = Object.freeze({
  status: plain('viewer', quick, (operations) => operations.status()),
  keysIssue: { role: 'operator', within: quick, prepare: prepareIssue },
  keysList: plain('viewer', quick, (operations) => operations.keysList()),
  keysRevoke: { role: 'operator', within: quick, prepare: prepareRevoke },
  reload: { role: 'operator', within: slow, prepare: prepareReload },
  propose: { role: 'operator', within: slow, prepare: preparePropose },
  revoke: { role: 'operator', within: quick, prepare: prepareRevocation },
  freeze: { role: 'operator', within: quick, prepare: prepareFreeze },
  thaw: { role: 'operator', within: quick, prepare: prepareThaw },
  declare: { role: 'operator', within: slow, prepare: prepareDeclare },
  declared: plain('viewer', quick, (operations) => operations.declared()),
  skillLoad: { role: 'operator', within: slow, prepare: prepareSkillLoad },
  skillList: plain('viewer', quick, (operations) => operations.skillList()),
  skillUnload: { role: 'operator', within: quick, prepare: prepareSkillUnload },
  pins: { role: 'viewer', within: slow, prepare: preparePins },
  pinsAccept: { role: 'operator', within: slow, prepare: preparePinsAccept },
  pinsReject: { role: 'operator', within: quick, prepare: preparePinsReject },
  approvals: plain('viewer', quick, (operations) => operations.approvals()),
  approve: { role: 'approver', within: quick, prepare: prepareApprove },
  auditVerify: plain('viewer', slow, (operations) => operations.auditVerify()),
  auditShow: { role: 'viewer', within: slow, prepare: prepareShow },
  evidence: { role: 'operator', within: slow, prepare: prepareEvidence },
  generation: { role: 'operator', within: slow, prepare: prepareGeneration },
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

function prepareSkillLoad(given: JsonObject): Prepared | string {
  const params = new Params(given, ['folder', 'executor']);
  const [folder, who] = [params.need('folder', absolutePath), params.need('executor', executor)];
  if (params.problem !== undefined || folder === undefined || who === undefined)
    return params.problem ?? 'a parameter is missing';
  return (operations) => operations.skillLoad({ folder, executor: who });
}

function prepareSkillUnload(given: JsonObject): Prepared | string {
  const params = new Params(given, ['name', 'executor']);
  const [name, who] = [params.need('name', word), params.need('executor', executor)];
  if (params.problem !== undefined || name === undefined || who === undefined)
    return params.problem ?? 'a parameter is missing';
  return (operations) => operations.skillUnload({ name, executor: who });
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

function prepareEvidence(given: JsonObject): Prepared | string {
  const params = new Params(given, ['limit', 'from', 'call', 'executor']);
  const limit = params.need('limit', wholeRule(1, mostRecords));
  const from = params.may('from', wholeRule(0, Number.MAX_SAFE_INTEGER));
  const [call, executor] = [params.may('call', word), params.may('executor', word)];
  if (params.problem !== undefined || limit === undefined) return params.problem ?? 'a parameter is missing';
  const query = {
    limit,
    ...(from !== undefined && { from }),
    ...(call !== undefined && { call }),
    ...(executor !== undefined && { executor }),
  };
  return (operations) => operations.evidence(query);
}

function prepareGeneration(given: JsonObject): Prepared | string {
  const params = new Params(given, ['number']);
  const number = params.may('number', generation);
  return params.problem ?? ((operations) => operations.generation(number === undefined ? {} : { number }));
}

/** A name that can be frozen. */
export function readFrozenName(text: string): FrozenName | undefined {
  if (text === everything) return text;
  const parts = text.split('/');
  return parts.length <= 2 && parts.every((part) => parseAgentName(part) !== undefined) ? text : undefined;
}

function prepareReload(given: JsonObject): Prepared | string {
  const params = new Params(given, ['bumpEpoch', 'all', 'reissue', 'expect', 'to']);
  const act = actIn(params);
  const to = params.may('to', generation);
  if (params.problem !== undefined) return params.problem;
  if (typeof act === 'string') return act;
  return (operations) => operations.reload({ ...act, ...(to !== undefined && { to }) });
}

/** The operator's act, or what is wrong with it. */
function actIn(params: Params): Pick<ReloadAsked, 'bumpEpoch' | 'all' | 'reissue' | 'expect'> | string {
  const [bumpEpoch, all, reissue] = (['bumpEpoch', 'all', 'reissue'] as const).map(
    (name) => params.may(name, flag) === true,
  );
  const expect = params.may('expect', shownHash);
  if (bumpEpoch !== true && (all === true || reissue === true || expect !== undefined))
    return 'all, reissue and expect go with bumpEpoch';
  return {
    ...(bumpEpoch === true && { bumpEpoch }),
    ...(all === true && { all }),
    ...(reissue === true && { reissue }),
    ...(expect !== undefined && { expect }),
  };
}

function prepareDeclare(given: JsonObject): Prepared | string {
  const params = new Params(given, ['of', 'declaration', 'on', 'by', 'bumpEpoch', 'all', 'reissue']);
  const [of, declaration] = [params.need('of', executor), params.need('declaration', mapping)];
  const [on, by] = [params.may('on', word), params.may('by', word)];
  const act = actIn(params);
  if (params.problem !== undefined || of === undefined || declaration === undefined)
    return params.problem ?? 'a parameter is missing';
  if (typeof act === 'string') return act;
  if (on !== undefined && Object.keys(declaration).some((name) => name !== on))
    return 'with on the declaration names nothing else';
  const more = { ...(on !== undefined && { on }), ...(by !== undefined && { by }) };
  return (operations, role) => operations.declare({ of, declaration, ...more, ...act }, role);
}

function preparePropose(given: JsonObject): Prepared | string {
  const params = new Params(given, ['to']);
  const to = params.may('to', generation);
  return params.problem ?? ((operations) => operations.propose(to === undefined ? {} : { to }));
}

function prepareRevocation(given: JsonObject): Prepared | string {
  const params = new Params(given, ['kind', 'id']);
  const [kind, id] = [params.need('kind', subject), params.need('id', word)];
  if (kind === undefined || id === undefined) return params.problem ?? 'a parameter is missing';
  return params.problem ?? ((operations) => operations.revoke(revocationOf(kind, id)));
}

/** A revocation from its words. */
export function revocationOf(kind: Revocation['kind'], id: string): Revocation {
  if (kind === 'capability') return { kind, id: mintId.cap(id) };
  if (kind === 'session') return { kind, id: mintId.session(id) };
  return kind === 'executor' ? { kind, id: mintId.executor(id) } : { kind, id: mintId.key(id) };
}

function prepareFreeze(given: JsonObject): Prepared | string {
  const params = new Params(given, ['name']);
  const name = params.need('name', frozenName);
  if (params.problem !== undefined || name === undefined) return params.problem ?? 'a parameter is missing';
  return (operations) => operations.freeze({ name });
}

function prepareThaw(given: JsonObject): Prepared | string {
  const params = new Params(given, ['name', 'reissue']);
  const [name, fresh] = [params.need('name', frozenName), params.may('reissue', flag)];
  if (params.problem !== undefined || name === undefined) return params.problem ?? 'a parameter is missing';
  return (operations) => operations.thaw({ name, reissue: fresh === true });
}
