/** Admission: decode, read accesses, fill, admit. Pure over (arguments, frozen snapshot); every caller judges through it. */
import { type Access, type Level, type Outside, type Rule, admitsAll, lower } from '../authority/index.js';
import {
  type Reading,
  type ToolFrame,
  type Unreadable,
  decodeArguments,
  fillSelected,
  fillStep,
  forwarded,
  missingRequired,
  readCall,
  withEdits,
} from '../connector/index.js';
import {
  type Denial,
  type Json,
  type JsonObject,
  type ToolName,
  deepEqualJson,
  isJsonObject,
  parseToolName,
} from '../ground/index.js';
import type { Chargeable } from '../limit/index.js';
import type { ExecutorPolicy, ToolPolicy } from '../policy/index.js';
import { asForwarded, givenAsForwarded } from './canonical.js';
import { chargeOf } from './charge.js';
import type { Disclosure } from './refusal.js';
import { malformed, notPermitted, outsideRefusal, severalValues, unreadable } from './refusal.js';

/** A call that authority admits, at the level that its rules give it. */
export interface Admitted {
  readonly kind: 'admitted';
  readonly level: Level;
  readonly rules: readonly Rule[];
  readonly accesses: readonly Access[];
  /** What is forwarded; the very same object as sent where nothing had to be changed. */
  readonly args: JsonObject;
  /** Arguments that were filled in, by name. */
  readonly filled: readonly string[];
  readonly frame: ToolFrame;
  /** What is to be counted: one for the call and one for each inside its arguments. Absent where there is nothing to count. */
  readonly charges?: readonly Chargeable[];
}

/** A call that is refused; accesses as far as they could be read. */
export interface NotAdmitted {
  readonly kind: 'refused';
  readonly denial: Denial;
  readonly accesses: readonly Access[];
}

/** The outcome of admission. */
export type Admission = Admitted | NotAdmitted;

/** What is judged. */
export interface AdmissionRequest {
  readonly executor: ExecutorPolicy;
  readonly tool: ToolName;
  /** Name of the tool as a model knows it, for messages. */
  readonly shown: string;
  readonly args: Json | undefined;
  readonly disclosure: Disclosure;
  /** How many dispatchers stand around the call, itself counted; 1 unless told. */
  readonly depth?: number;
}

/** Judges one call. Never throws for anything that a caller can send. */
export function admit(request: AdmissionRequest): Admission {
  const first = admitUnder(request);
  const { alsoUnder } = request.executor;
  return alsoUnder === undefined || first.kind === 'refused' ? first : admitAlso(request, first, alsoUnder);
}

/** The call as it is forwarded, under others that read it in another way: each has to admit it as it is. */
function admitAlso(request: AdmissionRequest, first: Admitted, others: readonly ExecutorPolicy[]): Admission {
  let answer = first;
  for (const executor of others) {
    const one = admitUnder({ ...request, executor, args: first.args });
    if (one.kind === 'refused') return one;
    if (!deepEqualJson(one.args, first.args)) return refused(notPermitted(request), first.accesses);
    const charges = together({ level: answer.level, charges: answer.charges }, one);
    const rules = [...new Set([...answer.rules, ...one.rules])];
    const level = lower(answer.level, one.level);
    answer = { ...answer, level, rules, ...(charges === undefined ? {} : { charges }) };
  }
  return answer;
}

function admitUnder(request: AdmissionRequest): Admission {
  const policy = request.executor.forTool(request.tool);
  if (policy === undefined) return refused(notPermitted(request));
  const sent = request.args ?? {};
  if (!isJsonObject(sent)) return refused(malformed(request, 'arguments', 'arguments must be an object'));
  const decoded = policy.frame.schema === undefined ? undefined : decodeArguments(policy.frame.schema, sent);
  if (decoded?.ok === false) return refused(malformed(request, decoded.path, decoded.message));
  return judge(request, policy, decoded?.args ?? sent);
}

/**
 * Reads, and fills for as long as filling finds something. A call that is in is judged once more with its paths canonical,
 * as it would be forwarded, until that changes nothing: what is judged is what is forwarded.
 */
function judge(request: AdmissionRequest, policy: ToolPolicy, decoded: JsonObject): Admission {
  const { frame, plan, authorities } = policy;
  const filled: string[] = [];
  let args = decoded;
  // As sent and as forwarded: the call has the lower level of both.
  let level: Level = 'permit';
  for (;;) {
    const reading = readCall(frame, plan, args);
    if (reading.kind === 'unreadable') return refused(unreadable(request, reading));
    const { accesses } = reading;
    const answer = admitsAll(authorities, accesses);
    if (answer.level !== undefined) {
      level = lower(level, answer.level);
      const said = saidBeside(policy, reading, args);
      if (said !== undefined) {
        filled.push(...said.filled);
        args = said.args;
        continue;
      }
      const given = givenAsForwarded(reading, args, answer.rules);
      if (given === args)
        return complete(request, policy, { reading, args, filled, rules: answer.rules, level });
      args = given;
      continue;
    }
    const { open } = reading;
    const filling =
      answer.denial === undefined ? fillStep(frame, plan, authorities, { accesses, open, args }) : none;
    if (filling.kind === 'several') return refused(severalValues(request, filling, answer), accesses);
    if (filling.kind === 'none') return outside(request, frame, { reading, args, answer });
    filled.push(filling.argument);
    args = filling.args;
  }
}

const none = { kind: 'none' } as const;

/** With what other members of a group say of those that were left out, where that is allowed too. */
function saidBeside(
  { frame, plan, authorities }: ToolPolicy,
  { selected }: Reading,
  args: JsonObject,
): ReturnType<typeof fillSelected> {
  if (selected.length === 0) return undefined;
  const said = fillSelected(frame, selected, args);
  const reading = said && readCall(frame, plan, said.args);
  if (reading?.kind !== 'read' || reading.selected.length > 0) return undefined;
  return admitsAll(authorities, reading.accesses).level === undefined ? undefined : said;
}

/** Inside: the arguments as they are forwarded, if none that the tool requires is missing from them. */
function complete(
  request: AdmissionRequest,
  policy: ToolPolicy,
  call: Pick<Admitted, 'level' | 'rules' | 'filled' | 'args'> & { readonly reading: Reading },
): Admission {
  const { reading, rules } = call;
  const { frame } = policy;
  const args = asForwarded(reading, call.args, rules);
  const lacking = lackingIn(frame, args);
  const { accesses } = reading;
  const open = neededIn(reading);
  if (open !== undefined) return refused(unreadable(request, open), accesses);
  if (lacking !== undefined) return refused(malformed(request, lacking, 'it is required'), accesses);
  const charge = chargeOf(policy, accesses, call.level);
  const { level, filled } = call;
  const admitted: Admitted = { kind: 'admitted', level, rules, filled, accesses, args, frame };
  return withInner(
    request,
    policy,
    reading.inner,
    charge === undefined ? admitted : { ...admitted, charges: [charge] },
  );
}

/** Deepest that dispatchers may call dispatchers. */
const deepestCall = 4;

/** What admitting inner calls adds to the admission of the call that holds them. */
interface Gathered {
  level: Level;
  readonly rules: Rule[];
  readonly accesses: Access[];
  readonly filled: string[];
  /** Once anything is to be counted: one for each call so far. */
  charges: readonly Chargeable[] | undefined;
  readonly edits: { readonly place: Reading['inner'][number]['place']; readonly value: JsonObject }[];
}

/**
 * The calls inside a dispatcher's arguments, each admitted as its own; what is filled in them is filled where they stand. A
 * dispatcher's call that changes by this is judged once more with the calls as they are forwarded.
 */
function withInner(
  request: AdmissionRequest,
  policy: ToolPolicy,
  inner: Reading['inner'],
  outer: Admitted,
): Admission {
  if (inner.length === 0) return outer;
  const { level, rules, accesses, filled } = outer;
  const all: Gathered = {
    level,
    rules: [...rules],
    accesses: [...accesses],
    filled: [...filled],
    charges: outer.charges,
    edits: [],
  };
  for (const call of inner) {
    const denied = admitInner(request, call, all);
    if (denied !== undefined) return refused(denied, all.accesses);
  }
  const { edits, charges, ...gathered } = all;
  if (edits.length === 0) return { ...outer, ...gathered, ...(charges === undefined ? {} : { charges }) };
  const again = judge(request, policy, withEdits(outer.args, edits));
  if (again.kind === 'refused') return again;
  return { ...again, filled: [...new Set([...gathered.filled, ...again.filled])] };
}

function admitInner(
  request: AdmissionRequest,
  call: Reading['inner'][number],
  all: Gathered,
): Denial | undefined {
  const tool = parseToolName(call.tool);
  const depth = (request.depth ?? 1) + 1;
  const about = { ...request, shown: `${request.shown} (${call.tool.slice(0, 60)})`, depth };
  if (tool === undefined || depth > deepestCall) return notPermitted(about);
  const one = admit({ ...about, tool, args: call.args });
  for (const access of one.accesses) all.accesses.push(access);
  if (one.kind === 'refused') return one.denial;
  all.charges = together(all, one);
  all.level = lower(all.level, one.level);
  for (const rule of one.rules) all.rules.push(rule);
  for (const name of one.filled) all.filled.push(name);
  if (one.args !== call.args) all.edits.push({ place: call.place, value: one.args });
  return undefined;
}

/** The charges of calls so far and of one more; calls without any stand for their level. */
function together(
  before: Pick<Gathered, 'level' | 'charges'>,
  one: Admitted,
): readonly Chargeable[] | undefined {
  if (before.charges === undefined && one.charges === undefined) return undefined;
  return [before, one].flatMap(({ level, charges }) => charges ?? [{ cap: level, footings: [], limits: [] }]);
}

/** Outside. Decode comes before policy: a call that lacks a required argument is told so first. */
function outside(
  request: AdmissionRequest,
  frame: ToolFrame,
  {
    reading,
    args,
    answer,
  }: { readonly reading: Reading; readonly args: JsonObject; readonly answer: Outside },
): NotAdmitted {
  const lacking = lackingIn(frame, forwarded(reading, args, new Set()));
  const open = neededIn(reading);
  if (open !== undefined) return refused(unreadable(request, open), reading.accesses);
  const why =
    lacking === undefined ? outsideRefusal(request, answer) : malformed(request, lacking, 'it is required');
  return refused(why, reading.accesses);
}

/** A field that the call leaves out although the tool needs it, whatever the rules say. */
function neededIn({ open }: Reading): Pick<Unreadable, 'field' | 'why'> | undefined {
  const field = open.find(({ needed }) => needed)?.key;
  return field === undefined ? undefined : { field, why: 'the call names none, and the tool needs one' };
}

/** Path of a required argument that is not there. */
function lackingIn({ schema }: ToolFrame, args: JsonObject): string | undefined {
  return schema === undefined ? undefined : missingRequired(schema, args);
}

function refused(why: Denial, accesses: readonly Access[] = []): NotAdmitted {
  return { kind: 'refused', denial: why, accesses };
}
