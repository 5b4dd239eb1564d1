/** Commands that cannot make some access beside their own: comparing leaves them out of what could make it. */
import {
  type ValueSet,
  type Verb,
  and,
  commandsRunning,
  commandsWithout,
  everythingSet,
  textSet,
} from '../authority/index.js';
import { programs } from './command-program.js';

/** How a command comes to a path: by a word of it, or by a redirection. */
export type Way = 'word' | 'redirect';

const known = new Map<string, ValueSet>();

/** Texts of commands that make no access of the verb in this way, whatever their words are; some that make none may be missing. */
export function idleCommands(verb: Verb, way: Way): ValueSet {
  const key = `${way} ${verb}`;
  const found = known.get(key) ?? (way === 'word' ? wordless(verb) : unredirected(verb));
  known.set(key, found);
  return found;
}

/** Texts of commands that make no access of the verb in either way. */
export function idleEitherWay(verb: Verb): ValueSet {
  return and(idleCommands(verb, 'word'), idleCommands(verb, 'redirect'));
}

/** An option may let a program do more: what has such options is never idle. */
function wordless(verb: Verb): ValueSet {
  const names = [...programs]
    .filter(([, { verbs, unless }]) => unless === undefined && !verbs.includes(verb))
    .map(([name]) => name);
  return textSet(commandsRunning(names));
}

function unredirected(verb: Verb): ValueSet {
  return verb === 'read' || verb === 'write' ? textSet(commandsWithout(verb)) : everythingSet;
}
