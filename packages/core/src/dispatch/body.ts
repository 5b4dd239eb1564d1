/** What may be kept of a call's arguments beside the audit chain. */
import { payloadPaths } from '../connector/index.js';
import { type Json, isJsonArray, isJsonObject } from '../ground/index.js';
import type { Settings } from '../policy/index.js';
import type { Admitted } from './admit.js';

/** `digest`: nothing; `authority`: what rules can name, payload never; `full`: everything. */
export function bodyOf(
  keep: Settings['auditArguments'],
  { args, frame }: Pick<Admitted, 'args' | 'frame'>,
): Json | undefined {
  if (keep === 'digest') return undefined;
  if (keep === 'full') return args;
  return payloadPaths(frame.table).reduce<Json>((kept, path) => without(kept, path), args);
}

function without(value: Json, path: readonly string[]): Json {
  const [name, ...below] = path;
  if (name === undefined) return value;
  if (isJsonArray(value)) return value.map((element) => without(element, path));
  if (!isJsonObject(value) || !Object.hasOwn(value, name)) return value;
  const entries = Object.entries(value).filter(([key]) => key !== name || below.length > 0);
  return Object.fromEntries(
    entries.map(([key, held]) => [key, key === name ? without(held ?? null, below) : held]),
  );
}
