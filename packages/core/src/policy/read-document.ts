/** Reading a policy document: syntax tree in, document or problems out. */
import { readLimits } from '../ceiling/index.js';
import { readConnectors } from '../connector/index.js';
import {
  type AgentName,
  type DocMap,
  type DocNode,
  type Json,
  type LoadProblem,
  type Member,
  type ServerName,
  type Spot,
  Expect,
  entryOf,
  isJsonObject,
  nodeInWords,
  parseAgentName,
  parseServerName,
  plainOf,
} from '../ground/index.js';
import type { AgentSource, InstanceSource, PolicyDocument, ServerSource } from './document.js';
import { agentKeys, delegateKeys, documentKeys, factKeys, instanceKeys } from './keys.js';
import { readUseLimits } from './read-limit.js';
import { readRules } from './read-rule.js';
import { readSkillGrants, readTrustFile, trustFact } from './read-skills.js';
import { readServer } from './read-server.js';
import { readSettings } from './read-settings.js';

/** A document, or everything wrong with it; findings are legal things worth knowing. */
export interface ReadDocument {
  readonly document: PolicyDocument | undefined;
  readonly problems: readonly LoadProblem[];
  readonly findings: readonly LoadProblem[];
}

/** Reads the root node of a document. Never throws. */
export function readDocument(root: DocNode): ReadDocument {
  const expect = new Expect();
  const map = expect.mapping({ node: root, path: '' }, documentKeys);
  const document = map === undefined ? undefined : readSections(expect, map);
  const { problems, findings } = expect;
  return { document: problems.length === 0 ? document : undefined, problems, findings };
}

function readSections(expect: Expect, map: DocMap): PolicyDocument {
  readVersion(expect, map);
  const at = (key: keyof typeof documentKeys): Spot | undefined => {
    const entry = entryOf(map, key);
    return entry === undefined ? undefined : { node: entry.value, path: key };
  };
  const agents = named(
    expect,
    at('agents'),
    (entry) => readAgent(expect, entry),
    (agent) => agent.name,
  );
  const connectors = readConnectors(expect, at('connectors'));
  const plain = plainOf(map);
  return {
    servers: named(
      expect,
      at('servers'),
      (entry) => readServerEntry(expect, entry, [...connectors.keys()]),
      (server) => server.name,
    ),
    sets: readSets(expect, at('sets')),
    facts: readFacts(expect, at('facts'), readTrustFile(expect, at('skills'))),
    connectors,
    agents,
    instances: readInstances(expect, at('instances'), agents),
    settings: readSettings(expect, at),
    plain: isJsonObject(plain) ? plain : {},
  };
}

function readVersion(expect: Expect, map: DocMap): void {
  const entry = entryOf(map, 'pawl');
  if (entry === undefined) expect.problem(map.at, '', 'no key "pawl"', 'pawl: 1');
  else if (entry.value.kind !== 'scalar' || entry.value.value !== 1) {
    expect.problem(entry.value.at, 'pawl', nodeInWords(entry.value), '1');
  }
}

function named<K, V>(
  expect: Expect,
  spot: Spot | undefined,
  read: (entry: Member) => V | undefined,
  key: (value: V) => K,
): ReadonlyMap<K, V> {
  const entries = spot === undefined ? [] : expect.members(spot);
  return new Map(entries.flatMap((entry) => read(entry) ?? []).map((value) => [key(value), value]));
}

function readServerEntry(
  expect: Expect,
  entry: Member,
  connectors: readonly string[],
): ServerSource | undefined {
  const name: ServerName | undefined = parseServerName(entry.key);
  if (name === undefined || name === 'pawl') {
    const allowed =
      'a server name: a small letter, then small letters, digits and -; the name pawl is reserved';
    return expect.problem(entry.keyAt, entry.spot.path, `server name ${JSON.stringify(entry.key)}`, allowed);
  }
  return readServer(expect, name, entry, connectors);
}

function readSets(expect: Expect, spot: Spot | undefined): ReadonlyMap<string, readonly Json[]> {
  const sets = new Map<string, readonly Json[]>();
  for (const entry of spot === undefined ? [] : expect.members(spot)) {
    const items = expect.list(entry.spot, 'scalars') ?? [];
    if (items.length === 0 && entry.value.kind === 'list') {
      expect.problem(entry.value.at, entry.spot.path, 'an empty list', 'at least one value');
    }
    for (const item of items) {
      if (item.node.kind !== 'scalar')
        expect.problem(item.node.at, item.path, nodeInWords(item.node), 'a scalar');
    }
    sets.set(
      entry.key,
      items.map((item) => plainOf(item.node)),
    );
  }
  return sets;
}

function readFacts(
  expect: Expect,
  spot: Spot | undefined,
  trust: { readonly file: string; readonly at: Member['keyAt'] } | undefined,
): PolicyDocument['facts'] {
  const facts = new Map<string, { readonly file: string; readonly at: Member['keyAt'] }>();
  if (trust !== undefined) facts.set(trustFact, trust);
  for (const entry of spot === undefined ? [] : expect.members(spot)) {
    const map = expect.mapping(entry.spot, factKeys);
    if (entry.key === trustFact)
      expect.problem(entry.keyAt, entry.spot.path, `the name ${trustFact}`, 'another name');
    const file = map === undefined ? undefined : entryOf(map, 'file');
    if (map !== undefined && file === undefined)
      expect.problem(map.at, entry.spot.path, 'no file', 'file: a JSON file');
    const path = file && expect.text({ node: file.value, path: `${entry.spot.path}.file` }, 'a file name');
    if (path !== undefined) facts.set(entry.key, { file: path, at: entry.value.at });
  }
  return facts;
}

function readAgent(expect: Expect, entry: Member): AgentSource | undefined {
  const name = parseAgentName(entry.key);
  if (name === undefined) {
    const allowed = 'an agent name: letters, digits, _ . -';
    return expect.problem(entry.keyAt, entry.spot.path, `agent name ${JSON.stringify(entry.key)}`, allowed);
  }
  const map = expect.mapping(entry.spot, agentKeys);
  if (map === undefined) return undefined;
  const path = entry.spot.path;
  const at = (key: keyof typeof agentKeys): Spot | undefined => {
    const found = entryOf(map, key);
    return found === undefined ? undefined : { node: found.value, path: `${path}.${key}` };
  };
  const [description, ceiling, instances] = [at('description'), at('ceiling'), at('instances')];
  const [limits, delegate, skills] = [at('limits'), at('delegate'), at('skills')];
  const rules = (list: 'allow' | 'ask' | 'deny'): AgentSource['allow'] => {
    const spot = at(list);
    return spot === undefined ? [] : readRules(expect, list, spot);
  };
  const agent: AgentSource = {
    name,
    at: entry.keyAt,
    path,
    description: description && expect.text(description, 'a text'),
    ceiling: ceiling === undefined ? [] : readLimits(expect, ceiling),
    allow: rules('allow'),
    ask: rules('ask'),
    deny: rules('deny'),
    limits: limits === undefined ? [] : readUseLimits(expect, limits),
    delegate: delegate && readDepth(expect, delegate),
    skills: skills === undefined ? [] : readSkillGrants(expect, skills),
    instances: instances && expect.oneOf(instances, agentKeys.instances.words),
  };
  if (agent.allow.length === 0)
    expect.finding(entry.keyAt, path, 'nothing is allowed, so every call is refused');
  return agent;
}

function readDepth(expect: Expect, spot: Spot): number | undefined {
  const map = expect.mapping(spot, delegateKeys);
  const depth = map && entryOf(map, 'depth');
  const allowed = 'a whole number of at least 0';
  if (map !== undefined && depth === undefined)
    return expect.problem(map.at, spot.path, 'no depth', `depth: ${allowed}`);
  return depth && expect.count({ node: depth.value, path: `${spot.path}.depth` }, 0, allowed);
}

function readInstances(
  expect: Expect,
  spot: Spot | undefined,
  agents: ReadonlyMap<AgentName, AgentSource>,
): readonly InstanceSource[] {
  return (spot === undefined ? [] : expect.members(spot)).flatMap((entry) => {
    const cut = entry.key.indexOf('/');
    const agent = parseAgentName(entry.key.slice(0, Math.max(cut, 0)));
    const instance = entry.key.slice(cut + 1);
    if (agent === undefined || parseAgentName(instance) === undefined || !agents.has(agent)) {
      const allowed = `AGENT/NAME with an agent of this document (${[...agents.keys()].join(', ')})`;
      return (
        expect.problem(entry.keyAt, entry.spot.path, `instance ${JSON.stringify(entry.key)}`, allowed) ?? []
      );
    }
    const map = expect.mapping(entry.spot, instanceKeys);
    const narrow = map && entryOf(map, 'narrow');
    const path = entry.spot.path;
    const limits = narrow ? readLimits(expect, { node: narrow.value, path: `${path}.narrow` }) : [];
    return [{ agent, instance, at: entry.keyAt, path, narrow: limits }];
  });
}
