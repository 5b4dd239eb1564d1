/** What skills may do for an executor: NEW against OLD, skill by skill. */
import type { Steps } from '../../authority/index.js';
import { type ToolName, canonicalJson, plainOf } from '../../ground/index.js';
import type { ExecutorPolicy } from '../compile-input.js';
import type { ChangeWitness } from '../comparison.js';
import type { RuleSource, SkillGrantSource } from '../document.js';
import { change } from './changes.js';
import { compareTool } from './inclusion.js';

/** Both sides. */
export interface SkillQuestion {
  readonly next: ExecutorPolicy;
  readonly old: ExecutorPolicy;
  readonly steps: Steps;
}

const everyRule = (): boolean => true;

/** Grants of NEW that are new, wider, or reject no longer. Throws OutOfSteps and TooManyStates. */
export function skillGrowth(
  { next, old, steps }: SkillQuestion,
  tools: readonly ToolName[],
): readonly ChangeWitness[] {
  return [...next.skills.grants.values()].flatMap((now) => {
    const before = old.skills.grants.get(now.name);
    if (before === undefined) return [change('skill', now.path, null, shown(now))];
    const looser = before.mode === 'fail_closed' && now.mode === 'fail_visible';
    const wider =
      !saysTheSame(before, now) &&
      tools.some((tool) => {
        const asked = next.skills.alone({ rules: now.grant, by: 'document' }, tool);
        const given = old.skills.alone({ rules: before.grant, by: 'document' }, tool);
        const counting = { next: everyRule, old: everyRule };
        return asked !== undefined && compareTool(asked, given, counting, steps).kind === 'gained';
      });
    return looser || wider ? [change('skill', now.path, shown(before), shown(now))] : [];
  });
}

/** In the same words, none of which stands for something else. */
function saysTheSame(before: SkillGrantSource, now: SkillGrantSource): boolean {
  const [one, two] = [before, now].map((side) => JSON.stringify(shown(side).grant));
  return one === two && one?.includes('\\"set\\"') === false && !one.includes('\\"fact\\"');
}

function shown({ grant, mode }: SkillGrantSource): {
  readonly mode: string;
  readonly grant: readonly string[];
} {
  return { mode, grant: grant.map(ruleText) };
}

function ruleText({ tools, verbs, where }: RuleSource): string {
  const names = (tools ?? []).map(({ server, tool }) => `${server}/${tool}`).join(', ');
  const only = verbs === undefined ? '' : ` ${verbs.map(({ verb }) => verb).join(', ')}`;
  const fields = (where?.fields ?? []).map(({ name, node }) => `${name}: ${canonicalJson(plainOf(node))}`);
  return `${names}${only}${fields.length === 0 ? '' : ` where ${fields.join(', ')}`}`;
}
