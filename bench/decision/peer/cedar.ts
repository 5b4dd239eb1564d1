/**
 * Cedar, as WebAssembly: the verb is the action, the tool the resource, everything else context; one policy a rule, parsed
 * once and kept by the engine. It names the policies that allow. `like` has one wildcard that goes over slashes, so it cannot
 * say that something is one segment: the caller cuts the path first and hands over its first three segments and their number
 * (made beforehand, not measured). With that the workload is expressed exactly.
 */
import {
  type StatefulAuthorizationCall,
  preparsePolicySet,
  statefulIsAuthorized,
} from '@cedar-policy/cedar-wasm/nodejs';
import type { BareCall } from '../../workload/generate.js';
import type { WorkloadRule } from '../../workload/workload.js';
import type { Peer } from './judge.js';

const quoted = JSON.stringify;

function policyOf({ id, tool, verb, resource, args }: WorkloadRule): string {
  const conditions = [...pathConditions(resource), ...argumentConditions(args)].join(' && ');
  return `@id(${quoted(id)}) permit(principal, action == Action::${quoted(verb)}, resource == Tool::${quoted(tool)}) when { ${conditions} };`;
}

/** The shapes of the workload: literal segments, then one that has a star, then perhaps more. */
function pathConditions(glob: string): readonly string[] {
  const segments = glob.split('/').slice(1);
  const last = segments.at(-1)!;
  const depth = `context.depth ${last === '**' || segments.includes('**') ? '>=' : '=='} ${segments.filter((segment, i) => segment !== '**' || i === segments.length - 1).length}`;
  const literal = segments.flatMap((segment, i) =>
    segment.includes('*') ? [] : [`context.s${i} == ${quoted(segment)}`],
  );
  const ending = last.startsWith('*.') ? [`context.path like ${quoted(last)}`] : [];
  return [depth, ...literal, ...ending];
}

function argumentConditions({ mode, size, host, ref }: WorkloadRule['args']): readonly string[] {
  return [
    ...(mode === undefined
      ? []
      : [`context has mode && [${mode.enum.map((each) => quoted(each)).join(', ')}].contains(context.mode)`]),
    ...(size === undefined
      ? []
      : [`context has size && context.size >= ${size.min} && context.size <= ${size.max}`]),
    ...(host === undefined ? [] : [`context has host && context.host like ${quoted(`*${host.suffix}`)}`]),
    ...(ref === undefined ? [] : [`context has ref && context.ref like ${quoted(`${ref.prefix}*`)}`]),
  ];
}

const principal = { type: 'Agent', id: 'a' };

function questionOf({ tool, verb, resource, args }: BareCall, set: string): StatefulAuthorizationCall {
  const segments = resource.split('/').slice(1);
  const [s0 = '', s1 = '', s2 = ''] = segments;
  return {
    principal,
    action: { type: 'Action', id: verb },
    resource: { type: 'Tool', id: tool },
    context: { path: resource, depth: segments.length, s0, s1, s2, ...args },
    preparsedPolicySetId: set,
    entities: [],
  };
}

/** The peer. */
export const cedar: Peer<StatefulAuthorizationCall> = {
  name: 'cedar-wasm',
  judge(rules) {
    const set = `rules-${rules.length}`;
    const staticPolicies = Object.fromEntries(rules.map((rule) => [rule.id, policyOf(rule)]));
    const parsed = preparsePolicySet(set, { staticPolicies });
    if (parsed.type === 'failure') throw new Error(parsed.errors.map(({ message }) => message).join('; '));
    return {
      question: (call: BareCall) => questionOf(call, set),
      judge: (question) => {
        const answer = statefulIsAuthorized(question);
        if (answer.type === 'failure')
          throw new Error(answer.errors.map(({ message }) => message).join('; '));
        const { decision, diagnostics } = answer.response;
        return decision === 'allow' ? diagnostics.reason[0] : undefined;
      },
    };
  },
};
