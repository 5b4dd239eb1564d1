/** Accesses as people read them: in `decide`, in the audit, in the console. */
import { type Access, type Held, Region, isCommandText, spelledText } from '../authority/index.js';

/** `{ tool, verb, extent?, FIELD: value }`; raw arguments are not repeated. */
export type AccessView = Readonly<Record<string, string>>;

/** The printed form of an access. */
export function accessView(access: Access): AccessView {
  const fields = Object.entries(access.fields).filter(([key]) => !key.startsWith('args.'));
  const region = fields.map(([, held]) => held).find((held) => held instanceof Region);
  return {
    tool: access.tool,
    verb: access.verb,
    ...(region instanceof Region ? { extent: region.extent } : {}),
    ...Object.fromEntries(fields.map(([key, held]) => [key, shown(held)])),
  };
}

function shown(held: Held): string {
  if (held instanceof Region) return held.named;
  if (typeof held !== 'string') return JSON.stringify(held) ?? '';
  return isCommandText(held) ? spelledText('command', held) : held;
}
