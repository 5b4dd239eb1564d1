/** Settling: what became of a call after its intent was written. */
import { type Denial, type Fault, CapError, ToolFailure, fault, wordsOf } from '../ground/index.js';
import { type NotStarted, type TurnEnd, faultIn } from '../vat/send.js';
import type { CallLog } from './call-log.js';
import type { CallOutcome } from './call.js';
import type { LastCheck } from './last-check.js';
import type { Obligations } from './obligation.js';

/** A call that went as far as its actor. */
export interface Dispatched {
  readonly log: CallLog;
  readonly check: LastCheck;
  readonly obligations: Obligations;
}

/** Writes the settlement and answers the caller. Limits are spent unless nothing was handed over. */
export function settle({ log, check, obligations }: Dispatched, end: TurnEnd): CallOutcome {
  obligations.release();
  if (end.kind === 'not-started') return notDispatched(end, { log, check, obligations });
  if (end.kind === 'threw') {
    obligations.spend();
    const refusal = CapError.refusalIn(end.error);
    if (refusal !== undefined) return saidNo(log, refusal);
    const told = ToolFailure.toldBy(end.error);
    if (told !== undefined) return failed(log, told);
    const message = 'The tool failed inside Pawl. Tell the operator.';
    return faulted(log, fault('internal', message, wordsOf(end.error)));
  }
  const broken = faultIn(end);
  if (broken !== undefined) {
    if (broken.code === 'upstream_gone') return faulted(log, broken, obligations.giveBack());
    obligations.spend();
    return faulted(log, broken);
  }
  obligations.spend();
  log.settled(isToolError(end.value) ? 'tool_error' : 'ok');
  return { kind: 'result', call: log.call, value: end.value };
}

function notDispatched(end: NotStarted, { log, check, obligations }: Dispatched): CallOutcome {
  const counts = obligations.giveBack();
  const refusal =
    end.refusal ?? check.refusal ?? fault('upstream_gone', 'The tool is gone. List the tools again.');
  log.settled('not_dispatched', refusal, counts);
  return { kind: 'refused', call: log.call, refusal };
}

/** A power of the actor refused, or what it called did. */
function saidNo(log: CallLog, refusal: Denial | Fault): CallOutcome {
  if (refusal.kind === 'fault') return faulted(log, refusal);
  log.settled('tool_error', refusal);
  return { kind: 'refused', call: log.call, refusal };
}

/** What was allowed did not work: an answer of the tool, in the form that tools have in MCP. */
function failed(log: CallLog, text: string): CallOutcome {
  log.settled('tool_error');
  const content = Object.freeze([Object.freeze({ type: 'text', text })]);
  return { kind: 'result', call: log.call, value: Object.freeze({ content, isError: true }) };
}

function faulted(log: CallLog, refusal: Fault, counts?: Obligations['counts']): CallOutcome {
  log.settled(refusal.code, refusal, counts);
  return { kind: 'refused', call: log.call, refusal };
}

function isToolError(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'isError' in value && value.isError === true;
}
