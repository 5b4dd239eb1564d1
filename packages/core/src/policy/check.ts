/** Rules that can never match: found at load where the tools are known. */
import { type Box, type ValueSet, type Verb, includes, or } from '../authority/index.js';
import type { Limit } from '../ceiling/index.js';
import {
  type ToolFrame,
  builtinConnector,
  connectorNames,
  parseArgumentName,
  possible,
  standing,
} from '../connector/index.js';
import type { ServerName } from '../ground/index.js';
import type { NotApplying, ToolRule } from './boxes.js';
import type { AgentInput } from './compile-input.js';
import type { ToolPattern } from './document.js';
import { type RuleUse, matchesTool } from './rule-index.js';
import { type ServerFrame, schemalessTool } from './tool.js';
import type { ToolRules } from './tool-policy.js';

type Apply = (frame: ToolFrame) => ToolRule | NotApplying;

/** Notes what is wrong with where a rule points, pattern by pattern. */
export function checkRule(context: AgentInput, use: RuleUse, apply: Apply): void {
  const { source } = use;
  const patterns = source.tools;
  if (patterns === undefined) {
    const frames = [...context.servers.values()].flatMap(framesOf);
    if (context.input.tools !== undefined) checkSpread(context, use, frames, apply);
    return;
  }
  for (const pattern of patterns) {
    const server = context.servers.get(pattern.server);
    if (server === undefined) {
      const known = [...context.servers.keys()].join(', ');
      context.expect.problem(
        pattern.at,
        source.path,
        `server ${pattern.server}`,
        known === '' ? 'no server is declared' : known,
      );
    } else if (pattern.glob) {
      const frames = framesOf(server).filter((frame) => matchesTool(pattern, server.name, toolPart(frame)));
      if (server.tools !== undefined) checkSpread(context, use, frames, apply, pattern);
    } else checkExact(context, use, server, pattern, apply);
  }
}

function framesOf(server: ServerFrame): readonly ToolFrame[] {
  return [...(server.tools?.values() ?? [])].map((tool) => tool.frame);
}

function toolPart(frame: ToolFrame): string {
  return frame.tool.slice(frame.tool.indexOf('/') + 1);
}

function checkExact(
  context: AgentInput,
  use: RuleUse,
  server: ServerFrame,
  pattern: ToolPattern,
  apply: Apply,
): void {
  const { expect } = context;
  const { source } = use;
  const frame =
    server.tools === undefined ? schemalessTool(server, pattern.tool) : server.tools.get(pattern.tool)?.frame;
  const name = `${pattern.server}/${pattern.tool}`;
  if (frame === undefined) {
    const known = [...(server.tools?.keys() ?? [])].slice(0, 20).join(', ');
    noteVanished(
      context,
      pattern.at,
      source.path,
      `tool ${name}`,
      known === '' ? 'a tool of this server' : `a tool of this server: ${known}`,
    );
    return;
  }
  const applied = apply(frame);
  if ('missing' in applied) {
    const { missing } = applied;
    expect.problem(
      missing.at,
      source.path,
      `field ${missing.name}, which ${name} does not have`,
      'a field of the tool, or args.NAME of its schema',
    );
  } else if ('noVerb' in applied) {
    expect.problem(
      source.at,
      source.path,
      `verbs that ${name} does not have with these fields`,
      'verbs of the tool',
    );
  } else if ('boxes' in applied && !applied.boxes.some((box) => couldMatch(frame, box))) {
    expect.problem(
      source.at,
      source.path,
      `a rule that no call of ${name} can match`,
      'constraints that some call can meet',
    );
  }
}

/** Whether the types and listed values of the schema let some call into the box. */
function couldMatch({ schema }: ToolFrame, box: Box): boolean {
  if (schema === undefined) return true;
  return box.fields.every(({ key, set }) => {
    const [name, deeper] = parseArgumentName(key) ?? [];
    return name === undefined || deeper !== undefined || possible(schema, name, set);
  });
}

function noteVanished(
  context: AgentInput,
  at: ToolPattern['at'],
  path: string,
  found: string,
  allowed: string,
): void {
  if (context.input.vanishedTool === 'problem') context.expect.problem(at, path, found, allowed);
  else context.expect.finding(at, path, `${found} is not there now`);
}

/** A rule over several tools: an error if no tool takes it, a finding for each that does not. */
function checkSpread(
  context: AgentInput,
  use: RuleUse,
  frames: readonly ToolFrame[],
  apply: Apply,
  pattern?: ToolPattern,
): void {
  const { source, list } = use;
  const at = pattern?.at ?? source.at;
  if (frames.length === 0) {
    const found =
      pattern === undefined ? 'no tool at all' : `no tool that matches ${pattern.server}/${pattern.tool}`;
    if (list === 'allow') noteVanished(context, at, source.path, found, 'a pattern that some tool matches');
    else context.expect.finding(at, source.path, `${found}: it waits for later ones`);
    return;
  }
  const applied = frames.map((frame) => ({ frame, result: apply(frame) }));
  if (applied.some(({ result }) => 'boxes' in result || 'broken' in result)) {
    const without = applied.filter(({ result }) => 'missing' in result).map(({ frame }) => frame.tool);
    if (pattern !== undefined && without.length > 0)
      context.expect.finding(
        at,
        source.path,
        `does not concern ${without.slice(0, 8).join(', ')}: the tool does not have the field`,
      );
    return;
  }
  const missing = applied.flatMap(({ result }) => ('missing' in result ? [result.missing] : []));
  const [field] = missing;
  if (field === undefined)
    context.expect.problem(source.at, source.path, 'verbs that no tool here has', 'verbs of the tools');
  else
    context.expect.problem(
      field.at,
      source.path,
      `field ${field.name}, which no tool here has`,
      'a field of some tool, or args.NAME of some schema',
    );
}

/** Whether the denials, one by one or joined in one field, take away the whole of a box. */
export function whollyDenied(denied: readonly Box[], allowed: Box): boolean {
  const joined = new Map<string, ValueSet>();
  for (const box of denied) {
    const [only, second] = box.fields;
    if (box.fields.every((field) => holdsAll(field.set, allowed.setOf(field.key)))) return true;
    if (only !== undefined && second === undefined)
      joined.set(only.key, or(joined.get(only.key) ?? only.set, only.set));
  }
  return [...joined].some(([key, set]) => holdsAll(set, allowed.setOf(key)));
}

function holdsAll(denied: ValueSet, allowed: ValueSet | undefined): boolean {
  return allowed !== undefined && includes(denied, allowed);
}

/** Allow rules of which denials leave nothing, on any tool: they can never match. */
export function checkDenied(context: AgentInput, rules: Iterable<ToolRules>): void {
  const alive = new Set<string>();
  const dead = new Set<string>();
  for (const { allow, deny } of rules) {
    for (const rule of allow) {
      const left = rule.boxes.some((box) =>
        rule.verbs.some((verb) => !whollyDenied(denialsOf(deny, verb), box)),
      );
      (left ? alive : dead).add(rule.path);
    }
  }
  for (const source of context.agent.allow) {
    if (!dead.has(source.path) || alive.has(source.path)) continue;
    context.expect.problem(
      source.at,
      source.path,
      'a rule that can never match: denials take away all of it',
      'a rule of which something is left',
    );
  }
}

function denialsOf(deny: readonly ToolRule[], verb: Verb): readonly Box[] {
  return deny.filter((rule) => rule.verbs.includes(verb)).flatMap((rule) => rule.boxes);
}

/** Ceilings and narrowings: names that are no connector and no server, and fields that nothing has. */
export function checkLimits(
  context: AgentInput,
  limits: readonly Limit[],
  servers: ReadonlyMap<ServerName, ServerFrame>,
): void {
  for (const limit of limits) {
    const own = [...servers.values()].filter(
      ({ name, connector }) => name === limit.on || connector?.name === limit.on,
    );
    const table = builtinConnector(limit.on);
    if (own.length === 0 && table === undefined) {
      const known = [...new Set([...servers.keys(), ...connectorNames])].join(', ');
      context.expect.problem(limit.at, limit.path, `${limit.on}, which is no connector and no server`, known);
      continue;
    }
    for (const field of limit.fields) {
      const inTable = table !== undefined && Object.hasOwn(table.fields, field.name);
      const frames = own.flatMap(framesOf);
      const inTool = frames.some((frame) => standing(frame, field).kind !== 'no');
      const unknown = own.some((server) => server.tools === undefined) && field.name.startsWith('args.');
      const ownField = own.some(
        ({ connector }) => connector !== undefined && Object.hasOwn(connector.fields, field.name),
      );
      if (inTable || inTool || unknown || ownField) continue;
      const allowed = own.flatMap(({ connector }) => Object.keys(connector?.fields ?? table?.fields ?? {}));
      context.expect.problem(
        field.at,
        limit.path,
        `field ${field.name}`,
        [...new Set([...allowed, 'args.NAME of a server'])].join(', '),
      );
    }
  }
}
