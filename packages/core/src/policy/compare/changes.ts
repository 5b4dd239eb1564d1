/** Differences that are no accesses: settings, servers, connector tables. What no comparison covers is a widening. */
import type { AccessRow, ConnectorTable, ToolTable } from '../../connector/index.js';
import { type AgentName, type Json, canonicalJson, isJsonObject, readJson } from '../../ground/index.js';
import type { AgentOutline } from '../compile-input.js';
import type { ChangeWitness } from '../comparison.js';
import type { SandboxSource, ServerSource, Settings } from '../document.js';
import type { ServerFrame } from '../tool.js';
import { isNoWider } from './sandbox.js';
import { trustsNoMore } from './trust.js';

/** How one setting compares: undefined where the change lets nobody do more. */
type Grown = (old: Settings, next: Settings) => ChangeWitness | undefined;

function setting<K extends keyof Settings>(
  key: K,
  what: string,
  path: string,
  shrinks: (old: Settings[K], next: Settings[K]) => boolean,
): Grown {
  return (old, next) => {
    const before: Settings[K] = old[key];
    const now: Settings[K] = next[key];
    return sameJson(before, now) || shrinks(before, now) ? undefined : change(what, path, before, now);
  };
}

const never = (): boolean => false;
const atMost = (old: number, next: number): boolean => next <= old;
const disclosing = ['names', undefined, 'values'] as const;

const settings: { readonly [K in keyof Settings]: Grown } = {
  sessionTtl: setting('sessionTtl', 'sessions', 'sessions.ttl', atMost),
  consentExpires: setting('consentExpires', 'consent', 'consent.expires', atMost),
  approvers: setting('approvers', 'approvers', 'consent.approver', (old, next) =>
    next.every((approver) => old.includes(approver)),
  ),
  exposure: setting('exposure', 'exposure', 'exposure', never),
  disclose: setting(
    'disclose',
    'disclose',
    'disclose',
    (old, next) => disclosing.indexOf(next) <= disclosing.indexOf(old),
  ),
  auditArguments: setting('auditArguments', 'audit', 'audit.arguments', never),
  resultsMaxBytes: setting('resultsMaxBytes', 'results', 'results.maxBytes', atMost),
  posture: setting('posture', 'posture', 'reload.posture', (_, next) => next === 'recheck'),
  skillNames: setting('skillNames', 'skills', 'skills.names', (old, next) =>
    Object.entries(next).every(([name, tool]) => Object.hasOwn(old, name) && old[name] === tool),
  ),
  unsignedSkills: setting('unsignedSkills', 'skills', 'skills.unsigned', (_, next) => next === 'refuse'),
  skillTrust: setting('skillTrust', 'trust', 'skills.trust', trustsNoMore),
};

/** Settings that let executors do more, or may; every executor is concerned. */
export function settingsGrowth(old: Settings, next: Settings): readonly ChangeWitness[] {
  return Object.values(settings).flatMap((grown) => grown(old, next) ?? []);
}

/** A right to delegate that is new, or goes deeper. */
export function delegationGrowth(
  agent: AgentName,
  old: Pick<AgentOutline, 'delegate'> | undefined,
  next: Pick<AgentOutline, 'delegate'> | undefined,
): readonly ChangeWitness[] {
  const [before, now] = [old?.delegate, next?.delegate];
  if ((now ?? 0) <= (before ?? 0)) return [];
  return [change('delegation depth', `agents.${agent}.delegate.depth`, before ?? null, now)];
}

/** Parts of a server's entry that are compared elsewhere or say nothing. */
const notIdentity: ReadonlySet<string> = new Set(['name', 'at', 'path', 'connector']);

/** What changed of a server's identity: how it is started or reached, and how its paths are meant. A new server is one. */
export function serverGrowth(old: ServerFrame | undefined, next: ServerFrame): readonly ChangeWitness[] {
  const path = `servers.${next.name}`;
  if (old === undefined) {
    const shown = Object.entries(identity(next.source)).map(([key, value]): [string, Json] => [
      key,
      given.has(key) ? hidden(value, undefined) : value,
    ]);
    return [change('server', path, null, Object.fromEntries(shown))];
  }
  const [before, now] = [identity(old.source), identity(next.source)];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  const changed = keys.flatMap((key) => {
    const [one, two] = [before[key], now[key]];
    if (key === 'sandbox' || sameJson(one, two)) return [];
    const shown = given.has(key) ? [hidden(one, two), hidden(two, one)] : [one, two];
    return [change('server', `${path}.${key}`, shown[0], shown[1])];
  });
  return [...changed, ...sandboxGrowth(`${path}.sandbox`, old.source?.sandbox, next.source?.sandbox)];
}

/** A sandbox that lets its process reach more; none lets it reach everything. */
function sandboxGrowth(
  path: string,
  old: SandboxSource | undefined,
  next: SandboxSource | undefined,
): readonly ChangeWitness[] {
  return isNoWider(old, next) ? [] : [change('sandbox', path, old ?? 'none', next ?? 'none')];
}

/** Headers that are none are left out: they say nothing. */
function identity(source: ServerSource | undefined): { readonly [key: string]: Json } {
  const entries = Object.entries(source ?? {}).filter(
    ([key, value]) => !notIdentity.has(key) && value !== undefined && !(key === 'headers' && isEmpty(value)),
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, plain(value)]));
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** Parts of an entry that map names to texts which may be secrets. */
const given: ReadonlySet<string> = new Set(['env', 'headers']);

/** Variables and headers by name only: a comparison is shown to people. Of a stored secret its name, which is no secret. */
function hidden(values: Json | undefined, others: Json | undefined): Json {
  const [mine, other] = [values, others].map((each) => (isJsonObject(each) ? each : {}));
  const shown = (name: string, value: Json | undefined): Json => {
    if (isJsonObject(value)) return value;
    return sameJson(value, other?.[name]) ? '(the same)' : '(hidden)';
  };
  return Object.fromEntries(Object.entries(mine ?? {}).map(([name, value]) => [name, shown(name, value)]));
}

/** A tool's table, and the server whose connector it stands in. */
export interface TableOf {
  readonly frame: ServerFrame;
  readonly table: ToolTable;
}

/** What changed in how the calls of a tool are read, but for an argument that is added to a row that reads accesses. */
export function tableGrowth(tool: string, old: TableOf, next: TableOf): readonly ChangeWitness[] {
  const [was, is] = [fieldsIn(old), fieldsIn(next)];
  if (was === is && old.table === next.table) return [];
  const path = `connectors.${next.frame.connector?.name ?? tool}.tools.${tool}`;
  if (!sameJson(was, is)) return [change('connector', path, was, is)];
  const [one, two] = [plainTable(old.table), plainTable(next.table)];
  return sameJson(one, two) || onlyReadsMore(one, two) ? [] : [change('connector', path, one, two)];
}

const noFields: ConnectorTable['fields'] = Object.freeze({});

function fieldsIn({ frame }: TableOf): ConnectorTable['fields'] {
  return frame.connector?.fields ?? noFields;
}

/** The table without what rules make of it: that is compared with them. */
function plainTable({ commands: _commands, ...table }: ToolTable): ToolTable {
  return table;
}

function onlyReadsMore(old: ToolTable, next: ToolTable): boolean {
  const [before, now] = [old, next].map((table) => ({ ...table, accesses: [] }));
  if (!sameJson(before, now) || old.accesses.length !== next.accesses.length) return false;
  return old.accesses.every((row, at) => {
    const other = next.accesses[at];
    return other !== undefined && rowReadsMore(row, other);
  });
}

function rowReadsMore(old: AccessRow, next: AccessRow): boolean {
  const [before, now] = [old, next].map((row) => ({ ...row, fields: {} }));
  const names = Object.keys(old.fields);
  if (!sameJson(before, now) || names.length !== Object.keys(next.fields).length) return false;
  return names.every((name) =>
    (old.fields[name] ?? []).every((source) =>
      (next.fields[name] ?? []).some((other) => sameJson(source, other)),
    ),
  );
}

/** A change witness with both values as plain JSON. */
export function change(what: string, path: string, old: unknown, next: unknown): ChangeWitness {
  return { kind: 'change', what, path, old: plain(old), new: plain(next) };
}

function plain(value: unknown): Json {
  return readJson(JSON.stringify(value) ?? 'null') ?? null;
}

function sameJson(a: unknown, b: unknown): boolean {
  return a === b || canonicalJson(plain(a)) === canonicalJson(plain(b));
}
