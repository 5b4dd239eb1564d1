/** Config: policy documents and tool definitions from files, with positions. */
export { type Catalog, readCatalog } from './catalog.js';
export {
  type BadPolicy,
  type LoadedPolicy,
  type ReadPolicy,
  compileRead,
  readPolicy,
  readPolicyText,
} from './load.js';
export { formatProblem } from './problem.js';
export { type ParsedDocument, parseDocument } from './yaml.js';
