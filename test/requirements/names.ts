/** Promises about names, handles, actors and powers. */
import { type Requirement, section } from './requirement.js';

/** In the order of the design's pages. */
export const names: readonly Requirement[] = [
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
