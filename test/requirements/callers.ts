/** Promises about credentials, sessions and control. */
import { type Requirement, section } from './requirement.js';

/** In the order of the design's pages. */
export const callers: readonly Requirement[] = [
  ...section('DESIGN 4', 'built', [
    [
      'P.session.credential',
      'A session is opened by a presented credential; a connection or transport session id opens none.',
    ],
    [
      'P.session.ttl',
      'A session lives as long as the TTL at its opening says, and no longer than the TTL in force says.',
    ],
    [
      'P.session.revoked-executor',
      'Keys of a revoked executor are shown as dead, and no further one is issued.',
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
