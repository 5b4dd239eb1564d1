/** One decoded HTTP message of an authenticated client: handshake and lists by the SDK, calls by the gate. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { SUPPORTED_PROTOCOL_VERSIONS, createMcpHandler } from '@modelcontextprotocol/server';
import { type Clock, type Entropy, own } from '@pawl/core';
import type { Credential } from '../../identity/index.js';
import { errorText } from '../answer.js';
import type { Caller } from '../call.js';
import { addressed } from '../child.js';
import { type Era, claimsModern, envelopeError, modernVersion } from '../era.js';
import { answerOnce } from '../fed-transport.js';
import type { Elicit } from '../asking.js';
import { type Questions, showsQuestions } from '../elicitation.js';
import type { IsAwaited, NotificationFrame, RequestFrame, RequestId, ResponseFrame } from '../frame.js';
import type { Gate, GateSession } from '../gate.js';
import { type HandshakeOptions, handshakeServer } from '../handshake.js';
import { InFlight } from '../in-flight.js';
import type { Implementation } from '../meta.js';
import { type SkillAnswers, skillAnswers } from '../skills/index.js';
import { notificationSurface, requestSurface } from '../surface.js';
import { type WireError, closedSurface, invalidParams, invalidRequest } from '../wire-error.js';
import { sendEmpty, sendJson, sendRefusal } from './http-body.js';
import { AwaitedCalls, acceptedBy } from './http-call.js';
import { headerError, paramHeaderError } from './http-headers.js';
import { type TransportSession, TransportSessions } from './http-sessions.js';
import { ParamHeaders } from './param-headers.js';

/** What exchanges are made with. */
export interface ExchangeOptions {
  readonly gate: Gate;
  readonly caller: Caller;
  readonly self: Implementation;
  readonly instructions?: string;
  readonly clock: Clock;
  readonly entropy: Entropy;
}

/** One message to answer. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly frame: RequestFrame | NotificationFrame;
  readonly credential: Credential;
}

/** A client that shakes hands starts over, whatever it did before. */
function beginsConversation(frame: Exchange['frame']): boolean {
  return frame.kind === 'request' && (frame.method === 'initialize' || frame.method === 'server/discover');
}

/** One request of an open session. */
interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly frame: RequestFrame;
  readonly session: GateSession;
}

/** Where a call is noted while it is in flight. */
interface Flying {
  readonly calls: InFlight;
  readonly id: RequestId;
  /** Present where the client shows questions. */
  readonly questions?: Questions;
}

const sessionHeader = 'mcp-session-id';
const versionHeader = 'mcp-protocol-version';
/** Calls that may be in flight over HTTP at once. */
const mostInFlight = 1024;

/** Answers messages of either era; the era is the message's own, never the connection's. */
export class HttpExchange {
  readonly #options: ExchangeOptions;
  readonly #sessions: TransportSessions;
  readonly #awaited: AwaitedCalls;
  readonly #headers: ParamHeaders;
  readonly #skills: SkillAnswers;
  /** Calls of the modern era, under numbers of this process: nobody can name another's. */
  readonly #calls = new InFlight();
  #next = 0;
  #running = 0;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.#sessions = new TransportSessions(options.clock, options.entropy);
    this.#awaited = new AwaitedCalls(options.clock);
    this.#headers = new ParamHeaders(options.gate, options.clock);
    this.#skills = skillAnswers(options.gate, options.self);
  }

  /** Cancels everything in flight and forgets all transport sessions. */
  end(why: string): void {
    this.#sessions.endAll(why);
    this.#calls.cancelAll(why);
    this.#awaited.stop();
  }

  /** Answers one message; every response is ended, now or once its call is settled. */
  async answer(exchange: Exchange): Promise<void> {
    const { request, response, frame, credential } = exchange;
    const session = this.#options.gate.openSession(credential, beginsConversation(frame));
    if ('kind' in session) {
      const { code, message } = session;
      const error = { code: invalidRequest, message, data: { code } };
      return sendRefusal(response, { status: 403, id: frame.kind === 'request' ? frame.id : null, error });
    }
    const era = eraOf(request, frame);
    if (era === 'legacy') return this.#legacy(exchange, session);
    if (frame.kind === 'notification') return sendEmpty(response, 202);
    return this.#modern({ request, response, frame, session });
  }

  /** Which answers the client of this request may give: those to questions of its own transport session. */
  awaitedOf(request: IncomingMessage, { key }: Credential): IsAwaited {
    const held = this.#sessions.find(headerOf(request, sessionHeader) ?? '', key);
    return (id) => held?.questions.isAwaited(id) === true;
  }

  /** Takes an answer to a question. */
  take(frame: ResponseFrame, request: IncomingMessage, response: ServerResponse, { key }: Credential): void {
    this.#sessions.find(headerOf(request, sessionHeader) ?? '', key)?.questions.take(frame);
    sendEmpty(response, 202);
  }

  /** Ends a transport session of this credential. */
  endSession(request: IncomingMessage, response: ServerResponse, { key }: Credential): void {
    const id = headerOf(request, sessionHeader);
    sendEmpty(response, id !== undefined && this.#sessions.end(id, key) ? 204 : 404);
  }

  async #modern(asked: Asked): Promise<void> {
    const { request, response, frame, session } = asked;
    const surface = requestSurface('modern', frame.method);
    if (surface === 'sdk') return this.#discoverOrList(asked);
    const reads = surface === 'skills' && this.#skills.isOpen(frame, session.id);
    if (surface !== 'call' && !reads) return this.#closed(asked, 404);
    const { params } = frame;
    const wrong = envelopeError(params) ?? headerError(request.headers, frame);
    if (wrong !== undefined) return refuse(asked, 400, wrong);
    if (reads) return this.#readSkill(asked, 'modern');
    const name = own(params, 'name');
    const { gate } = this.#options;
    const within = addressed(gate, session.id, params);
    const isNamed = typeof name === 'string' && within !== undefined;
    const handle = isNamed ? gate.locate(within, name) : undefined;
    const declared = this.#headers.of(within ?? session.id, handle);
    const unequal = paramHeaderError(request.headers, declared, own(params, 'arguments'));
    if (unequal !== undefined) return refuse(asked, 400, unequal);
    this.#next += 1;
    const id = this.#next;
    response.once('close', () => this.#calls.cancel(id));
    return this.#call(asked, 'modern', { calls: this.#calls, id });
  }

  #closed(asked: Asked, status: number): void {
    const { method } = asked.frame;
    this.#options.gate.rejected({
      session: asked.session.id,
      code: 'surface_closed',
      why: `method ${method.slice(0, 64)}`,
    });
    refuse(asked, status, closedSurface(method));
  }

  async #discoverOrList({ request, response, frame, session }: Asked): Promise<void> {
    const handler = createMcpHandler(() => handshakeServer(this.#handshake(session)), { legacy: 'reject' });
    const headers = new Headers({ 'content-type': 'application/json' });
    for (const name of [versionHeader, 'mcp-method', 'mcp-name', 'accept']) {
      const value = headerOf(request, name);
      if (value !== undefined) headers.set(name, value);
    }
    const asked = new Request('http://localhost/mcp', { method: 'POST', headers });
    const { id, method, params } = frame;
    const reply = await handler.fetch(asked, { parsedBody: { jsonrpc: '2.0', id, method, params } });
    sendJson(response, reply.status, await reply.text());
    await handler.close();
  }

  async #legacy({ request, response, frame, credential }: Exchange, session: GateSession): Promise<void> {
    const version = headerOf(request, versionHeader);
    const id = frame.kind === 'request' ? frame.id : null;
    if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) {
      return sendRefusal(response, {
        status: 400,
        id,
        error: badRequest('the protocol version is not served'),
      });
    }
    if (frame.kind === 'request' && frame.method === 'initialize') {
      const asks = showsQuestions(own(frame.params, 'capabilities'));
      const headers = { [sessionHeader]: this.#sessions.open(credential.key, asks) };
      return this.#handshakeOrList({ request, response, frame, session }, headers);
    }
    const named = headerOf(request, sessionHeader);
    if (named === undefined) {
      return sendRefusal(response, { status: 400, id, error: badRequest('Mcp-Session-Id is missing') });
    }
    const held = this.#sessions.find(named, credential.key);
    if (held === undefined) {
      return sendRefusal(response, {
        status: 404,
        id,
        error: badRequest('no such session; initialize again'),
      });
    }
    if (frame.kind === 'request') return this.#legacyRequest({ request, response, frame, session }, held);
    const surface = notificationSurface('legacy', frame.method);
    if (surface === 'cancel') held.calls.cancel(own(frame.params, 'requestId'));
    return sendEmpty(response, 202);
  }

  async #legacyRequest(asked: Asked, { calls, questions, ...held }: TransportSession): Promise<void> {
    const { method, id } = asked.frame;
    const surface = requestSurface('legacy', method);
    if (surface === 'sdk') return this.#handshakeOrList(asked);
    if (surface === 'skills' && this.#skills.isOpen(asked.frame, asked.session.id))
      return this.#readSkill(asked, 'legacy');
    if (surface === 'call')
      return this.#call(asked, 'legacy', { calls, id, ...(held.showsQuestions && { questions }) });
    return this.#closed(asked, 200);
  }

  async #readSkill({ response, frame, session }: Asked, era: Era): Promise<void> {
    sendJson(response, 200, await this.#skills.answer(frame, { session: session.id, era }));
  }

  async #handshakeOrList(
    { response, frame, session }: Asked,
    headers?: Record<string, string>,
  ): Promise<void> {
    const said = await answerOnce(handshakeServer(this.#handshake(session)), frame);
    const reply = said?.find((message) => 'id' in message && message.id === frame.id);
    const malformed = errorText(frame.id, { code: invalidParams, message: 'params: malformed' });
    sendJson(response, 200, reply === undefined ? malformed : JSON.stringify(reply), headers);
  }

  async #call(asked: Asked, era: Era, { calls, id, questions }: Flying): Promise<void> {
    const { request, response, frame, session } = asked;
    const accepted = acceptedBy(request);
    if (!accepted.json && !accepted.events) return refuse(asked, 406, badRequest('accept application/json'));
    if (this.#running >= mostInFlight) return refuse(asked, 503, badRequest('too many calls at once'));
    const signal = calls.begin(id);
    if (signal === undefined) return refuse(asked, 400, badRequest('the id is in use'));
    this.#running += 1;
    const call = this.#awaited.begin(response, accepted);
    const notify = call.streams ? (text: string): void => call.tell(text) : undefined;
    const elicit: Elicit | undefined =
      notify && questions && ((params, over) => questions.ask({ params, tell: notify, signal: over }));
    const scope = { session: session.id, era, signal, ...(notify && { notify }), ...(elicit && { elicit }) };
    const text = await this.#options.caller.answer(frame, scope);
    this.#running -= 1;
    this.#awaited.end(call);
    calls.end(id);
    call.answer(text);
  }

  #handshake(session: GateSession): HandshakeOptions {
    const { gate, self, instructions } = this.#options;
    const base = { gate, self, session: session.id };
    return instructions === undefined ? base : { ...base, instructions };
  }
}

function eraOf(request: IncomingMessage, { params }: RequestFrame | NotificationFrame): Era {
  if (claimsModern(params)) return 'modern';
  const version = headerOf(request, versionHeader);
  return version !== undefined && version >= modernVersion ? 'modern' : 'legacy';
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

function badRequest(message: string): WireError {
  return { code: invalidRequest, message };
}

function refuse({ response, frame }: Asked, status: number, error: WireError): void {
  sendRefusal(response, { status, id: frame.id, error });
}
