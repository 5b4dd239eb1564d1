/** Tool definitions for scenarios. */
import type { Json } from '@pawl/core';
import type { Tool } from './pawl.js';

/** A tool that takes these properties and no others; all are required unless a list says which. */
export function tool(
  name: string,
  properties: Readonly<Record<string, Json>>,
  required?: readonly string[],
): Tool {
  const schema = {
    type: 'object',
    properties,
    required: required ?? Object.keys(properties),
    additionalProperties: false,
  };
  return { name, description: name, inputSchema: schema };
}

/** Schemas by one word. */
export const text = { type: 'string' };
const texts = { type: 'array', items: text };
export const integer = { type: 'integer' };
export const number = { type: 'number' };

/** The tools of the file server that connector `filesystem` describes, by name; its schemas do not close themselves. */
export function fileTools(...names: readonly FileTool[]): readonly Tool[] {
  return names.map((name) => {
    const { properties, optional } = files[name];
    const required = Object.keys(properties).filter((key) => !optional.includes(key));
    return { name, description: name, inputSchema: { type: 'object', properties, required } };
  });
}

/** Names of its tools. */
export type FileTool = keyof typeof files;

function file(
  properties: Readonly<Record<string, Json>>,
  optional: readonly string[] = [],
): { properties: typeof properties; optional: readonly string[] } {
  return { properties, optional };
}

const files = {
  read_file: file({ path: text, tail: number, head: number }, ['tail', 'head']),
  read_text_file: file({ path: text, tail: number, head: number }, ['tail', 'head']),
  read_multiple_files: file({ paths: { ...texts, minItems: 1 } }),
  write_file: file({ path: text, content: text }),
  edit_file: file(
    {
      path: text,
      edits: {
        type: 'array',
        items: {
          type: 'object',
          properties: { oldText: text, newText: text },
          required: ['oldText', 'newText'],
        },
      },
      dryRun: { type: 'boolean', default: false },
    },
    ['dryRun'],
  ),
  create_directory: file({ path: text }),
  list_directory: file({ path: text }),
  directory_tree: file({ path: text, excludePatterns: { ...texts, default: [] } }, ['excludePatterns']),
  move_file: file({ source: text, destination: text }),
  search_files: file({ path: text, pattern: text, excludePatterns: { ...texts, default: [] } }, [
    'excludePatterns',
  ]),
  get_file_info: file({ path: text }),
  list_allowed_directories: file({}),
};
