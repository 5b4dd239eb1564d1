/** The workload in Pawl's own terms: one box a rule, in one authority. */
import {
  type Access,
  type Authority,
  type Bucket,
  type Constraint,
  type FieldSet,
  type Rule,
  type Verb,
  Box,
  authorityOf,
  bucketOf,
  compileConstraint,
} from '../../packages/core/src/authority/index.js';
import { type ToolName, toolName, parseServerName } from '../../packages/core/src/ground/index.js';
import type { BareCall } from '../workload/generate.js';
import type { WorkloadRule } from '../workload/workload.js';

const verbs: Readonly<Record<string, Verb>> = { read: 'read', write: 'write', list: 'list', exec: 'execute' };

/** The authority that holds what the rules allow. */
export function pawlAuthority(rules: readonly WorkloadRule[]): Authority {
  const lists = new Map<ToolName, Map<Verb, Rule[]>>();
  for (const rule of rules) {
    const tool = lists.get(nameOf(rule.tool)) ?? new Map<Verb, Rule[]>();
    lists.set(nameOf(rule.tool), tool);
    const list = tool.get(verbOf(rule.verb)) ?? [];
    tool.set(verbOf(rule.verb), list);
    list.push({ rule: rule.id, level: 'permit', box: new Box({ fields: fieldsOf(rule) }) });
  }
  const buckets = new Map<ToolName, ReadonlyMap<Verb, Bucket>>();
  for (const [tool, byVerb] of lists)
    buckets.set(tool, new Map([...byVerb].map(([verb, list]) => [verb, bucketOf(list)])));
  return authorityOf('policy', buckets);
}

/** The access that reading the call gives. */
export function pawlAccess({ tool, verb, resource, args }: BareCall): Access {
  const fields: Record<string, string | number> = Object.create(null);
  fields['path'] = resource;
  for (const [name, value] of Object.entries(args)) fields[`args.${name}`] = value;
  return { tool: nameOf(tool), verb: verbOf(verb), fields, args: { ...args }, namedOnly: false, regions: [] };
}

const names = new Map<string, ToolName>();

function nameOf(tool: string): ToolName {
  const known = names.get(tool) ?? toolName(parseServerName('bench')!, tool);
  names.set(tool, known);
  return known;
}

function verbOf(verb: string): Verb {
  return verbs[verb]!;
}

function fieldsOf({ resource, args: { mode, size, host, ref } }: WorkloadRule): readonly FieldSet[] {
  return [
    field('path', { kind: 'path', globs: [pawlGlob(resource)] }),
    ...(mode === undefined ? [] : [field('args.mode', { kind: 'oneOf', values: mode.enum })]),
    ...(size === undefined ? [] : [field('args.size', { kind: 'number', integer: true, ...size })]),
    ...(host === undefined ? [] : [field('args.host', { kind: 'text', suffix: host.suffix })]),
    ...(ref === undefined ? [] : [field('args.ref', { kind: 'text', prefix: ref.prefix })]),
  ];
}

/** Two stars at the end mean one segment or more there, and none or more with Pawl. */
function pawlGlob(glob: string): string {
  return glob.endsWith('/**') ? `${glob.slice(0, -'**'.length)}*/**` : glob;
}

function field(key: string, constraint: Constraint): FieldSet {
  const place = key === 'path' ? 'path' : 'raw';
  const [alternative] = compileConstraint(constraint, {
    place,
    polarity: 'admit',
    path: { case: 'sensitive', platform: 'posix' },
  });
  const set = alternative!.get(place)!;
  return { key, path: undefined, name: key, set, text: '', ifCarried: false };
}
