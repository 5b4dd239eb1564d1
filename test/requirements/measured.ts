/** Promises that public benchmarks measure. */
import { type Requirement, section } from './requirement.js';

/** In the order of the design's pages. */
export const measured: readonly Requirement[] = [
  ...section('DESIGN 14', 'built', [
    [
      'P.measure.agentdojo',
      'On AgentDojo, through the gateway, grants of what a task needs serve every user task and stop every attack that makes a call.',
    ],
    [
      'P.measure.taubench',
      "On tau-bench, through the gateway, grants bound to a user's own ids serve the user and deny every write of another.",
    ],
    [
      'P.measure.agentdyn',
      "What models were recorded to call, on AgentDyn, is admitted exactly where the task's grant holds it and the tool's schema allows it.",
    ],
    [
      'P.evasion.attacks',
      'However a foreign call is spelled, shaped, placed or named, nothing arrives that is not inside the grant.',
    ],
    [
      'P.evasion.typed',
      'However an address, a path or a number is spelled, none arrives that the server behind reads as another than permitted ones.',
    ],
    ['P.evasion.uses', 'A call whose uses are spent does not arrive again, however it is spelled.'],
    ['P.evasion.own-calls', 'A permitted call is permitted however a client spells it.'],
  ]),
];
