/** Promises about the policy document and how a call is read. */
import { type Requirement, section } from './requirement.js';

/** In the order of the design's pages. */
export const policy: readonly Requirement[] = [
  ...section('POLICY 1', 'built', [
    [
      'P.policy.positions',
      'A load error names file, line, column, what was found and what is allowed there.',
    ],
    [
      'P.policy.given',
      'What a server is given is texts and secrets by name: the name is part of its identity, the value is not; headers that Pawl sets are errors.',
    ],
    [
      'P.policy.reach',
      'A server has a command or a url, and keys that go with the other are errors, not ignored.',
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
    [
      'P.reports.live',
      'The failure reports that concern sessions, approvals, reloads, records, links and redirects get their right answers through a running gateway and its powers.',
    ],
    [
      'P.reports.counted',
      'Each handed failure report is told once, or listed once with the reason; how many are of which outcome is printed.',
    ],
  ]),
  ...section('POLICY 6', 'built', [
    [
      'P.diff.relation',
      'diff gives the relation, per executor, with witnesses that the production matcher executed.',
    ],
    [
      'P.diff.store',
      'With a store, diff knows its executors as not new and counts what is stored for them on both sides.',
    ],
  ]),
];
