/** Other places for a value: another argument, a name that is nearly the argument's, one given twice, or none. */
import type { Json, JsonObject } from '@pawl/core';
import type { Binding } from '../grant.js';
import { type Attempt, grantedIn, ownArguments, ownValue, placed } from './attempt.js';
import { spellings } from './spelling.js';
import { type Variant, calling, callingText } from './variant.js';

/** The foreign value moved elsewhere, for one argument of the tool. */
export function otherPlaces(attempt: Attempt, binding: Binding, foreign: Json): readonly Variant[] {
  const name = attempt.named(attempt.call.function);
  const own = ownArguments(attempt);
  const [top] = binding.path;
  const { [top]: ownTop, ...without } = own;
  const value = binding.path.length > 1 ? (attempt.call.args[top] ?? null) : foreign;
  const call = (way: string, args: JsonObject): Variant =>
    calling(`${binding.path.join('.')} ${way}`, name, args);
  return [
    ...otherArguments(attempt, binding).map(([other, given]) =>
      call(`moved to ${other}`, { ...own, [other]: given }),
    ),
    ...nearly(top).flatMap((other) => [
      call(`given as ${JSON.stringify(other)} too`, { ...own, [other]: value }),
      call(`given as ${JSON.stringify(other)} instead`, { ...without, [other]: value }),
    ]),
    ...['__proto__', 'constructor', 'prototype'].flatMap((other) => [
      callingText(`${top} in ${other}`, name, withMember(own, other, { [top]: value })),
      callingText(`${top} in ${other} instead`, name, withMember(without, other, { [top]: value })),
    ]),
    callingText(
      `${top} in the __proto__ of a constructor`,
      name,
      withMember(own, 'constructor', { prototype: { [top]: value } }),
    ),
    ...twice(name, own, top, [ownTop, value]),
    call('left out', without),
    call('null', { ...own, [top]: null }),
    call('undefined in a text', { ...own, [top]: 'undefined' }),
    call('an empty text', placed(own, binding.path, '')),
    call('an empty list', placed(own, binding.path, [])),
    call('an empty object', placed(own, binding.path, {})),
    ...(ownTop === undefined ? [] : [call('wrapped', { arguments: { ...own, [top]: value } })]),
  ];
}

/** Other arguments with authority, with the foreign value in the shape of each. */
function otherArguments(attempt: Attempt, { path, list }: Binding): readonly (readonly [string, Json])[] {
  const { call } = attempt;
  const [top] = path;
  const others =
    grantedIn(attempt)?.bindings.filter((each) => each.path[0] !== top && each.path.length === 1) ?? [];
  const value = call.args[top] ?? null;
  return others.flatMap((other) => {
    const elements: readonly Json[] = list ? (value as Json[]) : [value];
    const shaped: Json = other.list || other.values.length === 0 ? [...elements] : (elements[0] ?? null);
    const own = ownValue(other);
    const beside: readonly Json[] = Array.isArray(own) ? [...(own as Json[]), ...elements] : [];
    const name = other.path[0];
    return [
      [name, shaped] as const,
      [name, elements[0] ?? null] as const,
      ...(beside.length > 0 ? [[name, beside] as const] : []),
    ];
  });
}

/** Names that somebody could take for the argument's. */
function nearly(name: string): readonly string[] {
  const spelled = spellings(name).flatMap(([way, text]) => (way === 'as it is' ? [] : [text]));
  const chosen = spelled.filter((_, index) => index % 3 === 0);
  const camel = name.replaceAll(/_(?<letter>[a-z])/gu, (_, letter: string) => letter.toUpperCase());
  const others = [
    `${name}s`,
    `${name}[]`,
    `${name}[0]`,
    `${name}.0`,
    `${name}_id`,
    `args.${name}`,
    `-${name}`,
    `$${name}`,
    camel,
    'to',
    'target',
    'email',
    'input',
    'arguments',
    'kwargs',
    'toString',
  ];
  return [...new Set([...chosen, ...others])].filter((other) => other !== name);
}

/** A member added as text: an object literal would take some names for something else. */
function withMember(args: JsonObject, name: string, value: Json): string {
  const text = JSON.stringify(args);
  const member = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
  return text === '{}' ? `{${member}}` : `{${member},${text.slice(1)}`;
}

/** The argument given twice, first and last, plainly and with an escaped name. */
function twice(
  name: string,
  own: JsonObject,
  top: string,
  [mine = null, foreign]: readonly [Json | undefined, Json],
): readonly Variant[] {
  const { [top]: _, ...rest } = own;
  const escaped = `"\\u${top.charCodeAt(0).toString(16).padStart(4, '0')}${top.slice(1)}"`;
  const plain = JSON.stringify(top);
  const others = JSON.stringify(rest).slice(1, -1);
  const text = (...members: readonly (readonly [string, Json])[]): string =>
    `{${[...members.map(([key, value]) => `${key}:${JSON.stringify(value)}`), ...(others === '' ? [] : [others])].join(',')}}`;
  return [
    callingText(`${top} twice, foreign last`, name, text([plain, mine], [plain, foreign])),
    callingText(`${top} twice, own last`, name, text([plain, foreign], [plain, mine])),
    callingText(`${top} twice, escaped last`, name, text([plain, mine], [escaped, foreign])),
    callingText(`${top} twice, escaped first`, name, text([escaped, foreign], [plain, mine])),
    callingText(`${top} twice, foreign both`, name, text([plain, foreign], [plain, foreign])),
  ];
}
