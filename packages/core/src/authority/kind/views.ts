/** What each view of a value can show. */
import { type Language, anything } from '../automaton/index.js';
import { clause, everythingSet, valueSet } from './algebra.js';
import type { ViewName } from './context.js';
import { anyLeaves } from './leaves.js';
import { allPaths } from './path-language.js';
import type { Leaves, ValueSet } from './set-types.js';

/** The texts that a view can show. */
export function viewTexts(view: ViewName): Language {
  return view === 'path' ? allPaths : anything;
}

const pathLeaves: Leaves = Object.freeze({ ...anyLeaves, text: allPaths });
const pathElement = valueSet({ ...pathLeaves, missing: true, arrays: [clause({ leaves: pathLeaves })] });
const pathUniverse: ValueSet = valueSet({ ...pathElement, spreads: [clause({ all: pathElement })] });

/** Every value that a view can show, missing included: in `path` each text is a canonical absolute path. */
export function viewUniverse(view: ViewName): ValueSet {
  return view === 'path' ? pathUniverse : everythingSet;
}
