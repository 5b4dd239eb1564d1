/** Promises about sets of accesses. */
import { type Requirement, section } from './requirement.js';

/** In the order of the design's pages. */
export const authority: readonly Requirement[] = [
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
