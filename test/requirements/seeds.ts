/** What the four documents that Pawl implements promise. */
import { type Requirement, section } from './requirement.js';

/** In the order of the design's pages. */
export const seeds: readonly Requirement[] = [
  ...section('seed 000', 'built', [
    [
      'S000.frozen-snapshot',
      'A policy snapshot is deep-frozen; a reload replaces the pointer and never changes a snapshot.',
    ],
    [
      'S000.pure-predicates',
      'Constraint predicates are pure over (manifest, frozen snapshot): no clock, randomness, environment or waiting.',
    ],
    [
      'S000.no-re-resolve',
      'An admission loads the current pointer once and judges under that snapshot; nothing is resolved again at dispatch.',
    ],
    [
      'S000.generation-compared',
      "A capability's generation is compared with the one that admits; one not known to attenuate the pinned one refuses the call.",
    ],
    [
      'S000.recheck-before-hand-over',
      'With posture recheck, a call whose generation moved is admitted afresh before the hand-over.',
    ],
    [
      'S000.bind-posture',
      'With posture bind, a call that awaited only its own intent record proceeds under the snapshot that admitted it.',
    ],
    [
      'S000.attenuated-away',
      'A call that the current generation no longer admits is refused as attenuated_away.',
    ],
    [
      'S000.revoked-is-not-attenuated',
      'A revoked capability authorises nothing, whatever the current generation says.',
    ],
  ]),
  ...section('seed 001', 'built', [
    ['S001.handle-unguessable', 'A handle is /object/ and 26 base32 characters from 128 random bits.'],
    [
      'S001.handle-per-session',
      'A handle is valid in the session it was minted for and in no other; it dies with that session.',
    ],
    [
      'S001.no-name-dispatch',
      'The dispatcher finds a tool by handle in a session; it has no name parameter.',
    ],
    ['S001.no-name-folding', 'A name that differs in case or blanks from a listed one names nothing.'],
    [
      'S001.unknown-handle',
      'A tool that was not advertised, a foreign, an expired and an unknown handle get one code and one text.',
    ],
    [
      'S001.mount-atomic',
      'Mount, unmount and refresh are one step: a reader sees the table before it or after it.',
    ],
    ['S001.handle-not-logged', 'No log line and no audit record holds a handle.'],
    [
      'S001.missing-power',
      'An actor is not spawned without a power that its definition names: a type error, and an error at run time.',
    ],
    [
      'S001.turn-commits',
      'State changes only by become, when the turn succeeds; what a failed turn sent is dropped with it.',
    ],
    [
      'S001.fifo-per-sender',
      'Messages of one sender to one actor start their turns in the order of sending.',
    ],
    ['S001.turn-deadline', 'After its deadline the powers, send, call and become of a turn throw.'],
    ['S001.no-re-entrance', 'A chain of calls that comes back to an actor which waits for it is refused.'],
    [
      'S001.pipelining',
      'Messages to a promised reference arrive in order before any later one, and break with the promise.',
    ],
    [
      'S001.caretaker',
      'When revoke has returned, nothing that came through the reference starts a turn or uses a power, queued or not.',
    ],
    ['S001.facet', 'A narrowed reference reaches the methods that it names and no others.'],
    ['S001.absent-tool', 'An actor whose powers are missing is an absent tool.'],
    [
      'S001.bisimulation',
      'Beside a registry of names the same honest calls give the same results, and every attack of the seed another one.',
    ],
    ['S001.bundle', 'A bundle made from another one holds some of its powers and never others.'],
    [
      'S001.compartment',
      'JavaScript that is not trusted has the powers that it was given and nothing else, within bounds of time, memory and output; when it is ended no power is used for it.',
    ],
    [
      'S001.hostile-tools',
      'The same hostile tools get nothing in a compartment and in bubblewrap, an honest one beside them goes on, and the audit says what confined each call.',
    ],
    ['S001.isolated-messages', 'Between actors go copies of plain data, and references; nothing is shared.'],
    [
      'S001.actors-and-powers',
      'Tools are actors that hold only the powers they were constructed with, and the powers are real.',
    ],
    [
      'S001.powers-stop',
      'What a use of a power does after its beginning stops with its turn: at the deadline, at a revocation, when the turn is over.',
    ],
    [
      'S001.power-answers',
      'What a power refuses is the denial that the model reads, and what did not work is an answer of the tool; neither names the host.',
    ],
  ]),
  ...section('seed 002', 'built', [
    [
      'S002.refused-at-dispatch',
      'An argument outside the ceiling is refused at the dispatcher and the tool is never called.',
    ],
    ['S002.constraint-named', 'The refusal of a ceiling or narrowing names the constraint.'],
    [
      'S002.narrow-only-narrows',
      'A narrowing never admits what the ceiling refuses, whether it overlaps in part or not at all.',
    ],
    [
      'S002.same-object',
      'Without constraints on a tool its arguments are forwarded as the very same object.',
    ],
    ['S002.executor-decides', "The executor's ceiling decides; onBehalfOf is recorded and never consulted."],
    ['S002.reads-gated', 'Reading tools meet the same gate as writing tools.'],
    [
      'S002.gate-never-skipped',
      'A call without an agent is refused as no_agent, without a required or declared instance as no_instance; the gate is never skipped.',
    ],
    [
      'S002.consent-then-scope',
      'Consent granted and an argument out of scope is a refusal with the message of the constraint.',
    ],
    [
      'S002.declared-and-resolved',
      'What a creator declares is sanitised, stored, and resolved with everything else that the executor may do.',
    ],
    [
      'S002.subscriber-narrows',
      'A subscriber narrows within the ceiling, and binds what the creator left to be bound.',
    ],
    [
      'S002.subscriber-cannot-widen',
      'A subscriber who asks for more, in part or wholly, gets no more than the intersection and is told.',
    ],
    [
      'S002.declared-is-a-generation',
      'A change of a stored ceiling or narrowing is a generation: an attenuation activates, a widening needs the operator.',
    ],
    ['S002.no-lookup', 'A connector without a vocabulary costs no lookup of what is stored.'],
    [
      'S002.multi-value-target',
      'Under a ceiling of several values a target that names a permitted one is permitted.',
    ],
    [
      'S002.unreadable-refuses',
      'A stored ceiling or narrowing that cannot be read refuses every call of its executor that touches what it is for.',
    ],
    ['S002.table-drift', "A built-in connector table agrees with the schemas of the real server's tools."],
  ]),
  ...section('seed 003', 'built', [
    [
      'S003.manifest-meets-grant',
      'What a signed skill may do is its manifest met with the live grant, settled before its tools are published.',
    ],
    [
      'S003.inside-both',
      'For any manifest and grant the published authority lies inside both, and every open tool needs only what is wholly granted.',
    ],
    [
      'S003.over-reach-event',
      'Over-reach with a valid signature is refused or masked at load, and recorded with who signed and what was not granted.',
    ],
    [
      'S003.masked-at-once',
      'A masked tool answers masked at once, not retryable; its handler is never touched and its loop ends.',
    ],
    ['S003.nothing-maskable', 'A skill that asks for more and has no tool that could be masked is refused.'],
    ['S003.skill-ceiling', 'While a skill acts it stays inside what it asked for and was granted.'],
    [
      'S003.skill-powers',
      'A program of a skill reaches the files and hosts that its tool needs and was granted, by verb, and nothing else; less where a sandbox cannot say it.',
    ],
    [
      'S003.reload',
      'A smaller grant, or trust that is taken back, masks or unloads in the step of the reload; growth unmasks nothing before a new load.',
    ],
    [
      'S003.load-pins',
      'A skill is published under the snapshot that is still in force in that very step, and an unloaded one answers nothing.',
    ],
    [
      'S003.trust',
      'Who may sign what, from when until when, is what the trust file says; revoked keys and certificates sign nothing.',
    ],
    ['S003.tampering', 'A skill that is not exactly what was signed is refused, with the reason.'],
    [
      'S003.interoperable',
      'What Pawl signs is an OpenSSF Model Signing 1.0 bundle that Sigstore’s own verifier takes.',
    ],
    [
      'S003.foreign-signatures',
      'What other tools sign, in each layout of OpenSSF Model Signing 1.0, verifies under a trust file that takes the signer.',
    ],
    [
      'S003.frontmatter',
      'SKILL.md is read in every form of the format, or refused with what is wrong; items of allowed-tools that mean nothing grant nothing.',
    ],
    [
      'S003.unsigned',
      'What nobody signed is refused, or under unsigned: sandbox gets the sandbox and nothing beyond it, and is marked.',
    ],
    [
      'S003.restart',
      'A loaded skill is loaded again at start by the same sequence if it is the same, with at most what it had; otherwise it is told and forgotten.',
    ],
    [
      'S003.served',
      'Instructions and files of a loaded skill are prompts and resources of its executor, from memory, with digests, each reading recorded.',
    ],
    ['S003.read-once', 'Each file of a skill is read once, and what was hashed is what is loaded.'],
    ['S003.grant-compared', 'A wider grant, a milder mode, a further name and more trust are widenings.'],
  ]),
];
