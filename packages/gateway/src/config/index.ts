/** Config: documents as text with positions. */
export { formatProblem, loadProblem } from './problem.js';
export { type ParsedDocument, longestDocument, parseDocument } from './yaml.js';
