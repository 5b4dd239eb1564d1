/** Reading the items of allow, ask and deny. */
import { type Level, verbs } from '../authority/index.js';
import {
  type DocMap,
  type Expect,
  type Spot,
  canonicalJson,
  entryOf,
  nodeInWords,
  parseServerName,
  plainOf,
} from '../ground/index.js';
import { readFields } from '../connector/index.js';
import type { RuleSource, ToolPattern, Where } from './document.js';
import { ruleKeys, ruleKeysIn } from './keys.js';

type List = keyof typeof ruleKeysIn;

/** Reads one whole list of rules. */
export function readRules(expect: Expect, list: List, spot: Spot): readonly RuleSource[] {
  return (expect.list(spot, 'rules') ?? []).flatMap((item) => readRule(expect, list, item) ?? []);
}

function readRule(expect: Expect, list: List, spot: Spot): RuleSource | undefined {
  const map = expect.mapping(spot, ruleKeysIn[list]);
  if (map === undefined) return undefined;
  const tools = readTools(expect, map, spot);
  const where = readWhere(expect, map, spot);
  if (tools === undefined && (list === 'allow' || list === 'grant')) {
    expect.problem(map.at, spot.path, 'no tools', 'tools: a list of server/tool');
  } else if (tools === undefined && where === undefined) {
    expect.problem(map.at, spot.path, 'neither tools nor where', 'tools, where, or both');
  }
  return {
    at: map.at,
    path: spot.path,
    tools,
    verbs: readVerbs(expect, map, spot),
    where,
    level: readLevel(expect, map, spot, list),
    reach: readReach(expect, map, spot),
    uses: readUses(expect, map, spot),
    budgetKey: entryOf(map, 'uses') && canonicalJson(plainOf(withoutUses(map))),
  };
}

function member(map: DocMap, spot: Spot, key: keyof typeof ruleKeys): Spot | undefined {
  const entry = entryOf(map, key);
  return entry === undefined ? undefined : { node: entry.value, path: `${spot.path}.${key}` };
}

function readLevel(expect: Expect, map: DocMap, spot: Spot, list: List): Level {
  const at = member(map, spot, 'ask');
  const fallback: Level = list === 'allow' || list === 'grant' ? 'permit' : 'once';
  return at === undefined ? fallback : (expect.oneOf(at, ruleKeys.ask.words) ?? 'once');
}

function readUses(expect: Expect, map: DocMap, spot: Spot): number | undefined {
  const at = member(map, spot, 'uses');
  return at && expect.count(at, 1, 'a whole number of at least 1');
}

function withoutUses(map: DocMap): DocMap {
  return { ...map, entries: map.entries.filter(({ key }) => key !== 'uses') };
}

function readReach(expect: Expect, map: DocMap, spot: Spot): 'below' | 'named' {
  const at = member(map, spot, 'reach');
  return at === undefined ? 'below' : (expect.oneOf(at, ruleKeys.reach.words) ?? 'below');
}

/** Reads `verbs`. */
export function readVerbs(expect: Expect, map: DocMap, spot: Spot): RuleSource['verbs'] {
  const at = member(map, spot, 'verbs');
  if (at === undefined) return undefined;
  const items = expect.list(at, 'verbs') ?? [];
  if (items.length === 0)
    expect.problem(at.node.at, at.path, nodeInWords(at.node), `at least one of ${verbs.join(', ')}`);
  return items.flatMap((item) => {
    const verb = expect.oneOf(item, verbs);
    return verb === undefined ? [] : [{ verb, at: item.node.at }];
  });
}

/** Reads `tools`. */
export function readTools(expect: Expect, map: DocMap, spot: Spot): readonly ToolPattern[] | undefined {
  const at = member(map, spot, 'tools');
  if (at === undefined) return undefined;
  const items = expect.list(at, 'server/tool') ?? [];
  if (items.length === 0 && at.node.kind === 'list') {
    expect.problem(at.node.at, at.path, 'an empty list', 'at least one server/tool');
  }
  return items.flatMap((item) => readTool(expect, item) ?? []);
}

const toolText = /^[A-Za-z0-9_\-./*@:]+$/u;

function readTool(expect: Expect, spot: Spot): ToolPattern | undefined {
  const allowed = 'server/tool, or server/pattern with * in the tool part';
  const text = expect.text(spot, allowed);
  if (text === undefined) return undefined;
  const cut = text.indexOf('/');
  const server = cut < 0 ? undefined : parseServerName(text.slice(0, cut));
  const tool = text.slice(cut + 1);
  if (cut < 0 || server === undefined || tool === '' || !toolText.test(tool)) {
    return expect.problem(
      spot.node.at,
      spot.path,
      JSON.stringify(text),
      `${allowed}; a server is named exactly`,
    );
  }
  if (tool.startsWith('@')) return expect.notBuilt(spot.node.at, spot.path, `the surface ${text}`);
  return { at: spot.node.at, server, tool, glob: tool.includes('*') };
}

/** Reads `where`. */
export function readWhere(expect: Expect, map: DocMap, spot: Spot): Where | undefined {
  const at = member(map, spot, 'where');
  if (at === undefined) return undefined;
  const fields = expect.members(at);
  if (at.node.kind === 'map' && fields.length === 0) {
    expect.problem(
      at.node.at,
      at.path,
      'an empty mapping',
      'at least one field; without where a rule is unconstrained',
    );
  }
  const rest = fields.find((field) => field.key === 'rest');
  if (rest !== undefined) expect.oneOf(rest.spot, ['any']);
  const named = readFields(
    expect,
    fields.filter((field) => field.key !== 'rest'),
  );
  return { at: at.node.at, path: at.path, fields: named, rest: rest !== undefined };
}
