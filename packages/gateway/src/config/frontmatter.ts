/** The frontmatter of a skill, read as every other document is. */
import type { ReadYaml } from '@pawl/core';
import { parseDocument } from './yaml.js';

/** Reads YAML for a skill: the tree, or the first problem in words with its line. */
export const readYaml: ReadYaml = (text, file) => {
  const parsed = parseDocument(text, file);
  if (parsed.ok) return parsed.root;
  const [problem] = parsed.problems;
  return {
    problem: `line ${problem?.at.line ?? 1} of the frontmatter: found ${problem?.found ?? 'no YAML'}`,
  };
};
