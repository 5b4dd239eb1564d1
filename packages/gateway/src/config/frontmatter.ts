/** The frontmatter of a skill, read as every other document is. */
import type { ReadYaml } from '@pawl/core';
import { parseDocument } from './yaml.js';

/**
 * Reads YAML for a skill: the tree, or the first problem in words with its line. Most of what stands there is for other hosts, so
 * numbers and keys that a policy could not have are taken as they are spelled.
 */
export const readYaml: ReadYaml = (text, file) => {
  const parsed = parseDocument(text, file, { asSpelled: true });
  if (parsed.ok) return parsed.root;
  const [problem] = parsed.problems;
  if (problem === undefined) return { problem: 'its frontmatter is no YAML' };
  const { at, found, allowed } = problem;
  return { problem: `line ${at.line} of the frontmatter: found ${found}; allowed here: ${allowed}` };
};
