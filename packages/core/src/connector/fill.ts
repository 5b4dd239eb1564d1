/** Filling: an argument that was left out, and for which exactly one value is allowed, is given that value. */
import {
  Region,
  type Access,
  type ArgumentPath,
  type Meet,
  type Scalar,
  type ViewName,
  fillable,
  isMissing,
  scalarValues,
  spelledText,
  viewAt,
} from '../authority/index.js';
import { type Json, type JsonObject, deepEqualJson } from '../ground/index.js';
import { argumentName, withEdits } from './argument.js';
import type { PlannedArgument, ReadPlan, ToolFrame } from './frame.js';
import type { OpenField } from './raw.js';
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
  readonly open: readonly OpenField[];
  readonly args: JsonObject;
}

/**
 * One step of filling: call again with the filled arguments until nothing is found. Looks only at arguments that are absent
 * without a default, and only at the rules that all given arguments meet. Denials take no part: a value is never found from
 * the complement of a denial, and no text where what is allowed is what texts do.
 */
export function fillStep(frame: ToolFrame, plan: ReadPlan, authorities: Meet, call: CallAsRead): Filling {
  const raw = plan.raw.filter((planned) => isOpen(planned, call.accesses) && fillable(planned.view));
  const fields = call.open.flatMap(({ key, path }) =>
    path === undefined || !fillable(viewAt(frame.fields[key]?.kind ?? 'oneOf'))
      ? []
      : [fieldOf(frame, key, path)],
  );
  const named = raw.map(
    ({ key, path, view }): Candidate => ({ key, path, view, raw: true, among: undefined }),
  );
  const open = [...named, ...fields];
  const openKeys = new Set([...open, ...call.open].map(({ key }) => key));
  let several: Filling = { kind: 'none' };
  for (const candidate of open) {
    const found = selected(allowedValues({ frame, authorities, call }, candidate, openKeys), candidate, call);
    const [only, second] = found;
    const argument = argumentName(candidate.path);
    if (only !== undefined && second === undefined) {
      return { kind: 'filled', argument, args: withValue(call.args, candidate, only) };
    }
    if (second !== undefined && several.kind === 'none')
      several = { kind: 'several', argument, values: found };
  }
  return several;
}

/** An argument that may be filled, and how its values are judged and spelled. */
interface Candidate {
  readonly key: string;
  readonly path: ArgumentPath;
  readonly view: ViewName;
  /** Of a raw argument: a rule that does not name it may want it absent. */
  readonly raw: boolean;
  /** Everything that it can hold, where that is known. */
  readonly among: readonly Scalar[] | undefined;
}

function fieldOf({ fields }: ToolFrame, key: string, path: ArgumentPath): Candidate {
  const spec = fields[key];
  return { key, path, raw: false, view: viewAt(spec?.kind ?? 'oneOf'), among: spec?.vocabulary?.values };
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
  { key, path, raw, view, among }: Candidate,
  open: ReadonlySet<string>,
): readonly Scalar[] {
  const carrying = raw ? call.accesses : call.accesses.filter((access) => Object.hasOwn(access.fields, key));
  const question = { key, open, ...(raw ? { path } : {}), ...(among === undefined ? {} : { among }) };
  const found = scalarValues(authorities, carrying, question);
  if (found === undefined || (raw && found.missing)) return [];
  const spelled = found.scalars.map((value) =>
    typeof value === 'string' ? spelledText(view, value) : value,
  );
  return spelled.filter((value) => fits(frame, withValue(call.args, { path }, value)));
}

/**
 * Of several values the one that another argument of the field's group names; none where another one names what is not
 * allowed, since then no value helps.
 */
function selected(
  values: readonly Scalar[],
  { key, raw }: Candidate,
  { accesses }: CallAsRead,
): readonly Scalar[] {
  if (raw) return values;
  const held = accesses.flatMap(({ fields }) => (Object.hasOwn(fields, key) ? [fields[key]] : []));
  const named = new Set(held.filter((each) => !(each instanceof Region)));
  const chosen = values.filter((value) => named.has(value));
  if (chosen.length < named.size) return [];
  return chosen.length === 1 ? chosen : values;
}

function withValue(args: JsonObject, { path }: Pick<Candidate, 'path'>, value: Json): JsonObject {
  return withEdits(args, [{ place: path, value }]);
}

/** Whether decode would take the filled arguments, and as they are. */
export function fits(frame: ToolFrame, args: JsonObject): boolean {
  if (frame.schema === undefined) return true;
  const decoded = decodeArguments(frame.schema, args);
  return decoded.ok && deepEqualJson(decoded.args, args);
}
