/** What may be kept of a call's arguments beside the audit chain. */
import type { Json, JsonObject } from '../ground/index.js';
import type { Settings } from '../policy/index.js';
import type { Admitted } from './admit.js';

/** `digest`: nothing; `authority`: what rules can name, payload never; `full`: everything. */
export function bodyOf(keep: Settings['auditArguments'], { args, frame }: Admitted): Json | undefined {
  if (keep === 'digest') return undefined;
  if (keep === 'full' || frame.table.payload.length === 0) return args;
  const kept: JsonObject = Object.fromEntries(
    Object.entries(args).filter(([name]) => !frame.table.payload.includes(name)),
  );
  return kept;
}
