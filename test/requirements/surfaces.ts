/** Promises about the MCP surfaces and the wire. */
import { type Requirement, section } from './requirement.js';

/** In the order of the design's pages. */
export const surfaces: readonly Requirement[] = [
  ...section('DESIGN 8', 'built', [
    [
      'P.surface.default-deny',
      'Every MCP surface other than handshake, ping and tools is closed with surface_closed.',
    ],
    ['P.surface.at-names', 'No glob matches a name that begins with @, and a tool so named is not mounted.'],
    ['P.surface.meta-dropped', '_meta is dropped both ways but for trace context and the progress token.'],
    [
      'P.surface.own-progress',
      'Progress and cancel concern only a call of the same session; tokens are rewritten.',
    ],
    ['P.upstream.declared-env', 'A server process gets only the environment that its entry declares.'],
    [
      'P.upstream.per-principal',
      'Each principal has its own process of a server, and the probe process is apart from them.',
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
