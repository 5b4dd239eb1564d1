/** Filling: an argument that was left out, and for which exactly one value is allowed, is given that value. */
import { type Access, type Meet, type Scalar, isMissing, scalarValues } from '../authority/index.js';
import { type Json, type JsonObject, deepEqualJson } from '../ground/index.js';
import { argumentName, withEdits } from './argument.js';
import type { PlannedArgument, ReadPlan, ToolFrame } from './frame.js';
import { decodeArguments } from './schema.js';

/** What filling found for a call that is not allowed as sent. */
export type Filling =
  /** Exactly one value: the call goes on with these arguments. */
  | { readonly kind: 'filled'; readonly argument: string; readonly args: JsonObject }
  /** More than one value is allowed: the caller has to choose. */
  | { readonly kind: 'several'; readonly argument: string; readonly values: readonly Scalar[] }
  | { readonly kind: 'none' };

/** A call that is not allowed as sent. */
export interface CallAsRead {
  readonly accesses: readonly Access[];
  readonly args: JsonObject;
}

/**
 * One step of filling: call again with the filled arguments until nothing is found. Looks only at arguments that are absent
 * without a default, and only at the rules that all given arguments meet. Denials take no part: a value is never found from
 * the complement of a denial.
 */
export function fillStep(frame: ToolFrame, plan: ReadPlan, authorities: Meet, call: CallAsRead): Filling {
  const open = plan.raw.filter((planned) => isOpen(planned, call.accesses));
  const openKeys = new Set(open.map((planned) => planned.key));
  let several: Filling = { kind: 'none' };
  for (const planned of open) {
    const found = allowedValues({ frame, authorities, call }, planned, openKeys);
    const [only, second] = found;
    const argument = argumentName(planned.path);
    if (only !== undefined && second === undefined) {
      return { kind: 'filled', argument, args: withValue(call.args, planned, only) };
    }
    if (second !== undefined && several.kind === 'none')
      several = { kind: 'several', argument, values: found };
  }
  return several;
}

function isOpen(planned: PlannedArgument, accesses: readonly Access[]): boolean {
  return planned.constrained && accesses.some((access) => isMissing(access.fields[planned.key]));
}

/**
 * Scalars that every access of the call would take, and that the tool's schema takes; none where they cannot be listed, and
 * none where leaving the argument out is allowed.
 */
function allowedValues(
  { frame, authorities, call }: { frame: ToolFrame; authorities: Meet; call: CallAsRead },
  { key, path }: PlannedArgument,
  open: ReadonlySet<string>,
): readonly Scalar[] {
  const found = scalarValues(authorities, call.accesses, { key, path, open });
  if (found === undefined || found.missing) return [];
  return found.scalars.filter((value) => fits(frame, withValue(call.args, { path }, value)));
}

function withValue(args: JsonObject, { path }: Pick<PlannedArgument, 'path'>, value: Json): JsonObject {
  return withEdits(args, [{ place: path, value }]);
}

/** Whether decode would take the filled arguments, and as they are. */
function fits(frame: ToolFrame, args: JsonObject): boolean {
  if (frame.schema === undefined) return true;
  const decoded = decodeArguments(frame.schema, args);
  return decoded.ok && deepEqualJson(decoded.args, args);
}
