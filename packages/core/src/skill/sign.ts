/** Signing a skill: its files as they were read become a statement, and that a bundle. */
import { writeBundle } from './bundle.js';
import type { Contents } from './folder.js';
import { type SkillRefusal, skillRefusal } from './refusal.js';
import type { SigningKey } from './signature.js';
import { writeStatement } from './statement.js';

/** The text of `skill.oms.sig` for what was read; an older signature among it is replaced. `subject` is the folder's name. */
export function signContents(
  contents: Contents,
  subject: string,
  key: SigningKey,
): { readonly bundle: string } | SkillRefusal {
  if (!contents.files.has('SKILL.md'))
    return skillRefusal('bad_frontmatter', 'The folder has no SKILL.md, so it is no skill. Write one first.');
  return { bundle: writeBundle(writeStatement(subject, contents.files), key) };
}
