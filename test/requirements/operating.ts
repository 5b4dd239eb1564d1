/** Promises about commands, findings, bad input and figures. */
import { type Requirement, section } from './requirement.js';

/** In the order of the design's pages. */
export const operating: readonly Requirement[] = [
  ...section('DESIGN 9', 'built', [
    [
      'P.lint.commands',
      'Lint names launchers with free arguments, and path denials beside what runs programs.',
    ],
    [
      'P.lint.findings',
      'Lint compares claims with ceilings, and names open groups, recursive tools that nothing can use, and rules that meet nothing.',
    ],
  ]),
  ...section('DESIGN 10', 'built', [
    [
      'P.skill.sequence',
      'A skill is verified, parsed, intersected, rejected or masked, and only then published.',
    ],
    [
      'P.skill.commands',
      'Skills are signed and verified offline, and loaded, listed and unloaded in a running gateway.',
    ],
    [
      'P.skill.modules',
      'A JavaScript tool of a skill runs in a compartment, each call in one of its own; where none was seen to refuse, the tool is absent.',
    ],
    ['P.skill.policy', 'What a policy says of skills is a closed vocabulary, checked with positions.'],
    [
      'P.skill.examples',
      'The examples hold a good, an over-reaching, a tampered and an unsigned skill, each with its answer.',
    ],
    ['P.skill.reports', 'The failure reports about skills and retry storms have their right answers.'],
  ]),
  ...section('DESIGN 11', 'built', [
    ['P.cli.exit-codes', 'Commands exit 0 ok, 1 negative verdict, 2 usage, 3 invalid input, 4 internal.'],
    [
      'P.cli.doctor',
      'doctor checks the machine and what a policy demands of it, one line each, and exits 1 when something demanded is missing.',
    ],
    ['P.cli.help', 'Every command has help with one example.'],
    ['P.cli.json', 'With --json a command prints JSON for machines and nothing else on stdout.'],
    [
      'P.cli.quickstart',
      'npm start shows one permitted read, one refused write, both records, the endpoint and the snippet, and ends its children on Ctrl-C.',
    ],
    [
      'P.cli.test',
      'pawl test compares calls of a file with their expected verdicts: exit 0 all as expected, 1 some differ, 3 invalid input with its line.',
    ],
    [
      'P.cli.explain',
      'pawl explain tells of a call its verdict, the rule with its text and place in the generation that judged, what would be allowed there and what to change; an unknown id exits 1.',
    ],
    [
      'P.cli.suggest',
      'pawl grant suggest prints an allow list that loads, holds the recorded calls that it is made from, and holds nothing that a denial refused.',
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
