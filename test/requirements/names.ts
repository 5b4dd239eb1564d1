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
    ['P.powers.real', 'Powers are enforced by the descriptor walk, the connected address and the sandbox.'],
    [
      'P.powers.fs-race',
      'No verb of an fs power leaves its folder while another process exchanges folders, files and links in it.',
    ],
    [
      'P.powers.net-addresses',
      'A net power connects to no address that is not public or granted, in whatever spelling, by name, by redirect or after a second lookup.',
    ],
    [
      'P.powers.exec',
      'An exec power refuses words outside its folders before anything starts; what starts sees its folders, no environment, and no network but that of its net power.',
    ],
    [
      'P.powers.sandbox',
      'A server with a sandbox reaches its folders and hosts and nothing else; where that cannot be had it is not started, loudly.',
    ],
    [
      'P.powers.sandbox-proof',
      'A sandbox counts only after a probe in it was refused what it should be refused.',
    ],
    ['P.pins.quarantine', 'A new or changed tool definition waits until an operator accepts the diff shown.'],
    [
      'P.pins.locked',
      'With --locked no tool definition is accepted that an operator has not accepted, first use neither.',
    ],
    ['P.audit.confinement', 'Status and audit say whether a tool is confined by object or by name.'],
    ['P.audit.confined-by', 'The audit says what confined a call: bubblewrap, or a compartment.'],
    [
      'P.compartment.load',
      'A module that imports what is built in, imports when it runs, or requires is refused at load; nothing of it runs before.',
    ],
    [
      'P.compartment.protocol',
      'What the process of a compartment says is judged as if a tool had taken it over.',
    ],
  ]),
  ...section('DESIGN 7', 'built', [
    ['P.delegate.meet', 'A delegated capability is the meet and dies with its parent.'],
    [
      'P.delegate.right',
      'The right to delegate is a key of its own with a depth; one that is new or goes deeper is a widening, and one that is taken away ends what it gave.',
    ],
    [
      'P.delegate.charged',
      'What is delegated is charged to the budgets and limits of whoever delegated, and of whoever it is to act as.',
    ],
    [
      'P.delegate.recorded',
      'A delegation is recorded with its certificate before anybody is told of it; its calls say whose child they are.',
    ],
    [
      'P.delegate.child-session',
      'pawl/delegate opens a child session that only the same credential can address, by its name in _meta; any other name leads nowhere.',
    ],
  ]),
];
