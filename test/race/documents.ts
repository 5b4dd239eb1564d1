/** The documents that race tests and the storm reload, and what each of them says of a call: computed apart from any dispatcher. */
import {
  type Admission,
  type Comparison,
  type CompiledPolicy,
  type JsonObject,
  admit,
  comparePolicies,
  executorOf,
  judgeCall,
  parseServerName,
  parseToolName,
} from '@pawl/core';
import { compileRead, readPolicyText } from '../../packages/gateway/src/config/index.js';

/** The way in which calls that wait are treated by a reload. */
export type Posture = 'recheck' | 'bind';

/** The one tool, `s/t`, whose schema takes two optional texts. */
export const tools = {
  s: {
    t: {
      type: 'object',
      properties: { x: { type: 'string' }, y: { type: 'string' } },
      additionalProperties: false,
    },
  },
};

/** Rules of agent `a` by name. From `wide` each of the others but `alien` is an attenuation, and `turned` says the same as `narrow`. */
const rules = {
  wide: '{ tools: [s/t], where: { args.x: [red, green, blue], args.y: any } }',
  narrow: '{ tools: [s/t], where: { args.x: [red, blue], args.y: any } }',
  turned:
    '{ tools: [s/t], where: { args.x: [blue], args.y: any } }, { tools: [s/t], where: { args.x: [red], args.y: any } }',
  red: '{ tools: [s/t], where: { args.x: [red] } }',
  fills: '{ tools: [s/t], where: { args.x: [red, blue], args.y: [one] } }',
  asks: '{ tools: [s/t], where: { args.x: [red] } }, { tools: [s/t], ask: session, where: { args.x: [blue, green] } }',
  once: '{ tools: [s/t], where: { args.x: [red] } }, { tools: [s/t], ask: once, where: { args.x: [blue] } }',
  counts:
    '{ tools: [s/t], uses: 1, where: { args.x: [red] } }, { tools: [s/t], ask: once, where: { args.x: [red, blue] } }',
  nothing: '',
  alien: '{ tools: [s/t], where: { args.x: [violet] } }',
} as const;

/** What agent `a` may. */
export type Shape = keyof typeof rules;

/** Every shape. */
export const shapes = Object.keys(rules) as readonly Shape[];

/** The text of a document; agent `b` may pass `red`, and in the second form `blue` too. */
export function documentOf(shape: Shape, posture: Posture, b: 'red' | 'red, blue' = 'red'): string {
  return `pawl: 1
servers:
  s: { command: s }
agents:
  a: { allow: [ ${rules[shape]} ] }
  b: { allow: [ { tools: [s/t], where: { args.x: [${b}] } } ] }
reload: { posture: ${posture} }
`;
}

const compiled = new Map<string, CompiledPolicy>();

/** The compiled document; the same text is compiled once. Throws where it has problems. */
export function policyOf(text: string): CompiledPolicy {
  const known = compiled.get(text);
  if (known !== undefined) return known;
  const read = readPolicyText('policy.yaml', text);
  if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join('; '));
  const server = parseServerName('s');
  if (server === undefined) throw new Error('no server name');
  const definitions = Object.entries(tools.s).map(([name, inputSchema]) => ({
    name,
    definition: { name, inputSchema },
  }));
  const catalog = new Map([[server, definitions]]);
  const loaded = compileRead(read.policy, { tools: catalog, vanishedTool: 'problem' });
  if (!loaded.ok) throw new Error(loaded.problems.map(({ message }) => message).join('; '));
  compiled.set(text, loaded.policy);
  return loaded.policy;
}

const compared = new Map<string, Comparison>();

/** How the second document stands to the first, by the real comparison. */
export function comparisonOf(old: string, next: string): Comparison {
  const key = `${old}\n---\n${next}`;
  const known =
    compared.get(key) ?? comparePolicies({ old: policyOf(old), next: policyOf(next), judge: judgeCall });
  compared.set(key, known);
  return known;
}

const admissions = new Map<string, Admission>();

/** What a document says of a call of `s/t`, whatever is or was in force. */
export function saidBy(text: string, agent: string, args: JsonObject): Admission {
  const key = `${agent} ${JSON.stringify(args)} ${text}`;
  const known = admissions.get(key) ?? judged(text, agent, args);
  admissions.set(key, known);
  return known;
}

function judged(text: string, agent: string, args: JsonObject): Admission {
  const policy = policyOf(text);
  const executor = executorOf(policy, agent, undefined);
  const tool = parseToolName('s/t');
  if (tool === undefined) throw new Error('no tool name');
  if ('kind' in executor) return { kind: 'refused', denial: executor, accesses: [] };
  return admit({ executor, tool, shown: 's__t', args, disclosure: 'names' });
}
