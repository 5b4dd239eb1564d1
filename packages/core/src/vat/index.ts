/** Vat: actors and their turns. Sending is behind a door of its own, send.ts. */
export type { Behaviour, TurnContext } from './actor.js';
export { Bundle } from './bundle.js';
export { type Revocable, facet, judged, revocable, toolRef } from './caretaker.js';
export { frozenCopy } from './data.js';
export {
  type Actor,
  type ArgumentSchema,
  type Effect,
  type Method,
  type MethodMaker,
  type MethodTable,
  type ProtocolOf,
  type ReadArguments,
  type StatefulInit,
  type StatelessInit,
  checked,
  defineActor,
  noArguments,
} from './define.js';
export { type ExclusionPort, type ExclusionRequest, type Hold, noExclusion } from './exclusion.js';
export type { MessageJudge } from './gate.js';
export type { ReadTurn, WriteTurn } from './live-turn.js';
export {
  type Members,
  type Power,
  type PowersOf,
  type TurnPort,
  inTurn,
  power,
  reference,
  stopsWithTurns,
} from './power.js';
export type { ArgsOf, Eventually, MethodOf, Promised, ResultOf } from './protocol.js';
export { Exclusion, type ExclusionOptions } from './queue.js';
export { type Ref, isRef } from './ref.js';
export { ActorError } from './request.js';
export { pipeline } from './slot.js';
export { turnPort } from './turn-port.js';
export { type SpawnOptions, lacking, spawn, stop } from './spawn.js';
