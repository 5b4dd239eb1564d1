/** Groups of which one argument, by its prefix, says what another one that is left out stands for: `tmux:main` says the backend. */
import { type ArgumentPath, fillable, spelledText, viewAt } from '../authority/index.js';
import type { JsonObject } from '../ground/index.js';
import { argumentName, leavesAt, withEdits } from './argument.js';
import { fits } from './fill.js';
import type { ToolFrame } from './frame.js';
import type { SelectedArgument } from './raw.js';
import type { AccessRow, ConnectorField } from './table.js';

/** A field of a row, and the arguments of the call. */
interface Asked {
  readonly row: AccessRow;
  readonly field: string;
  readonly spec: ConnectorField;
  readonly args: JsonObject;
}

/**
 * The one argument of the group that stands for the field's value itself, where it is left out and the others, which are read up
 * to a prefix, name exactly one value. Undefined where the table says what leaving the field out means.
 */
export function selectedBy(asked: Asked, values: readonly unknown[]): SelectedArgument | undefined {
  const path = leftOutIn(asked);
  const [value, ...others] = new Set(values);
  if (path === undefined || others.length > 0 || !isScalar(value)) return undefined;
  const view = viewAt(asked.spec.kind);
  if (!fillable(view)) return undefined;
  return { path, value: typeof value === 'string' ? spelledText(view, value) : value };
}

/** The path of that argument, where the call leaves it out. */
function leftOutIn({ row, field, args }: Omit<Asked, 'spec'>): ArgumentPath | undefined {
  const [plain, second] = (row.fields[field] ?? []).filter(({ prefix }) => prefix === undefined);
  if (plain === undefined || second !== undefined || Object.hasOwn(row.omitted, field)) return undefined;
  if (plain.joined !== undefined || plain.ofUrl === true) return undefined;
  const { leaves, spread } = leavesAt(args, plain.argument);
  return spread || leaves.some(({ value }) => value !== undefined) ? undefined : plain.argument;
}

function isScalar(value: unknown): value is SelectedArgument['value'] {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/**
 * A call that is allowed as sent, with the arguments that it leaves out while other members of their groups say them: a server
 * that has a default of its own takes what was judged. Those that the schema does not take stay away; none: undefined.
 */
export function fillSelected(
  frame: ToolFrame,
  selected: readonly SelectedArgument[],
  args: JsonObject,
): { readonly filled: readonly string[]; readonly args: JsonObject } | undefined {
  const filled: string[] = [];
  let whole = args;
  for (const { path, value } of selected) {
    const more = withEdits(whole, [{ place: path, value }]);
    if (!fits(frame, more)) continue;
    filled.push(argumentName(path));
    whole = more;
  }
  return filled.length === 0 ? undefined : { filled: [...new Set(filled)], args: whole };
}
