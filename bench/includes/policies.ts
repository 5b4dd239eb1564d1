/** Policies of many rules and changes of them, made from the rules of the workload. */
import {
  type CompiledPolicy,
  type Json,
  type JsonObject,
  type PolicyDocument,
  compilePolicy,
  parseServerName,
  readDocument,
} from '@pawl/core';
import { parseDocument } from '../../packages/gateway/src/config/index.js';
import { generateRules } from '../workload/generate.js';
import type { WorkloadRule } from '../workload/workload.js';

/** A rule as a document states it. */
export interface DocumentRule {
  readonly tools: readonly string[];
  readonly verbs: readonly string[];
  readonly where: Readonly<Record<string, Json>>;
}

const verbs = { read: 'read', write: 'write', list: 'list', exec: 'execute' } as const;
const server = 'w';

/** Rules of a size. `oneBucket`: all of the same tool and verb. */
export function rulesOf(count: number, tools: number, oneBucket: boolean): readonly WorkloadRule[] {
  const rules = generateRules(count, tools);
  return oneBucket ? rules.map((rule) => ({ ...rule, tool: 'tool_0', verb: 'read' })) : rules;
}

/** As a document states it; the other arguments are free. */
export function stated({ tool, verb, resource, args }: WorkloadRule): DocumentRule {
  const { mode, size, host, ref } = args;
  return {
    tools: [`${server}/${tool}`],
    verbs: [Object.entries(verbs).find(([name]) => name === verb)?.[1] ?? verb],
    where: {
      path: [resource],
      ...(mode === undefined ? {} : { 'args.mode': [...mode.enum] }),
      ...(size === undefined ? {} : { 'args.size': { min: size.min, max: size.max } }),
      ...(host === undefined ? {} : { 'args.host': { suffix: host.suffix } }),
      ...(ref === undefined ? {} : { 'args.ref': { prefix: ref.prefix } }),
      rest: 'any',
    },
  };
}

/** A policy whose one agent has some rules, as read and not yet compiled. */
export interface Stated {
  readonly document: PolicyDocument;
  readonly tools: number;
}

/** The document whose one agent has these rules, parsed and read. */
export function documentOf(rules: readonly DocumentRule[], tools: number): Stated {
  const accesses = Object.values(verbs).map((verb) => ({ verb, path: 'resource' }));
  const document = {
    pawl: 1,
    servers: { [server]: { command: 'x', connector: 'work', root: '/' } },
    connectors: {
      work: {
        fields: { path: { kind: 'path' } },
        tools: Object.fromEntries(namesOf(tools).map((name) => [name, { accesses }])),
      },
    },
    agents: { a: { allow: rules } },
  };
  const parsed = parseDocument(JSON.stringify(document), 'policy.json');
  const read = parsed.ok ? readDocument(parsed.root) : parsed;
  if (!('document' in read) || read.document === undefined)
    throw new Error(JSON.stringify(read.problems.slice(0, 3)));
  return { document: read.document, tools };
}

/** Compiled, with an earlier policy at hand or alone. */
export function compiledOf({ document, tools }: Stated, before?: CompiledPolicy): CompiledPolicy {
  const name = parseServerName(server);
  if (name === undefined) throw new Error('no server name');
  const definitions = namesOf(tools).map((tool) => ({ name: tool, definition: { name: tool, inputSchema } }));
  const { policy, problems } = compilePolicy({
    document,
    tools: new Map([[name, definitions]]),
    facts: new Map(),
    protectedPaths: [],
    vanishedTool: 'problem',
    ...(before === undefined ? {} : { before }),
  });
  if (policy === undefined) throw new Error(JSON.stringify(problems.slice(0, 3)));
  return policy;
}

function namesOf(tools: number): readonly string[] {
  return Array.from({ length: tools }, (_, at) => `tool_${at}`);
}

const text = { type: 'string' };
const inputSchema: JsonObject = {
  type: 'object',
  properties: { resource: text, mode: text, size: { type: 'number' }, host: text, ref: text },
  required: ['resource'],
  additionalProperties: false,
};

// --- changes ---

/** The same rule for fewer sizes; one without sizes gets them. */
export function narrowed(rule: WorkloadRule, by: number): WorkloadRule {
  const { min, max } = rule.args.size ?? { min: 0, max: 20_000 };
  return { ...rule, args: { ...rule.args, size: { min, max: Math.max(min, max - by) } } };
}

/** The same rule for everything beneath its first folder. */
export function widened(rule: WorkloadRule): WorkloadRule {
  const [, root = ''] = rule.resource.split('/');
  return { ...rule, resource: `/${root}/**` };
}

/** Two rules that together say the same, where the rule names sizes. */
export function halves(rule: WorkloadRule, at: number): readonly DocumentRule[] {
  const whole = stated(rule);
  const { size } = rule.args;
  if (size === undefined || size.max - size.min < 3) return [whole];
  const middle = size.min + 1 + (at % (size.max - size.min - 1));
  return [
    { ...whole, where: { ...whole.where, 'args.size': { min: size.min, max: middle } } },
    { ...whole, where: { ...whole.where, 'args.size': { above: middle, max: size.max } } },
  ];
}
