/** Calls that ask: how the ask reaches a person, in either era, and how the call goes on with an answer. */
import { type JsonObject, isJsonObject, own } from '@pawl/core';
import { type RequiredInput, approvalKey, questionOf } from './answer.js';
import { type Said, saidIn, showsQuestions } from './elicitation.js';
import { type Era, metaOf } from './era.js';
import type { AskDesk, CallAnswer, Gate, GateRequest, OpenAsk, OpenedState } from './gate.js';
import { clientCapabilitiesKey } from './meta.js';

/** Puts a question to the person at the client, in the legacy era; undefined where nobody answered it. */
export type Elicit = (params: JsonObject, signal: AbortSignal) => Promise<Said | undefined>;

/** What a client can do about an ask. */
export interface AskScope {
  readonly era: Era;
  /** Legacy era only; absent where the client shows no questions, or cannot be told. */
  readonly elicit?: Elicit;
}

/** How a call is answered: as the gate does, or with what the client has to do before it makes the call again. */
export type Delivered =
  | CallAnswer
  | (Extract<CallAnswer, { kind: 'refused' }> & { readonly input: RequiredInput });

/** A call is answered with a state this often; then with the id of its ask, because clients count rounds too. */
const mostRounds = 8;
/** A retry that brings no person's answer waits this long for one that is given elsewhere, in milliseconds. */
const retryWaitMs = 10_000;

/** Makes the call; where it asks, lets the ask reach a person as far as client and policy admit. */
export async function askedCall(
  gate: Gate,
  request: GateRequest,
  params: JsonObject,
  scope: AskScope,
): Promise<Delivered> {
  const desk = gate.asks;
  if (desk === undefined) return gate.call(request);
  return scope.era === 'modern'
    ? modernCall(gate, desk, request, params)
    : legacyCall(gate, desk, request, scope.elicit);
}

async function modernCall(
  gate: Gate,
  desk: AskDesk,
  request: GateRequest,
  params: JsonObject,
): Promise<Delivered> {
  const sealed = own(params, 'requestState');
  const state = sealed === undefined ? undefined : desk.open(request, sealed);
  if (state?.kind === 'refused') return state;
  const refused = state && (await answersOf(desk, request, state, own(params, 'inputResponses')));
  if (refused !== undefined) return refused;
  const answer = await gate.call(request);
  if (answer.kind !== 'refused' || answer.ask === undefined || !clientShows(params)) return answer;
  const { ask } = answer;
  const round = (state?.round ?? 0) + 1;
  if (round > mostRounds) return answer;
  return { ...answer, input: { ask, state: desk.seal(request, { ask: ask.id, round, asked: ask.client }) } };
}

/** Whether the client says, in this very request, that it shows questions: then it knows what to do with a state, too. */
function clientShows(params: JsonObject): boolean {
  const meta = metaOf(params);
  return meta !== undefined && showsQuestions(own(meta, clientCapabilitiesKey));
}

/** Takes the person's answer that a retry brings; one that brings none waits a while for somebody else's. */
async function answersOf(
  desk: AskDesk,
  request: GateRequest,
  { ask, asked }: OpenedState,
  responses: JsonObject[string],
): Promise<CallAnswer | undefined> {
  if (!isJsonObject(responses)) {
    await desk.answered(ask, retryWaitMs, request.signal);
    return undefined;
  }
  const said = asked ? saidIn(own(responses, approvalKey)) : undefined;
  return said === undefined ? undefined : desk.answer(request, ask, said);
}

async function legacyCall(
  gate: Gate,
  desk: AskDesk,
  request: GateRequest,
  elicit: Elicit | undefined,
): Promise<Delivered> {
  const answer = await gate.call(request);
  if (answer.kind !== 'refused' || answer.ask?.client !== true || elicit === undefined) return answer;
  const said = await firstAnswer(desk, answer.ask, elicit, request.signal);
  if (said === 'nobody') return answer;
  const refused = said === 'elsewhere' ? undefined : await desk.answer(request, answer.ask.id, said);
  return refused ?? gate.call(request);
}

/** The person at the client, or whoever answers the ask before: then the question is taken back. */
async function firstAnswer(
  desk: AskDesk,
  ask: OpenAsk,
  elicit: Elicit,
  signal: AbortSignal,
): Promise<Said | 'elsewhere' | 'nobody'> {
  const over = new AbortController();
  const end = (): void => over.abort();
  signal.addEventListener('abort', end);
  const elsewhere = desk.answered(ask.id, ask.left, over.signal).then(() => 'elsewhere' as const);
  const here = elicit(questionOf(ask), over.signal).then((said) => said ?? ('nobody' as const));
  const first = await Promise.race([here, elsewhere]);
  signal.removeEventListener('abort', end);
  end();
  return first;
}
