/** Every way round a grant that is tried for one foreign call. */
import { type Attempt, crossedBindings, grantedIn, valueAt } from './attempt.js';
import { otherMessages } from './message.js';
import { otherNames } from './naming.js';
import { otherPlaces } from './place.js';
import { otherValues } from './value.js';
import { type Variant, calling } from './variant.js';

/** The call as it is, and its variants. */
export function evasions(attempt: Attempt): readonly Variant[] {
  const { call, named } = attempt;
  const asIs = calling('as it is', named(call.function), call.args);
  if (grantedIn(attempt) === undefined) return [asIs, ...otherNames(attempt), ...otherMessages(attempt)];
  const crossed = crossedBindings(attempt).flatMap((binding) => {
    const foreign = valueAt(call.args, binding.path);
    if (foreign === undefined) return [];
    return [...otherValues(attempt, binding, foreign), ...otherPlaces(attempt, binding, foreign)];
  });
  return [asIs, ...crossed, ...otherMessages(attempt)];
}
