/** What each view of a value can show. */
import { type Language, anything } from '../automaton/index.js';
import { clause, everythingSet, valueSet } from './algebra.js';
import type { PathContext, ViewName } from './context.js';
import { allCommands } from './command-language.js';
import { allEmails } from './email-pattern.js';
import { allHosts } from './host-pattern.js';
import { anyLeaves } from './leaves.js';
import { pathsOn } from './path-language.js';
import type { Leaves, ValueSet } from './set-types.js';
import { allSql } from './sql-language.js';
import { allUrls } from './url-pattern.js';

type Platform = PathContext['platform'];

/** The texts that a view can show, on a platform where that matters. */
export function viewTexts(view: ViewName, platform: Platform): Language {
  switch (view) {
    case 'raw':
      return anything;
    case 'path':
      return pathsOn(platform);
    case 'host':
      return allHosts;
    case 'url':
      return allUrls;
    case 'command':
      return allCommands;
    case 'email':
      return allEmails;
    case 'sql':
      break;
  }
  return allSql;
}

const known = new Map<Language, ValueSet>();

/** Every value that a view can show, missing included: in `path` each text is a canonical absolute path, and so on. */
export function viewUniverse(view: ViewName, platform: Platform = 'posix'): ValueSet {
  if (view === 'raw') return everythingSet;
  const text = viewTexts(view, platform);
  const universe = known.get(text) ?? textsAnywhere(text);
  known.set(text, universe);
  return universe;
}

/** Every value whose texts, its own and those in its lists, are all of a language; missing included. */
export function textsAnywhere(text: Language): ValueSet {
  const leaves: Leaves = Object.freeze({ ...anyLeaves, text });
  const element = valueSet({ ...leaves, missing: true, arrays: [clause({ leaves })] });
  return valueSet({ ...element, spreads: [clause({ all: element })] });
}
