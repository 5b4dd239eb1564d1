/** Config: policy documents and tool definitions from files, with positions. */
export { readCatalog } from './catalog.js';
export { readYaml } from './frontmatter.js';
export {
  type BadPolicy,
  type LoadedPolicy,
  type ReadPolicy,
  compileRead,
  compileReadInSteps,
  readCaptured,
  readPolicy,
  readPolicyText,
} from './load.js';
export { formatProblem, loadProblem } from './problem.js';
export { parseDocument } from './yaml.js';
