/** Promises about the MCP surfaces and the wire. */
import { type Requirement, section } from './requirement.js';

/** In the order of the design's pages. */
export const surfaces: readonly Requirement[] = [
  ...section('DESIGN 8', 'built', [
    [
      'P.surface.default-deny',
      'Every MCP surface other than handshake, ping and tools is closed with surface_closed, but for what loaded skills serve.',
    ],
    ['P.surface.at-names', 'No glob matches a name that begins with @, and a tool so named is not mounted.'],
    ['P.surface.meta-dropped', '_meta is dropped both ways but for trace context and the progress token.'],
    [
      'P.surface.own-progress',
      'Progress and cancel concern only a call of the same session; tokens are rewritten.',
    ],
    [
      'P.view.sound',
      'The schema that a model is shown takes every call that dispatch admits, without the arguments that are always filled in.',
    ],
    [
      'P.view.exact',
      'What it takes is never refused for a value out of a list or range or for a presence, unless it says that it is not complete.',
    ],
    ['P.view.bound', 'An argument that is always filled in with one value, or must be absent, is not shown.'],
    [
      'P.view.lines',
      'What keywords cannot say stands as one line of at most 200 characters in the description, as far as disclose lets it.',
    ],
    ['P.view.untouched', 'Without a constraint on a tool its definition is the very same object.'],
    ['P.view.real-tools', 'The narrowed schemas of all real tools are valid JSON Schema of their draft.'],
    ['P.view.follows', 'The list follows the generation in force: after a reload it is narrowed anew.'],
    ['P.upstream.declared-env', 'A server process gets only the environment that its entry declares.'],
    [
      'P.upstream.per-principal',
      'Each principal has its own process of a server, and the probe process is apart from them.',
    ],
    [
      'P.upstream.http',
      'A server at a url, of either era, behaves like one that is started: one session a principal, opened again when it is lost.',
    ],
    [
      'P.upstream.http-handover',
      'Over HTTP a call is posted once: without a connection it was not sent, with one its outcome is unknown until it is answered.',
    ],
    [
      'P.upstream.http-origin',
      'Requests go to the url of the operator alone: no redirect, no proxy of the environment, no certificate that is not trusted.',
    ],
    [
      'P.upstream.http-bounded',
      'What a server over HTTP sends is bounded and read strictly; nothing that nobody asked for is unpacked.',
    ],
    ['P.upstream.http-comes', 'A server that is not there at first, or goes away, is found when it comes.'],
    [
      'P.secrets.stored',
      'Stored secrets are files of their owner alone; values that no header or line could hold are refused.',
    ],
    ['P.secrets.missing', 'Without its secret a server is absent, with the reason; no empty header is sent.'],
    [
      'P.oauth.login',
      'A login asks the issuer for what the policy says, with PKCE and for the server alone, and counts only with its own state.',
    ],
    [
      'P.oauth.issuer',
      'Nobody but the issuer that the policy names is asked for tokens, over ways that others cannot read.',
    ],
    ['P.oauth.renewal', 'Tokens are renewed without a person; what cannot be renewed waits for a login.'],
    [
      'P.oauth.principals',
      'Each principal has tokens of its own, in the store; without them the server is absent for it.',
    ],
    ['P.secrets.rotated', 'A new value of a secret counts from the next start or request on.'],
    [
      'P.secrets.removed',
      'Secrets that a server was given are taken out of everything it says, and stand in no log, audit record or status.',
    ],
    [
      'P.wire.both-eras',
      'Clients of 2026-07-28 and of 2025-11-25 get the same verdicts over stdio and HTTP.',
    ],
  ]),
  ...section('DESIGN 8', 'planned', [
    [
      'P.surface.resources-prompts',
      'Resources, prompts, sampling, elicitation, roots and tasks follow the table of surfaces.',
    ],
  ]),
  ...section('DETAILS Wire', 'built', [
    [
      'P.wire.codes',
      'Invalid requests are JSON-RPC errors; every denial or fault of a call is a tool result with pawl/refusal in _meta.',
    ],
    ['P.wire.answers-unchanged', "A server's answer passes unchanged but for _meta and resultType."],
    ['P.wire.result-too-large', 'A result over results.maxBytes is replaced whole by result_too_large.'],
    ['P.wire.timeout', 'A call without progress for 60 s is cancelled and answered outcome_unknown.'],
  ]),
];
