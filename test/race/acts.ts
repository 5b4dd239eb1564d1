/** What a race is made of: its acts, how likely they are, and what each does. */
import type { JsonObject, ReloadRequest } from '@pawl/core';
import * as fc from 'fast-check';
import { type Shape, documentOf, shapes } from './documents.js';
import type { Race } from './race.js';

/** One act. */
export type Act =
  | { readonly do: 'call'; readonly agent: string; readonly x: string; readonly y?: string | undefined }
  | {
      readonly do: 'reload';
      readonly shape: Shape;
      readonly b: 'red' | 'red, blue';
      readonly act: boolean;
      readonly all: boolean;
    }
  | {
      readonly do: 'revoke';
      readonly kind: 'session' | 'executor' | 'key' | 'capability';
      readonly agent: string;
    }
  | { readonly do: 'freeze'; readonly name: string }
  | { readonly do: 'thaw'; readonly name: string; readonly reissue: boolean }
  | { readonly do: 'answer'; readonly says: 'yes' | 'no' }
  | { readonly do: 'present'; readonly agent: string }
  | { readonly do: 'break'; readonly what: 'store' | 'prover'; readonly broken: boolean }
  | { readonly do: 'unreadable' }
  | { readonly do: 'mount' };

const agent = fc.constantFrom('a', 'a', 'a', 'b');
/** Calls of either agent. */
export const calls: fc.Arbitrary<Extract<Act, { do: 'call' }>> = fc.record({
  do: fc.constant('call' as const),
  agent,
  x: fc.constantFrom('red', 'blue', 'green', 'violet'),
  y: fc.constantFrom(undefined, undefined, 'one', 'two'),
});
/** Reloads by an operator, with the act that lets them widen or without. */
export const reloads: fc.Arbitrary<Act> = fc.record({
  do: fc.constant('reload' as const),
  shape: fc.constantFrom(...shapes),
  b: fc.constantFrom('red' as const, 'red' as const, 'red, blue' as const),
  act: fc.boolean(),
  all: fc.boolean(),
});
/** Answers to asks. */
export const answers: fc.Arbitrary<Act> = fc.record({
  do: fc.constant('answer' as const),
  says: fc.constantFrom('yes' as const, 'yes' as const, 'no' as const),
});
/** Revocations, freezes and thaws. */
export const stops: fc.Arbitrary<Act> = fc.oneof(
  fc.record({
    do: fc.constant('revoke' as const),
    kind: fc.constantFrom('session' as const, 'executor' as const, 'key' as const, 'capability' as const),
    agent,
  }),
  fc.record({ do: fc.constant('freeze' as const), name: fc.constantFrom('a', '*') }),
  fc.record({ do: fc.constant('thaw' as const), name: fc.constantFrom('a', '*'), reissue: fc.boolean() }),
);
/** New sessions, unmounts, what cannot be read, and stores and provers that break. */
export const others: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ do: fc.constant('present' as const), agent }),
  fc.record({
    do: fc.constant('break' as const),
    what: fc.constantFrom('store' as const, 'prover' as const),
    broken: fc.boolean(),
  }),
  fc.record({ do: fc.constant('unreadable' as const) }),
  fc.record({ do: fc.constant('mount' as const) }),
);

/** Does an act. */
export function perform(race: Race, act: Act): void {
  switch (act.do) {
    case 'call':
      return race.call(act.agent, argumentsOf(act));
    case 'reload':
      return race.reload(documentOf(act.shape, race.posture, act.b), operatorAct(act));
    case 'revoke':
      return race.revoke(act.kind, act.agent);
    case 'freeze':
      return race.freeze(act.name);
    case 'thaw':
      return race.thaw(act.name, act.reissue);
    case 'answer':
      return race.answer(act.says);
    case 'present':
    case 'break':
    case 'unreadable':
    case 'mount':
      return performOther(race, act);
  }
}

function argumentsOf({ x, y }: Extract<Act, { do: 'call' }>): JsonObject {
  return y === undefined ? { x } : { x, y };
}

function operatorAct({ act, all }: Extract<Act, { do: 'reload' }>): Pick<ReloadRequest, 'act'> {
  return act ? { act: { all, reissue: all } } : {};
}

function performOther(
  race: Race,
  act: Extract<Act, { do: 'present' | 'break' | 'unreadable' | 'mount' }>,
): void {
  if (act.do === 'present') race.present(act.agent);
  else if (act.do === 'unreadable') race.reload(undefined);
  else if (act.do === 'mount') race.toggleMount();
  else if (act.what === 'store') race.world.generations.broken = act.broken;
  else race.proverFails = act.broken;
}
