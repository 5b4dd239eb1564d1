/**
 * ajv: schemas compiled to code. JSON Schema has no index, and one schema over all the rules is far slower (and too deep at
 * 2,000), so the host keeps a map from tool and verb to a schema that is `anyOf` over the rules of both. Globs, suffixes and
 * prefixes are patterns. The verdicts of the workload are expressed exactly; the reasons are not, as a schema does not say
 * which branch held.
 */
import { Ajv, type ValidateFunction } from 'ajv';
import type { BareCall } from '../../workload/generate.js';
import type { WorkloadRule } from '../../workload/workload.js';
import { globExpression, literally } from './glob.js';
import type { Peer } from './judge.js';

interface AjvQuestion {
  readonly tool: string;
  readonly verb: string;
  readonly rest: object;
}

function schemaOf({ resource, args: { mode, size, host, ref } }: WorkloadRule): object {
  const properties = {
    resource: { pattern: globExpression(resource) },
    ...(mode === undefined ? {} : { mode: { enum: [...mode.enum] } }),
    ...(size === undefined ? {} : { size: { type: 'integer', minimum: size.min, maximum: size.max } }),
    ...(host === undefined ? {} : { host: { pattern: `${literally(host.suffix)}$` } }),
    ...(ref === undefined ? {} : { ref: { pattern: `^${literally(ref.prefix)}` } }),
  };
  return { properties, required: Object.keys(properties) };
}

/** Tool to verb to what was compiled. */
function compile(rules: readonly WorkloadRule[]): Map<string, Map<string, ValidateFunction>> {
  const compiler = new Ajv({ strict: false, messages: false });
  const lists = new Map<string, Map<string, WorkloadRule[]>>();
  for (const rule of rules) {
    const verbs = lists.get(rule.tool) ?? new Map<string, WorkloadRule[]>();
    lists.set(rule.tool, verbs);
    verbs.set(rule.verb, [...(verbs.get(rule.verb) ?? []), rule]);
  }
  const schema = (list: readonly WorkloadRule[]): object => ({ type: 'object', anyOf: list.map(schemaOf) });
  return new Map(
    [...lists].map(([tool, verbs]) => [
      tool,
      new Map([...verbs].map(([verb, list]) => [verb, compiler.compile(schema(list))])),
    ]),
  );
}

/** The peer. */
export const ajv: Peer<AjvQuestion> = {
  name: 'ajv',
  judge(rules) {
    const index = compile(rules);
    return {
      question: ({ tool, verb, resource, args }: BareCall) => ({ tool, verb, rest: { resource, ...args } }),
      judge: ({ tool, verb, rest }) =>
        index.get(tool)?.get(verb)?.(rest) === true ? 'one of the rules of this tool and verb' : undefined,
    };
  },
};
