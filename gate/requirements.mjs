/** Checks requirements and test titles against each other, in both directions. */
import { citationsOf } from './citations.mjs';
import { loadRequirements } from './load-requirements.mjs';
import { root } from './root.mjs';

const idShape = /^(?:S00[0-3]|P)(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)+$/u;

/**
 * What is wrong; empty if nothing is.
 * @param {readonly import('./load-requirements.mjs').Requirement[]} requirements
 * @param {readonly import('./citations.mjs').Citation[]} citations
 * @returns {string[]}
 */
export function compare(requirements, citations) {
  const byId = new Map(requirements.map((requirement) => [requirement.id, requirement]));
  const cited = new Set(citations.map((citation) => citation.id));
  const seen = new Set();
  /** @type {string[]} */
  const wrong = [];
  for (const { id, status } of requirements) {
    if (!idShape.test(id)) wrong.push(`${id}: not an id of the form P.section.promise or S000.promise`);
    if (seen.has(id)) wrong.push(`${id}: stated twice`);
    seen.add(id);
    if (status === 'built' && !cited.has(id)) wrong.push(`${id}: built, but no test cites it`);
  }
  for (const { id, file, line } of citations) {
    const requirement = byId.get(id);
    if (requirement === undefined) wrong.push(`${file}:${line}: cites ${id}, which is no requirement`);
    else if (requirement.status === 'planned')
      wrong.push(`${file}:${line}: cites ${id}, which is only planned`);
  }
  return wrong;
}

/** Runs the check on a repository. @param {string} folder @returns {Promise<string[]>} */
export async function checkRequirements(folder) {
  return compare(await loadRequirements(folder), citationsOf(folder));
}

if (process.argv[1] === import.meta.filename) {
  const wrong = await checkRequirements(root);
  for (const line of wrong) console.error(line);
  const requirements = await loadRequirements(root);
  const built = requirements.filter(({ status }) => status === 'built').length;
  console.log(`requirements: ${built} built, ${requirements.length - built} planned, ${wrong.length} wrong`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
