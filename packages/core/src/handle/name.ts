/** Names that a model reads: `server__tool`, never two alike in one session. */
import type { Handle, ToolName } from '../ground/index.js';

/** The readable name of a tool, before any clash is settled. */
export function readableName(_tool: ToolName): string {
  throw new Error('not yet');
}

/** The bare 26 characters of a handle. */
export function opaqueName(_handle: Handle): string {
  throw new Error('not yet');
}
