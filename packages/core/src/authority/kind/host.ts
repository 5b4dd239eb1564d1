/** host: a name or an address that one of some patterns matches. */
import type { HostConstraint } from './constraint.js';
import { hostLanguage, hostsWanted } from './host-pattern.js';
import type { Kind } from './kind.js';
import { patternKind } from './pattern-list.js';

/** The kind `host`. */
export const host: Kind<HostConstraint> = patternKind({
  name: 'host',
  help: 'A name or an address that one of some patterns matches. Short on a host field: a pattern, or a list.',
  wanted: `${hostsWanted('host')}; or a list of them`,
  language: (text) => hostLanguage(text, 'host'),
});
