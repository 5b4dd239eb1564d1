/** Admission: decode, read accesses, fill, admit. Pure over (arguments, frozen snapshot); every caller judges through it. */
import { type Access, type Level, type Outside, type Rule, admitsAll } from '../authority/index.js';
import {
  type Reading,
  type ToolFrame,
  decodeArguments,
  fillStep,
  forwarded,
  missingRequired,
  readCall,
} from '../connector/index.js';
import { type Denial, type Json, type JsonObject, type ToolName, isJsonObject } from '../ground/index.js';
import type { ExecutorPolicy, ToolPolicy } from '../policy/index.js';
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
}

/** Judges one call. Never throws for anything that a caller can send. */
export function admit(request: AdmissionRequest): Admission {
  const policy = request.executor.forTool(request.tool);
  if (policy === undefined) return refused(notPermitted(request));
  const sent = request.args ?? {};
  if (!isJsonObject(sent)) return refused(malformed(request, 'arguments', 'arguments must be an object'));
  const decoded = policy.frame.schema === undefined ? undefined : decodeArguments(policy.frame.schema, sent);
  if (decoded?.ok === false) return refused(malformed(request, decoded.path, decoded.message));
  return judge(request, policy, decoded?.args ?? sent);
}

/** Reads, and fills for as long as filling finds something; then the call is in or out. */
function judge(request: AdmissionRequest, policy: ToolPolicy, decoded: JsonObject): Admission {
  const { frame, plan, authorities } = policy;
  const filled: string[] = [];
  let args = decoded;
  for (;;) {
    const reading = readCall(frame, plan, args);
    if (reading.kind === 'unreadable') return refused(unreadable(request, reading));
    const answer = admitsAll(authorities, reading.accesses);
    if (answer.level !== undefined) return complete(request, policy, { reading, args, filled, ...answer });
    if (answer.denial !== undefined) return refuseOutside(request, policy, args, answer, reading);
    const filling = fillStep(frame, plan, authorities, { accesses: reading.accesses, args });
    if (filling.kind === 'filled' && filled.length <= plan.raw.length) {
      filled.push(filling.argument);
      args = filling.args;
    } else if (filling.kind === 'several') {
      return refused(severalValues(request, filling, answer), reading.accesses);
    } else return refuseOutside(request, policy, args, answer, reading);
  }
}

function complete(
  request: AdmissionRequest,
  { frame }: ToolPolicy,
  call: {
    reading: Reading;
    args: JsonObject;
    filled: readonly string[];
    level: Level;
    rules: readonly Rule[];
  },
): Admission {
  const keys = new Set(call.rules.flatMap((rule) => rule.box.fields.map((field) => field.key)));
  const args = forwarded(call.reading, call.args, keys);
  const lacking = frame.schema === undefined ? undefined : missingRequired(frame.schema, args);
  const { accesses } = call.reading;
  if (lacking !== undefined) return refused(malformed(request, lacking, 'it is required'), accesses);
  return {
    kind: 'admitted',
    level: call.level,
    rules: call.rules,
    accesses,
    args,
    filled: call.filled,
    frame,
  };
}

/** Decode comes before policy: a call that lacks a required argument is told so first. */
function refuseOutside(
  request: AdmissionRequest,
  { frame }: ToolPolicy,
  args: JsonObject,
  answer: Outside,
  reading: Reading,
): NotAdmitted {
  const lacking =
    frame.schema === undefined
      ? undefined
      : missingRequired(frame.schema, forwarded(reading, args, new Set()));
  if (lacking !== undefined) return refused(malformed(request, lacking, 'it is required'), reading.accesses);
  return refused(outsideRefusal(request, answer), reading.accesses);
}

function refused(why: Denial, accesses: readonly Access[] = []): NotAdmitted {
  return { kind: 'refused', denial: why, accesses };
}
