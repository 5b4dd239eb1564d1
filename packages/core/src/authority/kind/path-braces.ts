/** Braces in path globs: `{a,b}`, nested. */
import { type GlobFault, type Token, escapes, fault } from './path-tokens.js';

/** A token, or braces with the sequences that may stand in their place. */
export type Item = Token | Braces;
/** Two sequences or more. */
export interface Braces {
  readonly oneOf: readonly (readonly Item[])[];
}

/** Whether the item is braces. */
export function isBraces(item: Item): item is Braces {
  return typeof item === 'object' && 'oneOf' in item;
}

/** Most alternatives that the braces of one glob may give. */
const maxExpansions = 1000;

interface Reader {
  at: number;
  readonly tokens: readonly Token[];
}

/** Finds the braces. */
export function readBraces(tokens: readonly Token[]): readonly Item[] | GlobFault {
  const reader = { at: 0, tokens };
  const items = readSequence(reader, false);
  if ('fault' in items) return items;
  return reader.at < tokens.length ? fault('} without {', `balanced braces; ${escapes}`) : items;
}

/** Up to the end, or inside braces up to `,` or `}`. */
function readSequence(reader: Reader, nested: boolean): readonly Item[] | GlobFault {
  const items: Item[] = [];
  for (;;) {
    const token = reader.tokens[reader.at];
    if (token === undefined || token === 'close' || (nested && token === 'comma')) return items;
    reader.at++;
    const item: Item | GlobFault = token === 'open' ? readGroup(reader) : token;
    if (typeof item === 'object' && 'fault' in item) return item;
    items.push(item);
  }
}

function readGroup(reader: Reader): Braces | GlobFault {
  const oneOf: (readonly Item[])[] = [];
  for (;;) {
    const items = readSequence(reader, true);
    if ('fault' in items) return items;
    oneOf.push(items);
    const mark = reader.tokens[reader.at++];
    if (mark === undefined) return fault('{ without }', `balanced braces; ${escapes}`);
    if (mark === 'comma') continue;
    return oneOf.length > 1 ? { oneOf } : fault('braces without a comma', `{a,b}, or ${escapes}`);
  }
}

/** Every way to choose from the braces that `opens` picks (what is inside chosen ones is opened likewise); others stay. */
export function expandBraces(
  items: readonly Item[],
  opens: (braces: Braces) => boolean,
): readonly (readonly Item[])[] | GlobFault {
  if (!items.some((item) => isBraces(item) && opens(item))) return [items];
  let found: readonly (readonly Item[])[] = [[]];
  for (const item of items) {
    const choices: (readonly Item[])[] = [];
    for (const choice of isBraces(item) && opens(item) ? item.oneOf : [[item]]) {
      const inner = isBraces(item) && opens(item) ? expandBraces(choice, opens) : [choice];
      if ('fault' in inner) return inner;
      choices.push(...inner);
    }
    if (found.length * choices.length > maxExpansions) {
      return fault(`more than ${maxExpansions} alternatives`, 'fewer braces');
    }
    found = found.flatMap((before) => choices.map((choice) => [...before, ...choice]));
  }
  return found;
}
