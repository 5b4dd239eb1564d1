/** Promises about asking and counting; all of them are built. */
import { type Requirement, section } from './requirement.js';

type Section = readonly [source: string, rows: readonly (readonly [id: string, text: string])[]];

const sections: readonly Section[] = [
  [
    'DESIGN 5.5',
    [
      [
        'P.ask.approval-seals',
        'An approval seals session, executor, tool definition, filled arguments and the text shown.',
      ],
      ['P.ask.retry', 'A call that asks is found again by the same call, which goes through once approved.'],
      [
        'P.ask.approval-used',
        'An approval for one call is used up by its hand-over; one for the session is for the identical call only.',
      ],
      [
        'P.ask.expires',
        'An ask without an answer, and an answer that is not taken up, expire on the monotonic clock.',
      ],
      [
        'P.ask.survives-reload',
        'An approval survives a reload as far as the call, admitted afresh, still asks or is freer.',
      ],
      ['P.ask.dies', 'Asks and approvals die with their session and with the epoch of their executor.'],
      [
        'P.ask.own',
        'No session answers its own ask, and no agent credential answers any; the person at the client answers where the policy lists client, and there only asks of that session.',
      ],
      [
        'P.ask.state',
        'A client of 2026-07-28 that shows questions is answered input_required with a state sealed to session, executor, call, generation and time; the state never is the approval.',
      ],
      [
        'P.ask.client',
        'The person at the client is asked in either era only where the policy lists client and the client shows questions; declining or closing refuses the call.',
      ],
      [
        'P.ask.status',
        'pawl status says how many calls wait for an approval, and since when the oldest does.',
      ],
      ['P.ask.fallback', 'A client that shows no questions gets a tool error with the id of the ask.'],
      [
        'P.ask.answered',
        'Approvers named by the policy answer asks with pawl approve or over control; the answer is durably recorded before it counts.',
      ],
    ],
  ],
  [
    'DESIGN 5.6',
    [
      [
        'P.limit.reserved',
        'Limits are reserved before the hand-over and given back only if nothing was handed over.',
      ],
      [
        'P.limit.next-level',
        'A rule without budget is used first, then the one with most left, then the next level decides; none left is limit_used_up.',
      ],
      [
        'P.limit.named',
        'A named limit is charged by every admitted call that meets its region, for a session, an executor or a day of UTC.',
      ],
      ['P.limit.kept', 'A reload refills nothing, and a restart nothing of an executor or a day.'],
    ],
  ],
  [
    'POLICY 2.5',
    [
      [
        'P.limit.document',
        'Budgets of rules and named limits are read in a closed vocabulary, with positions, and stand in the compiled policy.',
      ],
      ['P.ask.document', 'How long an ask waits and who may answer it are read in a closed vocabulary.'],
    ],
  ],
];

/** In the order of the design's pages. */
export const asking: readonly Requirement[] = sections.flatMap(([source, rows]) =>
  section(source, 'built', rows),
);
