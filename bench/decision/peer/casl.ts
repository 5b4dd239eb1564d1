/**
 * CASL: the verb is the action, the tool the subject's type, everything else conditions. It indexes rules by subject and
 * action, and names the rule that allows by its `reason`. Its conditions know no paths and no endings, so globs, suffixes and
 * prefixes are regular expressions. The workload is expressed exactly.
 */
import { type MongoAbility, createMongoAbility, subject } from '@casl/ability';
import type { BareCall } from '../../workload/generate.js';
import type { WorkloadRule } from '../../workload/workload.js';
import { globExpression, literally } from './glob.js';
import type { Peer } from './judge.js';

interface CaslQuestion {
  readonly verb: string;
  readonly subject: ReturnType<typeof subject>;
}

function conditionsOf({ resource, args: { mode, size, host, ref } }: WorkloadRule): Record<string, object> {
  return {
    resource: { $regex: new RegExp(globExpression(resource), 'u') },
    ...(mode === undefined ? {} : { mode: { $in: [...mode.enum] } }),
    ...(size === undefined ? {} : { size: { $gte: size.min, $lte: size.max } }),
    ...(host === undefined ? {} : { host: { $regex: new RegExp(`${literally(host.suffix)}$`, 'u') } }),
    ...(ref === undefined ? {} : { ref: { $regex: new RegExp(`^${literally(ref.prefix)}`, 'u') } }),
  };
}

/** The peer. */
export const casl: Peer<CaslQuestion> = {
  name: 'CASL',
  judge(rules) {
    const ability: MongoAbility = createMongoAbility(
      rules.map((rule) => ({
        action: rule.verb,
        subject: rule.tool,
        conditions: conditionsOf(rule),
        reason: rule.id,
      })),
    );
    return {
      question: ({ tool, verb, resource, args }: BareCall) => ({
        verb,
        subject: subject(tool, { resource, ...args }),
      }),
      judge: (question) => ability.relevantRuleFor(question.verb, question.subject)?.reason,
    };
  },
};
