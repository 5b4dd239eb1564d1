/** Declared connectors: tables from the policy document, of the same shape as those that Pawl brings along. */
import { type Extent, type Scalar, type Verb, type Vocabulary, verbs } from '../authority/index.js';
import {
  type DocMap,
  type Expect,
  type KeyTable,
  type Member,
  type Spot,
  entryOf,
  nodeInWords,
  parseServerName,
} from '../ground/index.js';
import { argumentName, parseArgumentName } from './argument.js';
import { readSources } from './declare-source.js';
import { accessKeys, callsKeys, connectorKeys, fieldKeys, toolKeys } from './keys.js';
import {
  type AccessRow,
  type ConnectorField,
  type ConnectorTable,
  type FieldKind,
  type InnerCalls,
  type Omission,
  type Source,
  type ToolTable,
  readsCommands,
  wordField,
} from './table.js';

const kinds: readonly FieldKind[] = fieldKeys.kind.words;
const extents: readonly Exclude<Extent, 'all'>[] = toolKeys.extent.words;
const connectorName = /^[a-z][a-z0-9-]*$/u;

/** Reads the section `connectors`. */
export function readConnectors(expect: Expect, spot: Spot | undefined): ReadonlyMap<string, ConnectorTable> {
  const tables = new Map<string, ConnectorTable>();
  for (const member of spot === undefined ? [] : expect.members(spot)) {
    if (!connectorName.test(member.key)) {
      const allowed = 'a connector name: a small letter, then small letters, digits and -';
      expect.problem(member.keyAt, member.spot.path, `connector name ${JSON.stringify(member.key)}`, allowed);
    }
    tables.set(member.key, readTable(expect, member));
  }
  return tables;
}

/** What cannot be read is noted and left out; the connector stays declared. */
function readTable(expect: Expect, { key: name, spot }: Member): ConnectorTable {
  const map = expect.mapping(spot, connectorKeys);
  const at: At<typeof connectorKeys> =
    map === undefined ? () => undefined : within(connectorKeys, map, spot.path);
  const fields: Record<string, ConnectorField> = {};
  for (const member of membersOf(expect, at('fields'))) {
    const field = readField(expect, member);
    if (field !== undefined) fields[member.key] = field;
  }
  const tools: Record<string, ToolTable> = {};
  for (const member of membersOf(expect, at('tools'))) {
    const tool = readTool({ expect, fields }, member);
    if (tool !== undefined) tools[member.key] = tool;
  }
  const unlisted = at('unlisted');
  return {
    name,
    version: 1,
    packages: [],
    fields: withPath(fields, tools),
    tools,
    unlisted: (unlisted && expect.oneOf(unlisted, connectorKeys.unlisted.words)) ?? 'refuse',
  };
}

/** The words of commands are paths, in a field that needs no declaration. */
function withPath(
  fields: ConnectorTable['fields'],
  tools: ConnectorTable['tools'],
): ConnectorTable['fields'] {
  const needed = Object.values(tools).some(readsCommands);
  return needed ? { [wordField]: { kind: 'path' }, ...fields } : fields;
}

type At<T extends KeyTable> = (key: keyof T & string) => Spot | undefined;

function within<T extends KeyTable>(_table: T, map: DocMap, path: string): At<T> {
  return (key) => {
    const entry = entryOf(map, key);
    return entry === undefined ? undefined : { node: entry.value, path: `${path}.${key}` };
  };
}

function membersOf(expect: Expect, spot: Spot | undefined): readonly Member[] {
  return spot === undefined ? [] : expect.members(spot);
}

function readField(expect: Expect, { key, keyAt, spot }: Member): ConnectorField | undefined {
  if (['rest', 'args', 'any', 'verb', 'extent'].includes(key) || key.startsWith('args.')) {
    return expect.problem(
      keyAt,
      spot.path,
      `field name ${JSON.stringify(key)}`,
      'another name: this word has a meaning of its own',
    );
  }
  const map = expect.mapping(spot, fieldKeys);
  if (map === undefined) return undefined;
  const at = within(fieldKeys, map, spot.path);
  const kind = at('kind');
  if (kind === undefined)
    return expect.problem(map.at, spot.path, 'no kind', `kind: one of ${kinds.join(', ')}`);
  const known = expect.oneOf(kind, kinds);
  const vocabulary = readVocabulary(expect, at, spot);
  if (known === undefined) return undefined;
  if (vocabulary !== undefined && known !== 'oneOf') {
    return expect.problem(
      spot.node.at,
      spot.path,
      `values or wildcard on a field of kind ${known}`,
      'values and wildcard on kind oneOf only',
    );
  }
  return vocabulary === undefined ? { kind: known } : { kind: known, vocabulary };
}

function readVocabulary(expect: Expect, at: At<typeof fieldKeys>, spot: Spot): Vocabulary | undefined {
  const [list, wildcard] = [at('values'), at('wildcard')];
  if (list === undefined) {
    if (wildcard !== undefined)
      expect.problem(
        wildcard.node.at,
        spot.path,
        'a wildcard without values',
        'values: everything that the field can hold',
      );
    return undefined;
  }
  const items = expect.list(list, 'scalars') ?? [];
  const values = items.flatMap((item) => scalarOf(expect, item) ?? []);
  if (items.length === 0 && list.node.kind === 'list')
    expect.problem(list.node.at, list.path, 'an empty list', 'at least one value');
  const all = wildcard && scalarOf(expect, wildcard);
  if (all !== undefined && wildcard !== undefined && values.includes(all)) {
    expect.problem(
      wildcard.node.at,
      wildcard.path,
      `${JSON.stringify(all)}, which is among values`,
      'another word for all of them',
    );
  }
  return all === undefined ? { values } : { values, wildcard: all };
}

function scalarOf(expect: Expect, { node, path }: Spot): Exclude<Scalar, null> | undefined {
  if (node.kind === 'scalar' && node.value !== null) return node.value;
  return expect.problem(node.at, path, nodeInWords(node), 'a text, a number, true or false');
}

interface Declaring {
  readonly expect: Expect;
  readonly fields: Readonly<Record<string, ConnectorField>>;
}

function namesOf(fields: Declaring['fields']): string {
  return Object.keys(fields).join(', ') || 'a field that the connector declares under fields';
}

function readTool(context: Declaring, { spot }: Member): ToolTable | undefined {
  const { expect } = context;
  const map = expect.mapping(spot, toolKeys);
  if (map === undefined) return undefined;
  const at = within(toolKeys, map, spot.path);
  const verbAt = at('verb');
  const verb = verbAt && expect.oneOf(verbAt, verbs);
  const accesses = commanding(context, projected(context, readAccesses(context, at, spot, verb)));
  const [calls, payload] = [at('calls'), at('payload')];
  const inner = calls && readCalls(expect, calls);
  return {
    verb: verb ?? accesses[0]?.verb ?? 'call',
    accesses,
    payload: (payload && expect.texts(payload, 'names of arguments')) ?? [],
    ...(inner === undefined ? {} : { calls: inner }),
    ...flag(expect, 'longRunning', at('longRunning')),
    ...flag(expect, 'idempotent', at('idempotent')),
  };
}

/** The row of `reads`, then those of `accesses`. */
function readAccesses(
  context: Declaring,
  at: At<typeof toolKeys>,
  spot: Spot,
  verb: Verb | undefined,
): readonly AccessRow[] {
  const { expect } = context;
  const [reads, listed] = [at('reads'), at('accesses')];
  const omitted = readOmitted(context, at('omitted'));
  const row = reads && readReads(context, reads, { verb, extent: readExtent(expect, at('extent')), omitted });
  if (reads !== undefined && at('verb') === undefined) {
    expect.problem(reads.node.at, spot.path, 'reads without a verb', `verb: one of ${verbs.join(', ')}`);
  }
  const rows = (listed && expect.list(listed, 'accesses')) ?? [];
  const others = rows.flatMap((each) => readRow(context, each, omitted) ?? []);
  return row === undefined ? others : [row, ...others];
}

/** A field of kind host that an argument of kind url feeds is the host of that url. */
function projected({ fields }: Declaring, rows: readonly AccessRow[]): readonly AccessRow[] {
  const fed = (kind: FieldKind): readonly string[] =>
    Object.keys(fields).filter((name) => fields[name]?.kind === kind);
  const sources = rows.flatMap((row) => fed('url').flatMap((name) => row.fields[name] ?? []));
  const urls = new Set(sources.map(({ argument }) => argumentName(argument)));
  const hosts = fed('host');
  return rows.map((row) => ({
    ...row,
    fields: Object.fromEntries(
      Object.entries(row.fields).map(([name, group]) => [
        name,
        hosts.includes(name)
          ? group.map((source) =>
              urls.has(argumentName(source.argument)) ? { ...source, ofUrl: true } : source,
            )
          : group,
      ]),
    ),
  }));
}

/** Rows with a field of kind command. */
function commanding({ fields }: Declaring, rows: readonly AccessRow[]): readonly AccessRow[] {
  return rows.map((row) =>
    Object.keys(row.fields).some((name) => fields[name]?.kind === 'command')
      ? { ...row, commands: true }
      : row,
  );
}

function flag(
  expect: Expect,
  key: 'longRunning' | 'idempotent',
  spot: Spot | undefined,
): { readonly [K in typeof key]?: boolean } {
  if (spot === undefined) return {};
  const { node, path } = spot;
  if (node.kind === 'scalar' && typeof node.value === 'boolean') return { [key]: node.value };
  expect.problem(node.at, path, nodeInWords(node), 'true or false');
  return {};
}

function readExtent(expect: Expect, spot: Spot | undefined): Extent {
  return spot === undefined ? 'exact' : (expect.oneOf(spot, extents) ?? 'exact');
}

/** What leaving out means, by field; the wildcard of a field stands for everything. */
function readOmitted(
  { expect, fields }: Declaring,
  spot: Spot | undefined,
): Readonly<Record<string, Omission>> {
  const omitted: Record<string, Omission> = {};
  for (const { key, keyAt, spot: inner } of membersOf(expect, spot)) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    const value = scalarOf(expect, inner);
    if (field === undefined) expect.problem(keyAt, inner.path, `field ${key}`, namesOf(fields));
    else if (value === 'none' || value === 'refuse') omitted[key] = value;
    else if (value !== undefined && value === field.vocabulary?.wildcard) omitted[key] = 'everything';
    else if (value !== undefined) omitted[key] = { value };
  }
  return omitted;
}

/** `{ verb, FIELD: source, extent? }`. */
function readRow(context: Declaring, spot: Spot, omitted: AccessRow['omitted']): AccessRow | undefined {
  const { expect } = context;
  const map = expect.mapping(spot);
  if (map === undefined) return undefined;
  const at = within(accessKeys, map, spot.path);
  const verbAt = at('verb');
  const verb =
    verbAt === undefined
      ? expect.problem(map.at, spot.path, 'no verb', `verb: one of ${verbs.join(', ')}`)
      : expect.oneOf(verbAt, verbs);
  const named = expect.members(spot).filter(({ key }) => !Object.hasOwn(accessKeys, key));
  const fields = readFieldSources(context, named);
  if (named.length === 0)
    expect.problem(map.at, spot.path, 'no field', `at least one of ${namesOf(context.fields)}`);
  const extent = readExtent(expect, at('extent'));
  return verb && { verb, extent, fields, omitted, needed: false, namedOnly: false };
}

function readReads(
  context: Declaring,
  spot: Spot,
  row: { readonly verb: Verb | undefined; readonly extent: Extent; readonly omitted: AccessRow['omitted'] },
): AccessRow | undefined {
  const members = context.expect.members(spot);
  const fields = readFieldSources(context, members);
  if (members.length === 0)
    context.expect.problem(spot.node.at, spot.path, nodeInWords(spot.node), 'at least one field');
  const { verb, extent, omitted } = row;
  return verb && { verb, extent, fields, omitted, needed: true, namedOnly: false };
}

function readFieldSources(
  { expect, fields }: Declaring,
  members: readonly Member[],
): Readonly<Record<string, readonly Source[]>> {
  const found: Record<string, readonly Source[]> = {};
  for (const { key, keyAt, spot } of members) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (field === undefined) expect.problem(keyAt, spot.path, `field ${key}`, namesOf(fields));
    else found[key] = readSources(expect, field, spot);
  }
  return found;
}

function readCalls(expect: Expect, spot: Spot): InnerCalls | undefined {
  const map = expect.mapping(spot, callsKeys);
  if (map === undefined) return undefined;
  const at = within(callsKeys, map, spot.path);
  const path = (key: keyof typeof callsKeys): readonly string[] | undefined => {
    const part = at(key);
    const text = part && expect.text(part, 'args.NAME, or inside each NAME');
    return text === undefined ? undefined : (parseArgumentName(text) ?? [text]);
  };
  const [tool, args, each] = [path('tool'), path('arguments'), path('each')];
  const server = readServerOf(expect, at('server'));
  if (tool === undefined || args === undefined) {
    const allowed = 'tool and arguments: where a call names them';
    return expect.problem(map.at, spot.path, 'calls without tool and arguments', allowed);
  }
  return {
    tool,
    arguments: args,
    ...(each === undefined ? {} : { each }),
    ...(server === undefined ? {} : { server }),
  };
}

function readServerOf(expect: Expect, spot: Spot | undefined): InnerCalls['server'] {
  const text = spot && expect.text(spot, 'a server');
  if (spot === undefined || text === undefined) return undefined;
  return (
    parseServerName(text) ?? expect.problem(spot.node.at, spot.path, JSON.stringify(text), 'a server name')
  );
}
