/** Operations on the skills of a running daemon. */
import { type LoadedSkill, isRefusal } from '@pawl/core';
import { type Answer, type Operations, type SkillView, no, yes } from '../control/index.js';
import { skillFolder } from '../power/index.js';
import { guarded } from './guarded.js';
import type { LiveSkills } from './live-skills.js';
import { notLoadedView, refusedView, skillView } from './skill-view.js';

/** The operations; without skills there is no daemon. */
export function skillOperations(
  skills: LiveSkills | undefined,
): Pick<Operations, 'skillLoad' | 'skillList' | 'skillUnload'> {
  const absent = async <T>(): Promise<Answer<T>> => no('refused', 'no daemon runs on this store');
  if (skills === undefined) return { skillLoad: absent, skillList: absent, skillUnload: absent };
  return {
    skillLoad: ({ folder, executor }) =>
      guarded(async () => {
        const origin = { path: folder, by: 'operator' };
        const answer = await skills.load({ folder: skillFolder(folder), executor }, origin);
        if (isRefusal(answer)) return yes(refusedView(answer));
        return yes({ loaded: true as const, skill: viewOf(skills, answer) });
      }),
    skillList: () =>
      guarded(async () => {
        const missing = skills.notLoaded().map(({ stored, refusal }) => notLoadedView(stored, refusal));
        return yes([...skills.shelf.list().map((skill) => viewOf(skills, skill)), ...missing]);
      }),
    skillUnload: ({ name, executor }) =>
      guarded(async () =>
        (await skills.unload(executor, name))
          ? yes({ name, executor })
          : no('refused', `no skill ${name} is loaded for ${executor}; pawl skill list shows what is`),
      ),
  };
}

function viewOf(skills: LiveSkills, skill: LoadedSkill): SkillView {
  const { shelf } = skills;
  return skillView(skill, { absent: skills.absent(skill), findings: skills.findings(skill), shelf });
}
