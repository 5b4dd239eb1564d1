/** Policies from the text of a document, and calls judged as the gateway judges them. */
import { type AccessView, accessView } from '../packages/core/src/dispatch/access-view.js';
import { type Admission, admit } from '../packages/core/src/dispatch/admit.js';
import type { Json, JsonObject, LoadProblem, ServerName } from '../packages/core/src/ground/index.js';
import { parseServerName, parseToolName } from '../packages/core/src/ground/index.js';
import {
  type CompileInput,
  type CompiledPolicy,
  type PolicyDocument,
  type ToolCatalog,
  compilePolicy,
  executorOf,
  readDocument,
} from '../packages/core/src/policy/index.js';
import { parseDocument } from '../packages/gateway/src/config/index.js';

/** Tools by server: name to input schema. */
export type Tools = Readonly<Record<string, Readonly<Record<string, Json>>>>;

/** An object schema that is closed; `required` are names of properties. */
export function closed(properties: JsonObject, ...required: readonly string[]): JsonObject {
  return { type: 'object', properties, required: [...required], additionalProperties: false };
}

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const oneOrMore = { type: ['string', 'array', 'number', 'boolean', 'null'] };

/** Schemas of a few tools of the filesystem server, as its package states them. */
export const filesystemTools: Readonly<Record<string, Json>> = {
  read_text_file: closed({ path: text, head: { type: 'number' }, tail: { type: 'number' } }, 'path'),
  read_multiple_files: closed({ paths: texts }, 'paths'),
  search_files: closed(
    { path: text, pattern: text, excludePatterns: { ...texts, default: [] } },
    'path',
    'pattern',
  ),
  directory_tree: closed({ path: text, excludePatterns: { ...texts, default: [] } }, 'path'),
  list_directory: closed({ path: text }, 'path'),
  write_file: closed({ path: text, content: text }, 'path', 'content'),
  edit_file: closed(
    { path: text, edits: { type: 'array' }, dryRun: { type: 'boolean', default: false } },
    'path',
    'edits',
  ),
  move_file: closed({ source: text, destination: text }, 'source', 'destination'),
  list_allowed_directories: { type: 'object', properties: {} },
};

/** A tool `s/t` that takes anything plain as `x`, `y` and `z`, and an object `o`. */
export const plainTools: Tools = {
  s: { t: closed({ x: oneOrMore, y: oneOrMore, z: oneOrMore, o: { type: 'object' } }) },
};

/** A document, read and compiled. */
export interface Loaded {
  /** Absent where it could not be read. */
  readonly document?: PolicyDocument | undefined;
  readonly policy: CompiledPolicy | undefined;
  readonly problems: readonly LoadProblem[];
  readonly findings: readonly LoadProblem[];
}

/** Loads the text of a document; without `tools` no schema is known. */
export function load(
  document: string,
  tools?: Tools,
  changes: Partial<CompileInput> = {},
  onRead: (read: PolicyDocument) => void = () => undefined,
): Loaded {
  const parsed = parseDocument(document, 'policy.yaml');
  if (!parsed.ok) return { policy: undefined, problems: parsed.problems, findings: [] };
  const read = readDocument(parsed.root);
  if (read.document === undefined) return { policy: undefined, ...read };
  onRead(read.document);
  const compiled = compilePolicy({
    document: read.document,
    tools: catalogOf(tools),
    facts: new Map(),
    protectedPaths: [],
    vanishedTool: 'problem',
    ...changes,
  });
  return { ...compiled, document: read.document, findings: [...read.findings, ...compiled.findings] };
}

function catalogOf(tools: Tools | undefined): ToolCatalog {
  if (tools === undefined) return undefined;
  const catalog = Object.entries(tools).map(([server, list]) => {
    const definitions = Object.entries(list).map(([name, inputSchema]) => ({
      name,
      definition: { name, inputSchema },
    }));
    return [serverNamed(server), definitions] as const;
  });
  return new Map(catalog);
}

function serverNamed(text: string): ServerName {
  const name = parseServerName(text);
  if (name === undefined) throw new Error(`${text} is no server name`);
  return name;
}

/** What is said of a call. */
export interface Verdict {
  readonly decision: 'permit' | 'session' | 'once' | 'deny';
  readonly code?: string;
  readonly layer?: string;
  readonly constraint?: string;
  readonly rule?: string;
  readonly message?: string;
  /** As forwarded. */
  readonly args?: JsonObject;
  readonly filled?: readonly string[];
  readonly accesses: readonly AccessView[];
}

/** Who calls, and how much a refusal shows. */
export interface CallOptions {
  readonly agent?: string;
  readonly instance?: string;
  readonly disclosure?: 'names' | 'values';
}

/** Loads a document that must be right, and judges calls under it. */
export function gate(document: string, tools?: Tools, changes: Partial<CompileInput> = {}): Gate {
  const loaded = load(document, tools, changes);
  if (loaded.policy === undefined) throw new Error(loaded.problems.map((each) => each.message).join('\n'));
  return new Gate(loaded.policy, loaded.findings);
}

/** A policy in force. */
export class Gate {
  readonly policy: CompiledPolicy;
  readonly findings: readonly LoadProblem[];

  constructor(policy: CompiledPolicy, findings: readonly LoadProblem[]) {
    this.policy = policy;
    this.findings = findings;
  }

  /** The verdict on one call of `server/tool`. */
  call(tool: string, args: Json = {}, { agent = 'a', instance, disclosure }: CallOptions = {}): Verdict {
    const executor = executorOf(this.policy, agent, instance);
    if ('kind' in executor) return { decision: 'deny', accesses: [], ...executor };
    const name = parseToolName(tool);
    if (name === undefined) throw new Error(`${tool} is no tool name`);
    return verdictOf(admit({ executor, tool: name, shown: tool, args, disclosure }));
  }

  /** Whether the call may go without asking. */
  permits(tool: string, args: Json = {}, options: CallOptions = {}): boolean {
    return this.call(tool, args, options).decision === 'permit';
  }
}

function verdictOf(admission: Admission): Verdict {
  const accesses = admission.accesses.map(accessView);
  if (admission.kind === 'refused') {
    const { code, layer, message, constraint, rule } = admission.denial;
    const named = {
      ...(constraint === undefined ? {} : { constraint }),
      ...(rule === undefined ? {} : { rule }),
    };
    return { decision: 'deny', code, layer, message, accesses, ...named };
  }
  return { decision: admission.level, args: admission.args, filled: admission.filled, accesses };
}
