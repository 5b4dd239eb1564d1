/** Sources of generations: what is stored of a policy, what is compared, and what can be compiled again. */
import {
  type CompiledPolicy,
  type Declaration,
  type Digest,
  type GenerationSource,
  type Json,
  type JsonObject,
  type PolicyDocument,
  type ServerName,
  type ToolDefinition,
  canonicalJson,
  generationHash,
  own,
  parseServerName,
  semanticsVersion,
  sha256,
} from '@pawl/core';
import { type BadPolicy, type ReadPolicy, compileRead, readCaptured } from '../config/index.js';

/** Definitions in force, by server. */
export type ToolsInForce = ReadonlyMap<ServerName, readonly ToolDefinition[]>;

/** Everything that decides, before it is hashed. */
export interface SourceParts {
  readonly read: ReadPolicy;
  readonly policy: CompiledPolicy;
  readonly tools: ToolsInForce;
  readonly protectedPaths: readonly string[];
  /** What is stored for executors beside the document; nothing unless told. */
  readonly declared?: readonly Declaration[];
}

/** The source of a compiled policy, and the hash of everything that decides; neutral keys (descriptions) count for neither hash. */
export function sourceOf({ read, policy, tools, protectedPaths, declared = [] }: SourceParts): {
  readonly source: GenerationSource;
  readonly hash: Digest;
} {
  const connectors = Object.fromEntries(
    [...policy.servers.values()].map(({ name, connector }) => [
      name,
      connector === undefined ? null : { name: connector.name, version: connector.version },
    ]),
  );
  const facts = Object.fromEntries(read.facts);
  const deciding: JsonObject = {
    document: read.digest ?? documentDigest(read.document),
    folder: read.folder,
    facts,
    tools: Object.fromEntries([...tools].map(([name, list]) => [name, digestsByName(list)])),
    protectedPaths: [...protectedPaths],
    ...(declared.length === 0 ? {} : { declared: decidingIn(declared) }),
  };
  const source: GenerationSource = {
    document: read.text,
    folder: read.folder,
    facts,
    tools: Object.fromEntries([...tools].map(([name, list]) => [name, list.map(storedTool)])),
    ...(declared.length === 0 ? {} : { declared }),
    protectedPaths,
    connectors,
    semantics: semanticsVersion,
    content: sha256(canonicalJson(deciding)),
  };
  return { source, hash: generationHash({ ...deciding, connectors }) };
}

/** Reads the policy of a source; nothing is opened. `file` is where it is said to stand. */
export function readSource(
  file: string,
  { document, folder, facts }: GenerationSource,
  otherwise: string,
): { readonly ok: true; readonly policy: ReadPolicy } | BadPolicy {
  return readCaptured(file, { document, folder: folder ?? otherwise, facts: new Map(Object.entries(facts)) });
}

/** Compiles a source as it was compiled when it was in force; what equals a part of `before` is that part. */
export function compileSource(
  file: string,
  source: GenerationSource,
  before?: CompiledPolicy,
): ReturnType<typeof compileRead> {
  const read = readSource(file, source, '/');
  if (!read.ok) return read;
  return compileRead(read.policy, { ...sourceOptions(source), ...(before && { before }) });
}

/** How the policy of a source is compiled. */
export function sourceOptions(source: GenerationSource): Parameters<typeof compileRead>[1] {
  const { protectedPaths, declared = [] } = source;
  return { tools: toolsOf(source), protectedPaths, declared, vanishedTool: 'finding' };
}

/** The definitions of a source. */
export function toolsOf({ tools }: GenerationSource): ToolsInForce {
  const found = new Map<ServerName, readonly ToolDefinition[]>();
  for (const [server, list] of Object.entries(tools)) {
    const name = parseServerName(server);
    if (name !== undefined) found.set(name, list.flatMap(definitionOf));
  }
  return found;
}

/** As `tools/list` shows it, under the name that the server lists it by. */
function storedTool({ name, definition }: ToolDefinition): JsonObject {
  return own(definition, 'name') === name ? definition : { ...definition, name };
}

function definitionOf(definition: JsonObject): readonly ToolDefinition[] {
  const name = own(definition, 'name');
  return typeof name === 'string' ? [{ name, definition }] : [];
}

/** Digest of a document without its neutral keys. */
export function documentDigest({ plain }: PolicyDocument): Digest {
  return sha256(canonicalJson(withoutNeutral(plain)));
}

const digests = new WeakMap<JsonObject, Digest>();

/** What of stored entries decides: not who declared them, nor when, nor their order. */
function decidingIn(declared: readonly Declaration[]): Json {
  return Object.fromEntries(
    declared.map(({ of, on, fields }) => [`${of} ${on}`, fields ?? 'cannot be read']),
  );
}

/** Definitions by name: the order in which a server lists them decides nothing. */
function digestsByName(list: readonly ToolDefinition[]): Json {
  return Object.fromEntries(
    list.map(({ name, definition }) => {
      const digest = digests.get(definition) ?? sha256(canonicalJson(definition));
      digests.set(definition, digest);
      return [name, digest];
    }),
  );
}

function withoutNeutral(document: JsonObject): Json {
  const agents = own(document, 'agents');
  if (typeof agents !== 'object' || agents === null || Array.isArray(agents)) return document;
  const kept = Object.entries(agents).map(([name, agent]): [string, Json] => [
    name,
    withoutDescription(agent ?? null),
  ]);
  return { ...document, agents: Object.fromEntries(kept) };
}

function withoutDescription(agent: Json): Json {
  if (typeof agent !== 'object' || agent === null || Array.isArray(agent)) return agent;
  return Object.fromEntries(Object.entries(agent).filter(([key]) => key !== 'description'));
}
