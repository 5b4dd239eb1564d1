/** Other values for an argument: the foreign one respelled, reshaped, or mixed with the user's own. */
import type { Json } from '@pawl/core';
import type { Binding } from '../grant.js';
import { addresses } from './address.js';
import { type Attempt, ownArguments, ownValue, placed } from './attempt.js';
import { blends } from './blend.js';
import { numerals } from './numerals.js';
import { shapes } from './shape.js';
import { type Spelling, spellings } from './spelling.js';
import { type Variant, calling, callingText } from './variant.js';

/** What stands for a value that is spelled out afterwards. */
const mark = '\u{1f512}';

/** The foreign value of one argument, in every way. */
export function otherValues(attempt: Attempt, binding: Binding, foreign: Json): readonly Variant[] {
  const name = attempt.named(attempt.call.function);
  const own = ownArguments(attempt);
  const mine = ownValue(binding);
  const put = (way: string, value: Json): Variant =>
    calling(`${binding.path.join('.')}: ${way}`, name, placed(own, binding.path, value));
  const elements: readonly Json[] = Array.isArray(foreign) ? foreign : [foreign];
  const [first] = elements;
  const texts = typeof first === 'string' ? textsOf(first, binding.values[0]) : [];
  return [
    ...texts.flatMap(([way, text]) =>
      binding.list || Array.isArray(foreign)
        ? [
            put(way, [text]),
            ...(mine === undefined ? [] : [put(`own beside ${way}`, [...(mine as Json[]), text])]),
          ]
        : [put(way, text)],
    ),
    ...shapes(foreign, mine).map(([way, value]) => put(way, value)),
    ...(typeof first === 'number' ? numerals(first) : []).map(([way, text]) => {
      const marked = JSON.stringify(placed(own, binding.path, mark));
      return callingText(
        `${binding.path.join('.')}: ${way}`,
        name,
        marked.replace(JSON.stringify(mark), text),
      );
    }),
  ];
}

/** The foreign text respelled, and its mixtures with an own one; the own one respelled is not the user's own either. */
function textsOf(foreign: string, own: Json | undefined): readonly Spelling[] {
  const mine = typeof own === 'string' ? own : undefined;
  const respelled = mine === undefined ? [] : spellings(mine).filter(([way]) => way !== 'as it is');
  return [
    ...spellings(foreign),
    ...addresses(foreign, mine),
    ...(mine === undefined ? [] : blends(mine, foreign)),
    ...respelled.map(([way, text]): Spelling => [`own, ${way}`, text]),
  ];
}
