/** Compiling a document: executors, and for each tool that one may touch, what is said of it. */
import { type References, builtinNames } from '../connector/index.js';
import {
  Expect,
  type AgentName,
  type ExecutorId,
  type LoadProblem,
  type ServerName,
  executorId,
} from '../ground/index.js';
import { compileAgent } from './compile-agent.js';
import type { AgentOutline, CompileInput, ExecutorPolicy } from './compile-input.js';
import type { AgentSource, PolicyDocument, ServerSource, Settings } from './document.js';
import { type AgentParts, keepMade, madeBefore, sameReferences } from './made.js';
import { ownServer, withOwnTools } from './own-tools.js';
import { trustFact } from './read-skills.js';
import { sameData } from './same.js';
import { type DeclaredState, idleEntries } from './stored-limits.js';
import { type ServerFrame, type ToolCatalog, folderStands, serverFrame } from './tool.js';
import { type Work, finish, withEach } from './work.js';

/** A compiled document. Frozen; pure lookups only. */
export interface CompiledPolicy {
  readonly settings: Settings;
  readonly servers: ReadonlyMap<ServerName, ServerFrame>;
  readonly agents: ReadonlyMap<AgentName, AgentOutline>;
  readonly executors: ReadonlyMap<ExecutorId, ExecutorPolicy>;
  /** How each stored entry of a ceiling or a narrowing stands to the document. */
  readonly declared: readonly DeclaredState[];
  /** What it was compiled from, where an agent may delegate: what is delegated is compiled against it. */
  readonly from?: CompileInput;
}

/** A compiled policy, or everything wrong; findings either way. */
export interface Compiled {
  readonly policy: CompiledPolicy | undefined;
  readonly problems: readonly LoadProblem[];
  readonly findings: readonly LoadProblem[];
}

/** Compiles. Never throws for anything that a document or a server's tools can contain. */
export function compilePolicy(input: CompileInput): Compiled {
  return finish(compileInSteps(input));
}

/** As {@link compilePolicy}, with a rest after each rule and each tool: a gateway goes on with its calls in between. */
export function* compileInSteps(input: CompileInput): Work<Compiled> {
  const expect = new Expect();
  const { document } = input;
  const made = madeBefore(input.before);
  const servers = yield* compileServers(expect, input);
  const named: References = { sets: scalarSets(document), facts: input.facts };
  const references = sameReferences(made?.references, named);
  const executors = new Map<ExecutorId, ExecutorPolicy>();
  const agents = new Map<AgentName, AgentOutline>();
  const parts = new Map<AgentName, AgentParts>();
  const declared: DeclaredState[] = [];
  for (const agent of document.agents.values()) {
    const given = { expect, input, servers, references, agent };
    const compiled = yield* compileAgent(given, made?.agents.get(agent.name));
    for (const executor of compiled.executors) executors.set(executor.id, executor);
    parts.set(agent.name, compiled.parts);
    declared.push(...compiled.declared);
    agents.set(agent.name, yield* outlineOf(agent, input.before));
    yield;
  }
  declared.push(...idleEntries(input));
  const settings = { ...document.settings, skillTrust: input.facts.get(trustFact) };
  const from = hasDelegates(document) ? { from: kept(input) } : {};
  const policy: CompiledPolicy = Object.freeze({ settings, servers, agents, executors, declared, ...from });
  keepMade(policy, { references, agents: parts });
  const problems = distinct(expect.problems);
  return {
    policy: problems.length === 0 ? policy : undefined,
    problems,
    findings: distinct(expect.findings),
  };
}

/** What is kept of an agent; that of before where it is the same. */
function* outlineOf(
  { name, limits, allow, ask, deny, delegate, skills }: AgentSource,
  before: CompileInput['before'],
): Work<AgentOutline> {
  const grants = skills.flatMap(({ grant }) => grant);
  const distinctly = new Map<string, AgentOutline['tools'][number]>();
  yield* withEach([...allow, ...ask, ...deny, ...grants], ({ tools }) => {
    for (const { server, tool } of tools ?? []) distinctly.set(`${server}/${tool}`, { server, tool });
  });
  const outline = {
    name,
    limits: limits.map(({ name: limit, uses, per }) => ({ name: limit, uses, per })),
    tools: [...distinctly.values()],
    ...(delegate === undefined ? {} : { delegate }),
  };
  const known = before?.agents.get(name);
  return known !== undefined && sameData(known, outline) ? known : Object.freeze(outline);
}

/** The executor of an agent, or of its instance; undefined parts are told apart by the caller. */
export function executorPolicy(
  policy: CompiledPolicy,
  agent: AgentName,
  instance: string | undefined,
): ExecutorPolicy | undefined {
  return policy.executors.get(executorId(agent, instance));
}

function* compileServers(expect: Expect, input: CompileInput): Work<ReadonlyMap<ServerName, ServerFrame>> {
  const servers = new Map<ServerName, ServerFrame>();
  const { names, tools } = allServers(input);
  for (const name of names) {
    const source = input.document.servers.get(name);
    const { frame, absent } = serverFrame(name, { ...input, tools }, input.before?.servers.get(name));
    if (source !== undefined) checkFolders(expect, source, input.folder);
    servers.set(name, frame);
    const { at, path } = source ?? { at: { line: 1, column: 1 }, path: `servers.${name}` };
    const reserved = builtinNames().includes(name) || input.document.connectors.has(name);
    if (reserved && frame.connector?.name !== name) {
      const allowed = `connector: ${name}, or another server name`;
      expect.problem(at, path, `server name "${name}" without that connector`, allowed);
    }
    for (const { tool, why } of absent) expect.finding(at, path, `${tool} is not mounted: ${why}`);
    yield;
  }
  return servers;
}

function hasDelegates({ agents }: PolicyDocument): boolean {
  return [...agents.values()].some(({ delegate }) => delegate !== undefined);
}

/** What was given, without the policies of before: none of them is held by a later one. */
function kept({ before: _before, ...input }: CompileInput): CompileInput {
  return input;
}

/** Those of the document and of the tool lists, and Pawl's own once any agent has a use for it. */
function allServers({ document, tools }: CompileInput): {
  readonly names: ReadonlySet<ServerName>;
  readonly tools: ToolCatalog;
} {
  const delegates = hasDelegates(document);
  const names = [...document.servers.keys(), ...(tools?.keys() ?? []), ...(delegates ? [ownServer] : [])];
  return { names: new Set(names), tools: delegates ? withOwnTools(tools) : tools };
}

function checkFolders(expect: Expect, source: ServerSource, folder: string | undefined): void {
  for (const key of ['root', 'home'] as const) {
    const text = source[key];
    if (text !== undefined && !folderStands(text, source, folder)) {
      expect.problem(
        source.at,
        `${source.path}.${key}`,
        JSON.stringify(text),
        'an absolute folder, or one relative to the document',
      );
    }
  }
}

/** The sets of a document as constraints refer to them. */
export function scalarSets(document: PolicyDocument): References['sets'] {
  return new Map(
    [...document.sets].map(([name, items]) => [
      name,
      items.filter((item) => typeof item !== 'object' || item === null),
    ]),
  );
}

function distinct(problems: readonly LoadProblem[]): readonly LoadProblem[] {
  const seen = new Map(problems.map((each) => [`${each.at.line}:${each.at.column}:${each.message}`, each]));
  return [...seen.values()].sort((a, b) => a.at.line - b.at.line || a.at.column - b.at.column);
}
