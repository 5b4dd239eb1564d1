/** url: a url that one of some patterns matches. */
import type { UrlConstraint } from './constraint.js';
import type { Kind } from './kind.js';
import { patternKind } from './pattern-list.js';
import { urlLanguage, urlsWanted } from './url-pattern.js';

/** The kind `url`. */
export const url: Kind<UrlConstraint> = patternKind({
  name: 'url',
  help: 'A url that one of some patterns matches. Short on a url field: a pattern, or a list.',
  wanted: `${urlsWanted}; or a list of them`,
  language: urlLanguage,
  remark: (text) =>
    /\?[^/]*=/u.test(text)
      ? '? in a url pattern is one character of the path; query and fragment are free'
      : undefined,
});
