/** Defaults of a tool's schema: what it takes for an argument that a call leaves out. */
import type { ArgumentPath } from '../authority/index.js';
import type { ArgumentDefault, ToolFrame } from './frame.js';
import { propertyAt } from './schema.js';

/** Defaults on the way to an argument, outermost first. A default of null means that the argument stays away. */
export function defaultsOn({ schema }: ToolFrame, path: ArgumentPath): readonly ArgumentDefault[] {
  if (schema === undefined) return [];
  return path.flatMap((_, index) => {
    const place = path.slice(0, index + 1);
    const { default: value } = propertyAt(schema, place);
    return value === undefined || value === null ? [] : [{ path: place, value }];
  });
}

/** Defaults of what a dispatcher calls, which are judged as inner calls. */
export function innerDefaults(frame: ToolFrame): readonly ArgumentDefault[] {
  const { calls } = frame.table;
  if (calls === undefined) return [];
  const { each = [], tool, arguments: inner } = calls;
  return [tool, inner].flatMap((path) => defaultsOn(frame, [...each, ...path]));
}
