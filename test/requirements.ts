/** Every promise of the design as data: what is built is cited by at least one test, what is planned by none. */
import { asking } from './requirements-of-asking.js';
import { reloading } from './requirements-of-reload.js';

/** `built`: some test title holds `[id]`. `planned`: named so that the section is not forgotten; no test may cite it yet. */
export type RequirementStatus = 'built' | 'planned';

/** One promise. `source` names the page and section of the design that makes it; `text` is one sentence. */
export type Requirement = Readonly<{
  id: string;
  source: string;
  text: string;
  status: RequirementStatus;
}>;

type Row = readonly [id: string, text: string];

function section(source: string, status: RequirementStatus, rows: readonly Row[]): readonly Requirement[] {
  return rows.map(([id, text]) => ({ id, source, text, status }));
}

const seeds: readonly Requirement[] = [
  ...section('seed 000', 'built', [
    [
      'S000.frozen-snapshot',
      'A policy snapshot is deep-frozen; a reload replaces the pointer and never changes a snapshot.',
    ],
    [
      'S000.pure-predicates',
      'Constraint predicates are pure over (manifest, frozen snapshot): no clock, randomness, environment or waiting.',
    ],
    [
      'S000.no-re-resolve',
      'An admission loads the current pointer once and judges under that snapshot; nothing is resolved again at dispatch.',
    ],
    [
      'S000.generation-compared',
      "A capability's generation is compared with the one that admits; one not known to attenuate the pinned one refuses the call.",
    ],
    [
      'S000.recheck-before-hand-over',
      'With posture recheck, a call whose generation moved is admitted afresh before the hand-over.',
    ],
    [
      'S000.bind-posture',
      'With posture bind, a call that awaited only its own intent record proceeds under the snapshot that admitted it.',
    ],
    [
      'S000.attenuated-away',
      'A call that the current generation no longer admits is refused as attenuated_away.',
    ],
    [
      'S000.revoked-is-not-attenuated',
      'A revoked capability authorises nothing, whatever the current generation says.',
    ],
  ]),
  ...section('seed 001', 'built', [
    ['S001.handle-unguessable', 'A handle is /object/ and 26 base32 characters from 128 random bits.'],
    [
      'S001.handle-per-session',
      'A handle is valid in the session it was minted for and in no other; it dies with that session.',
    ],
    [
      'S001.no-name-dispatch',
      'The dispatcher finds a tool by handle in a session; it has no name parameter.',
    ],
    ['S001.no-name-folding', 'A name that differs in case or blanks from a listed one names nothing.'],
    [
      'S001.unknown-handle',
      'A tool that was not advertised, a foreign, an expired and an unknown handle get one code and one text.',
    ],
    [
      'S001.mount-atomic',
      'Mount, unmount and refresh are one step: a reader sees the table before it or after it.',
    ],
    ['S001.handle-not-logged', 'No log line and no audit record holds a handle.'],
  ]),
  ...section('seed 001', 'planned', [
    [
      'S001.actors-and-powers',
      'Tools are actors that hold only the powers they were constructed with, and the powers are real.',
    ],
  ]),
  ...section('seed 002', 'built', [
    [
      'S002.refused-at-dispatch',
      'An argument outside the ceiling is refused at the dispatcher and the tool is never called.',
    ],
    ['S002.constraint-named', 'The refusal of a ceiling or narrowing names the constraint.'],
    [
      'S002.narrow-only-narrows',
      'A narrowing never admits what the ceiling refuses, whether it overlaps in part or not at all.',
    ],
    [
      'S002.same-object',
      'Without constraints on a tool its arguments are forwarded as the very same object.',
    ],
    ['S002.executor-decides', "The executor's ceiling decides; onBehalfOf is recorded and never consulted."],
    ['S002.reads-gated', 'Reading tools meet the same gate as writing tools.'],
    [
      'S002.gate-never-skipped',
      'A call without an agent is refused as no_agent, without a required or declared instance as no_instance; the gate is never skipped.',
    ],
    [
      'S002.consent-then-scope',
      'Consent granted and an argument out of scope is a refusal with the message of the constraint.',
    ],
    ['S002.table-drift', "A built-in connector table agrees with the schemas of the real server's tools."],
  ]),
  ...section('seed 002', 'planned', [
    ['S002.unreadable-refuses', 'A stored ceiling that cannot be read refuses.'],
  ]),
  ...section('seed 003', 'planned', [
    [
      'S003.manifest-meets-grant',
      'What a signed skill may do is its manifest met with the live grant, settled before its tools are published.',
    ],
  ]),
];

const authority: readonly Requirement[] = [
  ...section('DESIGN 2', 'built', [
    [
      'P.authority.boolean-algebra',
      'Each field kind obeys the laws of an effective Boolean algebra; what it samples is a member, and an empty set has no sample.',
    ],
    ['P.authority.print-parse', 'A printed constraint parses back to the same set.'],
    [
      'P.authority.all-accesses',
      'A call is admitted iff every one of its accesses is covered; different accesses may be covered by different rules.',
    ],
    ['P.authority.meet', 'The meet of two authorities admits exactly what both admit.'],
    [
      'P.authority.values',
      'The values of a field are exactly those with which the access would be admitted.',
    ],
    ['P.authority.order-free', 'The order of rules never changes a verdict.'],
    [
      'P.authority.index-agrees',
      'The index over tool and verb gives the verdict of a plain scan of all rules.',
    ],
    ['P.authority.extent', 'A subtree access is admitted only if everything beneath the path is.'],
    ['P.authority.state-cap', 'A pattern whose automaton would grow past the cap is refused at load.'],
  ]),
  ...section('DESIGN 2', 'built', [
    [
      'P.includes.exact',
      'Inclusion of authorities answers with a proof, a witness that was executed, or unknown.',
    ],
  ]),
];

const house: readonly Requirement[] = [
  ...section('DESIGN 3', 'built', [
    [
      'P.house.layers',
      'Folders import only what stands above them, through their door, and only reload moves the current pointer; a seeded violation fails the check.',
    ],
    ['P.house.minimum-modules', 'The layer check fails when it looked at fewer modules than stated.'],
    [
      'P.house.dangers',
      'The pure folders hold no clock, randomness, process or waiting; no folder has a catch-all name.',
    ],
    [
      'P.house.requirements',
      'Every built promise is cited by a test, every cited id exists, and no planned one is cited.',
    ],
    ['P.house.reference', 'The policy reference is printed from the vocabularies that the readers use.'],
  ]),
];

const callers: readonly Requirement[] = [
  ...section('DESIGN 4', 'built', [
    [
      'P.session.credential',
      'A session is opened by a presented credential; a connection or transport session id opens none.',
    ],
    ['P.session.unknown-key', 'An unknown, revoked or malformed key opens no session.'],
    ['P.session.deterministic-list', 'One credential sees one deterministic tool list.'],
    ['P.session.key-file-mode', 'Key files are written 0600, and a key that others can read is refused.'],
    ['P.run.one-daemon', 'A second run on a store exits 1 and says that the store is held.'],
    ['P.http.host-origin', 'HTTP requests with a foreign Host or Origin are refused.'],
    [
      'P.protected.regions',
      'Policy, store, keys, trust and sockets are denied to every executor and no rule can lift that.',
    ],
  ]),
  ...section('DESIGN 4', 'planned', [
    [
      'P.control.roles',
      'The control API knows viewers, approvers and operators, and no agent credential is valid there.',
    ],
  ]),
];

const dispatch: readonly Requirement[] = [
  ...asking.flatMap(([source, rows]) => section(source, 'built', rows)),
  ...section('DESIGN 5.1', 'built', [
    ['P.decode.duplicate-keys', 'A frame with a duplicate key at any depth is refused.'],
    ['P.decode.proto', 'A frame with a __proto__ key at any depth is refused and pollutes nothing.'],
    ['P.decode.limits', 'A frame over 1 MiB, 64 levels or 4,096 elements of an array is refused.'],
    ['P.decode.not-a-request', 'Text that is no JSON, arrays and response-shaped messages are refused.'],
    ['P.decode.case-twin', 'A member that differs from a known one only in case is malformed.'],
    ['P.decode.numbers', 'A number literal that does not survive the round trip is refused.'],
    ['P.decode.header-body', 'A request whose headers disagree with its body is refused.'],
    [
      'P.decode.types',
      'Types, enum and const of present arguments are checked at every depth, required after fill; null arguments mean an empty object.',
    ],
    [
      'P.decode.unknown-argument',
      'An argument that the schema does not know is malformed unless the schema is open and the rules free it.',
    ],
    ['P.decode.judged-is-forwarded', 'The object that was judged is the object that is forwarded.'],
    ['P.decode.no-throw', 'No input makes decode throw, hang or grow without bound.'],
  ]),
  ...section('DESIGN 5.2', 'built', [
    ['P.capability.epochs', 'A capability whose executor moved to another epoch is refused.'],
  ]),
  ...section('DESIGN 5.3', 'built', [
    ['P.lastcheck.synchronous', 'Nothing can come between the last check and the hand-over.'],
    [
      'P.lastcheck.changed-meanwhile',
      'An admission afresh that yields other arguments or wants approval is refused changed_meanwhile, retryable.',
    ],
    ['P.dispatch.frozen-arguments', 'Arguments are deep-frozen at admission.'],
  ]),
  ...section('DESIGN 5.5', 'built', [
    ['P.ask.consent-required', 'A call at an ask level is answered consent_required and reaches no server.'],
    ['P.ask.out-of-scope-first', 'A call that is out of scope is refused, never asked.'],
  ]),
  ...section('DESIGN 5.6', 'planned', [
    ['P.exclusion.fifo', 'Two calls of which one writes and whose accesses meet run one after the other.'],
  ]),
  ...section('DESIGN 5.7', 'built', [
    [
      'P.audit.intent-first',
      'The intent record is durable before the hand-over and a settlement follows; a refusal before is one record.',
    ],
    [
      'P.audit.fields',
      'A record names generations, epoch, verdict, layer, rule, constraint, target and digests.',
    ],
    [
      'P.audit.payload-absent',
      'With audit.arguments at its default a record holds what rules can name and no payload.',
    ],
    ['P.audit.tamper-evident', 'Changing one byte of any stored record makes audit verify fail.'],
    ['P.audit.erasable', 'A body is erased without breaking the chain.'],
    ['P.audit.signed-head', 'Heads are signed, and an export verifies offline with the public half.'],
    [
      'P.audit.unwritable',
      'With an unwritable store a call that needs an intent is refused audit_unavailable before hand-over, and resumes when it heals.',
    ],
  ]),
  ...section('DESIGN 5.8', 'built', [
    [
      'P.refusal.shape',
      'A refusal is a code, a message of at most 200 characters that says what to do next, and retryable.',
    ],
    [
      'P.refusal.discloses-nothing',
      "Text for a model holds no handle, no secret and no other executor's data.",
    ],
    [
      'P.refusal.first-layer',
      'If several layers refuse, the first in the order of the design names the refusal.',
    ],
    ['P.refusal.codes-closed', 'Refusal and fault codes are closed unions, each documented once.'],
    [
      'P.refusal.memory',
      'An identical refused call is answered from memory, counted, and reported past a limit.',
    ],
  ]),
  ...section('DESIGN 5.9', 'built', [
    ['P.dispatch.never-resent', 'Pawl never sends a call again after its hand-over.'],
    ['P.dispatch.lost-answer', 'A lost answer is the fault outcome_unknown, not retryable.'],
    ['P.dispatch.in-progress', 'An identical call while one is unsettled is answered in_progress.'],
  ]),
];

const reload: readonly Requirement[] = reloading.flatMap(([source, rows]) => section(source, 'built', rows));

const names: readonly Requirement[] = [
  ...section('DESIGN 7', 'built', [
    [
      'P.names.readable',
      'A readable name is server__tool, at most 48 characters, with a hash suffix when cut or rewritten; an opaque one is the bare handle.',
    ],
    ['P.names.list-equals-call', 'A tool is in the list exactly if some call of it could be admitted.'],
    ['P.handle.cap', 'A session holds at most 512 handles.'],
  ]),
  ...section('DESIGN 7', 'planned', [
    ['P.powers.real', 'Powers are enforced by the descriptor walk, the connected address and the sandbox.'],
    ['P.delegate.meet', 'A delegated capability is the meet and dies with its parent.'],
    ['P.pins.quarantine', 'A new or changed tool definition waits until an operator accepts the diff shown.'],
  ]),
];

const surfaces: readonly Requirement[] = [
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

const lint: readonly Requirement[] = [
  ...section('DESIGN 9', 'built', [
    [
      'P.lint.commands',
      'Lint names launchers with free arguments, and path denials beside what runs programs.',
    ],
  ]),
  ...section('DESIGN 9', 'planned', [
    ['P.lint.findings', 'Lint compares claims with ceilings and names open groups.'],
  ]),
  ...section('DESIGN 10', 'planned', [
    [
      'P.skill.sequence',
      'A skill is verified, parsed, intersected, rejected or masked, and only then published.',
    ],
  ]),
  ...section('DESIGN 11', 'built', [
    ['P.cli.exit-codes', 'Commands exit 0 ok, 1 negative verdict, 2 usage, 3 invalid input, 4 internal.'],
    ['P.cli.help', 'Every command has help with one example.'],
    ['P.cli.json', 'With --json a command prints JSON for machines and nothing else on stdout.'],
    [
      'P.cli.quickstart',
      'npm start shows one permitted read, one refused write, both records, the endpoint and the snippet, and ends its children on Ctrl-C.',
    ],
    ['P.cli.status', 'status shows the running daemon on one screen and exits 1 without one.'],
    ['P.cli.wrap', 'wrap serves one server on its own stdio under a policy, and without --policy exits 2.'],
  ]),
  ...section('DESIGN 11', 'planned', [
    ['P.console.views', 'The console shows calls, approvals, policy, executors, skills, audit and findings.'],
  ]),
  ...section('DESIGN 12', 'built', [
    [
      'P.bad.upstream-dies',
      'A server that dies, hangs, floods or prints garbage faults its own calls and no others.',
    ],
    [
      'P.bad.kill-nine',
      'After kill -9 the chain verifies, nothing acknowledged is lost and unsettled calls are listed.',
    ],
    [
      'P.bad.clock',
      'TTLs use the monotonic clock: a wall clock that jumps neither kills nor prolongs a session.',
    ],
  ]),
  ...section('DESIGN 13', 'built', [
    ['P.numbers.bench', 'The benchmark prints ratios against peers of the same run and writes JSON.'],
  ]),
];

const policy: readonly Requirement[] = [
  ...section('POLICY 1', 'built', [
    [
      'P.policy.positions',
      'A load error names file, line, column, what was found and what is allowed there.',
    ],
    [
      'P.policy.unknown-key',
      'Duplicate keys, unknown keys, unknown members of a connector table and unknown kinds are load errors.',
    ],
    [
      'P.policy.references',
      'A set or a captured fact stands for its scalars wherever a list may stand; what is missing or of the wrong type is a load error.',
    ],
    ['P.policy.not-built-yet', 'A key whose enforcement is not built is a load error that says so.'],
    [
      'P.policy.hash',
      'The generation hash ignores neutral keys and the order of rules, and changes with every difference that decides.',
    ],
  ]),
  ...section('POLICY 2', 'built', [
    [
      'P.level.three-sets',
      'An executor has three nested sets; the level of a call is the highest that holds all its regions.',
    ],
    ['P.level.default-deny', 'What no rule admits is refused.'],
    ['P.level.deny-wins', 'A denial that meets any access refuses the call whatever the allow rules say.'],
    [
      'P.level.permit-beats-ask',
      'A permit rule wins over an allow rule that asks, and the ask list caps both.',
    ],
  ]),
  ...section('POLICY 3', 'built', [
    [
      'P.rule.closed-world',
      'Once an allow rule names an argument, every other argument must be absent unless freed.',
    ],
    [
      'P.rule.glob',
      'A tool glob stays in one server, expands over accepted tools in allow, and covers later ones in deny and ask.',
    ],
    ['P.rule.verbs', 'A verb that a tool does not have is a load error on an exactly named tool.'],
    [
      'P.rule.reach',
      'A denial judges what is beneath the path of a recursive tool unless it says named or begins with **/.',
    ],
    ['P.rule.never-matches', 'A rule that can never match is a load error where known at load.'],
    ['P.rule.field-absent', 'An allow rule on a field that the tool does not have never matches that tool.'],
  ]),
  ...section('POLICY 4', 'built', [
    ['P.kind.strict-types', 'Types are strict: "1" is not 1, and 1 is 1.0.'],
    [
      'P.kind.text-unicode',
      'A constrained string that is not NFC or holds a lone surrogate or U+0000 is refused, not repaired.',
    ],
    [
      'P.kind.path-lexical',
      'A path is resolved lexically, climbing stays at /, and the canonical absolute form is forwarded.',
    ],
    [
      'P.kind.path-glob',
      'Path globs match whole segments as POLICY 4 says, and malformed ones are load errors.',
    ],
    [
      'P.kind.win32',
      'Paths of win32 take both separators, fold drives, and are refused where the system would open something else.',
    ],
    [
      'P.kind.host',
      'A host is a name by whole labels or an address in any spelling, in blocks and in the named sets of the registries.',
    ],
    [
      'P.kind.url',
      'A url is judged by its parsed scheme, host, port and path; what readers could take differently is refused.',
    ],
    ['P.kind.email', 'An email address is exactly one plain address, its domain compared as a host.'],
    [
      'P.kind.sql',
      'A constraint on SQL lists what statements may do, to which tables, and where unqualified names are.',
    ],
    [
      'P.kind.sql-accesses',
      'Each statement and table of a text is an access; the strongest effect wins wherever it stands.',
    ],
    [
      'P.kind.sql-every-statement',
      'Rules admit a text where every statement on every table is admitted, denials meet it where any is.',
    ],
    [
      'P.kind.sql-schema',
      'Names without a schema are admitted only where the constraint says which schema is meant.',
    ],
    [
      'P.kind.sql-refused',
      'SQL that is not understood, that databases read differently, or that calls functions not listed is refused.',
    ],
    [
      'P.kind.single',
      'single is bound to exactly one value; alone in a ceiling it admits nothing until bound.',
    ],
    [
      'P.kind.one-of-field',
      'A declared field with values takes those and no others; its wildcard is no value.',
    ],
    [
      'P.kind.polarity',
      'Admitting positions compare code points; refusing positions compare under simple case folding.',
    ],
    ['P.kind.absent', 'A constraint on an absent argument does not hold, except any, absent and optional.'],
    ['P.kind.defaults', 'An omitted argument with a default is judged and forwarded with the default.'],
    ['P.kind.combinations', 'all, either, in/except and optional are the set operations that they name.'],
    ['P.kind.arrays', 'A raw constraint on an array holds for every element; minItems and maxItems count.'],
    ['P.fill.single', 'A single allowed value fills an omitted argument; several are several_values.'],
    ['P.fill.not-from-denial', 'Nothing is filled from the complement of a denial.'],
    [
      'P.kind.command',
      'A command is read into programs, words and redirections; what is not understood is refused.',
    ],
  ]),
  ...section('POLICY 5', 'built', [
    [
      'P.connector.filesystem',
      'The filesystem table gives each tool the verbs and extents that DETAILS states.',
    ],
    [
      'P.connector.ceiling-junk',
      'In a document junk in a ceiling is a load error; in the store it is unreadable and refuses.',
    ],
  ]),
  ...section('POLICY 5', 'built', [
    [
      'P.connector.shell',
      'Commands are executed one by one, their words are paths from the working directory.',
    ],
    [
      'P.connector.terminal',
      'A terminal is bounded by backend and target; a prefix of a target is its backend.',
    ],
    ['P.connector.git', 'A repository is bounded by its path, its files, refs and remotes.'],
    ['P.connector.browser', 'A browser is bounded by where it goes and by what it does there.'],
    [
      'P.connector.declared',
      'Connectors declared in a document have the whole vocabulary of the built-in ones.',
    ],
    [
      'P.connector.group',
      'Arguments of one field are a group: all that they name is judged, and one of them may select what another is filled with.',
    ],
    [
      'P.connector.omitted',
      'What leaving a field out means is what the table says, else the schema default, else no access or a refusal.',
    ],
    [
      'P.connector.wildcard',
      'A wildcard lies inside an unconstrained field only, meets every denial, and is narrowed where one value is allowed.',
    ],
    [
      'P.connector.base',
      'A path is meant from the base that its connector names, and is forwarded as it was judged; no value becomes an option.',
    ],
    [
      'P.connector.calls',
      'A call that a dispatcher holds is judged as its own, four deep at most, and is forwarded as it was judged.',
    ],
    [
      'P.connector.fetch',
      'The fetch table sees the url and its host, the proxy like the page, and leaves headers to rules that free them.',
    ],
    ['P.connector.sql', 'The sql connector reads the SQL of a call into its effects on tables.'],
    [
      'P.connector.whole-ceiling',
      'A ceiling that lists all that a field can hold leaves wildcards and omissions as they were sent.',
    ],
    [
      'P.connector.unlisted',
      'A tool that its connector does not list is absent, or read by its raw arguments where the connector says so.',
    ],
  ]),
  ...section('POLICY 6', 'built', [
    ['P.decide.lines', 'decide answers line by line in order; a bad line prints nothing and exits 3.'],
    [
      'P.decide.cases',
      'The worked path and raw-argument cases have the stated verdicts, no false denial among them.',
    ],
    [
      'P.decide.reports',
      'The failure reports that concern paths, urls, arguments, loading and precedence get their right answers.',
    ],
  ]),
  ...section('POLICY 6', 'built', [
    [
      'P.diff.relation',
      'diff gives the relation, per executor, with witnesses that the production matcher executed.',
    ],
  ]),
];

/** All promises, in the order of the design's pages. */
export const requirements: readonly Requirement[] = [
  ...seeds,
  ...authority,
  ...house,
  ...callers,
  ...dispatch,
  ...reload,
  ...names,
  ...surfaces,
  ...lint,
  ...policy,
];
