/** Loaded skills as prompts, as resources, and in the Skills extension. */
export { type SkillAnswers, skillAnswers, skillCapabilities } from './answers.js';
