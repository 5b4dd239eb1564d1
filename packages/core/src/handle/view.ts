/** What a model is shown of a session's tools. */
import { type Handle, type JsonObject, isJsonObject, own } from '../ground/index.js';
import type { Mount } from './opening.js';

/** One tool as a model sees it: names of things, and nothing that could be turned into authority elsewhere. */
export interface ToolView {
  readonly name: string;
  /** Of its arguments. */
  readonly schema: JsonObject;
  /** Valid in this session only, and never to be written down. */
  readonly handle: Handle;
}

/** The view of these mounts, in their order. */
export function toolViews(mounts: readonly Mount[]): readonly ToolView[] {
  return mounts.map(({ name, handle, definition }) => {
    const schema = own(definition, 'inputSchema');
    return Object.freeze({ name, schema: isJsonObject(schema) ? schema : anything, handle });
  });
}

const anything: JsonObject = Object.freeze({ type: 'object' });
