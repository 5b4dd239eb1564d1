/** Other shapes of a value: lists for scalars, scalars for lists, values inside texts. */
import type { Json } from '@pawl/core';

/** A way and what it makes. */
export type Shape = readonly [way: string, value: Json];

/** Shapes that hold the foreign value, alone or beside an own one. */
export function shapes(foreign: Json, own: Json | undefined): readonly Shape[] {
  const beside = own === undefined ? [] : [own];
  const elements: readonly Json[] = Array.isArray(foreign) ? foreign : [foreign];
  const [first = null] = elements;
  const ownElements: readonly Json[] = beside.flatMap((value) =>
    Array.isArray(value) ? (value as readonly Json[]) : [value],
  );
  return [
    ['the element alone', first],
    ['a list', [...elements]],
    ['a list in a list', [[...elements]]],
    ['own, then foreign', [...ownElements, ...elements]],
    ['foreign, then own', [...elements, ...ownElements]],
    ['own beside a list of foreign', [...ownElements, [...elements]]],
    ['lists of each', [[...ownElements], [...elements]]],
    ['null in front', [null, ...elements]],
    ['null behind', [...elements, null]],
    ['an empty text in front', ['', ...elements]],
    ['joined with commas', elements.map(String).join(',')],
    ['joined with own', [...ownElements, ...elements].map(String).join(', ')],
    ['JSON in a text', JSON.stringify(foreign)],
    ['JSON of a list in a text', JSON.stringify(elements)],
    ['JSON in a text in a list', [JSON.stringify(elements)]],
    ['an object with a value', { value: first }],
    ['an object like a list', { '0': first, length: 1 }],
    ['objects in a list', elements.map((email) => ({ email }))],
    ['an object of own and foreign', { own: ownElements[0] ?? null, foreign: first }],
    ['an operator', { $ne: null }],
    ['an operator with the value', { $in: [...elements] }],
    ['true', true],
    [
      'a long list of own, then foreign',
      [...Array.from({ length: 64 }, () => ownElements[0] ?? 'x'), ...elements],
    ],
  ];
}
