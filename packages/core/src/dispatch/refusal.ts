/** Refusals in words: what a model may read, in at most 200 characters, and what it can do next. */
import { type FieldSet, type Outside, type Scalar, shortfall } from '../authority/index.js';
import { type Unreadable, argumentName } from '../connector/index.js';
import { type DeadReason, type Denial, type Fault, type Layer, denial, fault } from '../ground/index.js';
import { noSuchCapMessage } from '../handle/index.js';

/** How much of the allowed values a refusal shows: names only, the values, or values where that is short or a ceiling's. */
export type Disclosure = 'names' | 'values' | undefined;

interface About {
  readonly shown: string;
  readonly disclosure: Disclosure;
}

/** Longest list of values that is shown without being asked for. */
const shortList = 8;

/** The arguments are not what the tool takes. `where` is the path of the first that is wrong. */
export function malformed(about: About, where: string, why: string): Denial {
  const message = `${about.shown}: ${where}: ${why}. Correct the arguments and call again.`;
  return denial({ code: 'malformed_arguments', layer: 'decode', constraint: where, message });
}

/** A constrained value that its kind refuses, or a group of arguments that names nothing. */
export function unreadable(about: About, { field, why }: Pick<Unreadable, 'field' | 'why'>): Denial {
  const message = `${about.shown}: ${field} cannot be read: ${why}. Give a plain value and call again.`;
  return denial({ code: 'malformed_arguments', layer: 'decode', constraint: field, message });
}

/** No rule of the executor mentions the tool. */
export function notPermitted(about: About): Denial {
  const message = `${about.shown} is not permitted for you. Use another tool, or ask the operator to allow it.`;
  return denial({ code: 'not_permitted', layer: 'policy', message });
}

/** An argument was left out and more than one value is allowed. */
export function severalValues(
  about: About,
  { argument, values }: { readonly argument: string; readonly values: readonly Scalar[] },
  outside: Outside,
): Denial {
  const { layer } = outside.authority;
  const shown = about.disclosure !== 'names' && (layer !== 'policy' || values.length <= shortList);
  const list = shown ? ` (one of ${values.map((value) => JSON.stringify(value)).join(', ')})` : '';
  const message = `${about.shown}: several values are allowed for ${argument}; choose one${list} and call again.`;
  return denial({ code: 'several_values', layer: 'policy', constraint: argument, message });
}

/** An access that lies outside an authority: denied, not allowed, or outside a ceiling. */
export function outsideRefusal(about: About, outside: Outside): Denial {
  const { layer, unreadable: broken } = outside.authority;
  if (broken !== undefined) return unreadableLimit(about, layer, broken);
  if (layer === 'ceiling' || layer === 'narrowing' || layer === 'skill')
    return outOfScope(about, layer, outside);
  return outside.denial === undefined
    ? nothingAllows(about, outside)
    : denied(about, outside, outside.denial.rule);
}

function denied(about: About, outside: Outside, rule: string): Denial {
  const field = outside.denial?.box.fields[0];
  const what = field === undefined ? 'this call is' : `this ${field.name} is`;
  const message = `${about.shown}: ${what} denied. Do not try other spellings; use something else, or ask the operator.`;
  const constraint = field === undefined ? {} : { constraint: field.name };
  return denial({ code: 'denied', layer: 'policy', rule, message, ...constraint, ...told(field) });
}

function nothingAllows(about: About, outside: Outside): Denial {
  const { field, argument, rule } = shortfall(outside);
  const base = { code: 'not_permitted', layer: 'policy', ...(rule === undefined ? {} : { rule }) } as const;
  if (argument !== undefined) {
    const name = argumentName(argument);
    const message = `${about.shown}: ${name} must be left out. Call again without it, or ask the operator.`;
    return denial({ ...base, constraint: name, message });
  }
  if (field === undefined) {
    const message = `${about.shown}: these arguments are not permitted for you. Use others, or ask the operator to allow them.`;
    return denial({ ...base, message });
  }
  const message = `${about.shown}: this ${field.name} is outside what you may use${allowed(about, field)}. Use an allowed one, or ask the operator.`;
  return denial({ ...base, constraint: field.name, message, ...told(field) });
}

function outOfScope(about: About, layer: Layer, outside: Outside): Denial {
  const { field, rule } = nearest(outside);
  const values = field !== undefined && about.disclosure !== 'names' ? ` (${field.text})` : '';
  const constraint = field === undefined ? {} : { constraint: `${field.name}${values}` };
  const place = layer === 'skill' ? 'what the skill may use' : `the ${layer}`;
  const which = field === undefined ? '' : ` ${field.name}${values}`;
  const message = `${about.shown}: outside ${place}${which}. Stay within it, or ask the operator.`;
  return denial({
    code: 'out_of_scope',
    layer,
    message,
    ...constraint,
    ...(rule === undefined ? {} : { rule }),
  });
}

/** What is stored of a ceiling or a narrowing cannot be read: nothing that touches what it is for is admitted. */
function unreadableLimit(about: About, layer: Layer, on: string): Denial {
  const message = `${about.shown}: the stored ${layer} for ${on} cannot be read, so nothing of it is permitted. Stop, and tell the operator.`;
  return denial({ code: 'unreadable_ceiling', layer, constraint: on, message });
}

/** The first field of a ceiling that fails. */
function nearest(outside: Outside): { readonly field?: FieldSet; readonly rule?: string } {
  for (const { box, rule } of outside.bucket?.allow ?? []) {
    const [field] = box.failing(outside.access, 1);
    if (field !== undefined) return { field, rule };
  }
  return {};
}

function allowed(about: About, field: FieldSet): string {
  const short = field.text.split(', ').length <= shortList;
  const show = about.disclosure === 'values' || (about.disclosure === undefined && short);
  return show ? ` (${field.text})` : '';
}

function told(field: FieldSet | undefined): { readonly detail?: string } {
  return field === undefined ? {} : { detail: `${field.name}: ${field.text}` };
}

/** A handle that authorises nothing: one code and one text, whatever the reason; the audit tells reasons apart. */
export function noSuchTool(reason: DeadReason): Denial {
  return denial({
    code: 'no_such_cap',
    layer: reason === 'unknown' ? 'handle' : 'capability',
    message: noSuchCapMessage,
    reason,
  });
}

/** The tool is not what it was when this session came to know it. */
export function quarantined(): Denial {
  const message =
    'This tool changed and waits for an operator to accept it. Use another tool, or tell the operator.';
  return denial({ code: 'quarantined', layer: 'dispatch', message });
}

/** The executor, or somebody through whom its capability goes, is frozen. */
export function frozen(about: Pick<About, 'shown'>): Denial {
  const message = `${about.shown}: an operator has frozen this agent, so nothing is permitted. Stop, and tell the operator.`;
  return denial({ code: 'not_permitted', layer: 'policy', message, detail: 'frozen' });
}

/** Under the generation in force the call is no longer admitted. */
export function attenuatedAway(about: Pick<About, 'shown'>, now: Denial): Denial {
  const message = `${about.shown}: the policy changed and no longer permits this call. List the tools again.`;
  const { constraint, rule } = now;
  return denial({
    code: 'attenuated_away',
    layer: 'policy',
    message,
    detail: now.code,
    ...(constraint === undefined ? {} : { constraint }),
    ...(rule === undefined ? {} : { rule }),
  });
}

/** Under the generation in force the call would be another one. */
export function changedMeanwhile(about: Pick<About, 'shown'>): Denial {
  const message = `${about.shown}: the policy changed while this call waited. Call again.`;
  return denial({ code: 'changed_meanwhile', layer: 'dispatch', message });
}

/** The call needs an approval that is not there. */
export function consentRefusal(
  about: Pick<About, 'shown'>,
  kind: 'required' | 'refused' | 'expired',
  id?: string,
): Denial {
  const named = id === undefined ? '' : ` (${id})`;
  const texts = {
    required: [
      'consent_required',
      `needs approval${named}. Ask the operator for it, then make this very call again; do not try other ways.`,
    ],
    refused: ['consent_refused', 'was refused by a person. Do not try again.'],
    expired: ['consent_expired', 'was not approved in time. Ask again if it is still needed.'],
  } as const;
  const [code, text] = texts[kind];
  return denial({ code, layer: 'ask', message: `${about.shown}: this call ${text}` });
}

/** A limit is used up; `by` is the rule or the limit. */
export function limitUsedUp(about: Pick<About, 'shown'>, by: string | undefined): Denial {
  const message = `${about.shown}: the number of calls that is allowed is used up. Go on without it, or ask the operator.`;
  return denial({
    code: 'limit_used_up',
    layer: 'limit',
    message,
    ...(by === undefined ? {} : { detail: by }),
  });
}

/** The answer of an identical call was lost. */
export function inProgress(about: Pick<About, 'shown'>): Denial {
  const message = `${about.shown}: an identical call got no answer and may still happen. See what it did before you call again.`;
  return denial({ code: 'in_progress', layer: 'dispatch', message });
}

/** A call that conflicts took too long. */
export function busy(about: Pick<About, 'shown'>): Denial {
  return denial({
    code: 'busy',
    layer: 'exclusion',
    message: `${about.shown}: a conflicting call is still running. Call again later.`,
  });
}

/** The call still held a generation that was replaced long ago, so it was given up. */
export function givenUp(): Fault {
  return fault(
    'outcome_unknown',
    'The policy changed while this call ran, and it ran for too long since; it may or may not have acted. Check before you repeat it.',
    'drain deadline',
  );
}

/** No policy is in force, so nothing is admitted. */
export function nothingInForce(): Fault {
  return fault('internal', 'No policy is in force, so nothing is admitted. Tell the operator.');
}

/** The intent could not be made durable, so the call is not made. */
export function auditGone(error: unknown): Fault {
  return fault(
    'audit_unavailable',
    'The audit log cannot be written, so the call was not made. Try again later.',
    String(error),
  );
}
