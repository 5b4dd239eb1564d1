/** Tools that are actors: the methods of one actor under the name of a server. */
import {
  type JsonObject,
  type ServerName,
  UsageError,
  canonicalJson,
  mountableTool,
  parseServerName,
  sha256,
  toolName,
} from '../ground/index.js';
import type { ToolDefinition } from '../policy/index.js';
import {
  type Actor,
  type Bundle,
  type Ref,
  type SpawnOptions,
  lacking,
  spawn,
  toolRef,
} from '../vat/index.js';
import type { Entry } from './registry.js';

/** What is to become tools. */
export interface ActorMount<P extends object, M> extends SpawnOptions {
  /** The name before the slash. */
  readonly server: string;
  readonly actor: Actor<P, M>;
  /** What there is; if anything is missing that the definition names, there are no tools. */
  readonly powers: Partial<NoInfer<P>> | Bundle<Partial<NoInfer<P>>>;
  /** For the model, by method. */
  readonly descriptions?: Readonly<Partial<Record<keyof M, string>>>;
}

/** Tools of one actor. */
export interface ActorTools {
  readonly server: ServerName;
  /** Every method with a schema that a model can read, whether it is there or not: what rules may name. */
  readonly definitions: readonly ToolDefinition[];
  /** What is mounted: all of them, or none where a power is missing. */
  readonly entries: readonly Entry[];
  /** `fs`, or `fs.readFile`. */
  readonly missing: readonly string[];
  /** The actor itself, for the program; undefined where a power is missing. */
  readonly ref: Ref | undefined;
}

/**
 * Spawns the actor if all its powers are there. INVARIANT(S001.absent-tool): with a power missing there is no actor, so there are no tools. Throws
 * UsageError for a server name that is none, and for an actor without a method that could be a tool.
 */
export function actorTools<P extends object, M>(mount: ActorMount<P, M>): ActorTools {
  const { server: text, actor, powers, descriptions = {}, ...options } = mount;
  const server = parseServerName(text);
  if (server === undefined)
    throw new UsageError(`server is ${JSON.stringify(text)}; allowed is [a-z][a-z0-9-]*`);
  const definitions = definitionsOf(actor, descriptions);
  if (definitions.length === 0)
    throw new UsageError(`${server}: no method has a schema that a model can read`);
  const missing = lacking(actor, powers);
  if (missing.length > 0) return { server, definitions, entries: [], missing, ref: undefined };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing is missing
  const ref = spawn(actor, powers as P, options);
  const entries = definitions.map(
    ({ name, definition }): Entry => ({
      tool: toolName(server, name),
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the names are those of its methods
      ref: toolRef(ref, name as keyof M & string),
      definition,
      digest: sha256(canonicalJson(definition)),
      reads: actor.methods.get(name)?.effect === 'read',
    }),
  );
  return { server, definitions, entries, missing, ref };
}

function definitionsOf(
  { methods }: Actor<never, unknown>,
  descriptions: Readonly<Partial<Record<PropertyKey, string>>>,
): readonly ToolDefinition[] {
  return [...methods].flatMap(([name, { args, effect }]) => {
    if (args.json === undefined || !mountableTool(name)) return [];
    const description = descriptions[name];
    const definition: JsonObject = {
      name,
      ...(description === undefined ? {} : { description }),
      inputSchema: args.json,
      annotations: { readOnlyHint: effect === 'read' },
    };
    return [{ name, definition }];
  });
}
