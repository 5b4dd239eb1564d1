/** Promises about start and reload; all of them are built. */
import { type Requirement, section } from './requirement.js';

type Section = readonly [source: string, rows: readonly (readonly [id: string, text: string])[]];

const sections: readonly Section[] = [
  [
    'seed 000',
    [
      [
        'S000.monotone-reload',
        'A reload that is not a proved attenuation is refused unless an operator act moves the epoch.',
      ],
    ],
  ],
  [
    'DESIGN 6',
    [
      [
        'P.reload.model',
        'A model of the reload protocol is searched exhaustively in both postures, and each way of getting it wrong is found.',
      ],
      [
        'P.start.same-generation',
        'At start a generation whose hash differs from the stored one is refused unless the operator bumps the epoch; an empty store takes it.',
      ],
      [
        'P.start.unreadable',
        'A policy that cannot be read ends run with exit 3 and admits nothing; --last-good serves the stored one, also in place of one that widens, and says so.',
      ],
    ],
  ],
  [
    'DESIGN 6',
    [
      [
        'P.reload.verdicts',
        'Equal, attenuation and new activate; widening and unknown are refused with a witness until an operator act.',
      ],
      [
        'P.reload.accepts-what-was-shown',
        'An operator act takes what was shown under the hash that it names, or what was refused last; where something else is proposed by now it is refused.',
      ],
      [
        'P.reload.emptied',
        'An operator act says whose capabilities ended, and how many open sessions have no tools for it.',
      ],
      [
        'P.reload.triggers',
        'File watch, SIGHUP and start can only attenuate; what cannot be read leaves the last good generation in force, loudly.',
      ],
      [
        'P.reload.servers',
        'A new server or a changed server identity waits for the operator act; what it replaces ends after its last call.',
      ],
      [
        'P.reload.taken-over',
        'A generation takes over what equals a part of the one before, and answers, finds and compares as one that is compiled alone.',
      ],
      [
        'P.reload.drain',
        'Only calls keep an older generation alive; at the drain deadline they are cancelled and settled as outcome_unknown.',
      ],
      [
        'P.reload.freeze',
        'A freeze permits nothing at once, also after a restart; a thaw is an operator act and revives no capability.',
      ],
      [
        'P.reload.revoke',
        'After revoke has returned nothing authorises by what was revoked or derived from it; calls in flight are cancelled.',
      ],
      [
        'P.race.hand-over',
        'In every interleaving with reload, revoke, freeze, consent and unmount a call is handed over only with what admitted it and, where it is rechecked, with what is in force.',
      ],
      [
        'P.race.replay',
        'Each record of a call, judged again under the generation that it names, gives the same verdict, level and arguments.',
      ],
      [
        'P.race.storm',
        'Under cycling generations every verdict is the one computed offline from the generation recorded with it.',
      ],
      ['P.race.mutants', 'Each known way of getting dispatch and reload wrong is noticed by a named test.'],
    ],
  ],
];

/** In the order of the design's pages. */
export const reloading: readonly Requirement[] = sections.flatMap(([source, rows]) =>
  section(source, 'built', rows),
);
