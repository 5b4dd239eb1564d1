/** Promises about the code itself. */
import { type Requirement, section } from './requirement.js';

/** In the order of the design's pages. */
export const house: readonly Requirement[] = [
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
