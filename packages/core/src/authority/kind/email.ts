/** email: one plain address that one of some patterns matches. */
import type { EmailConstraint } from './constraint.js';
import { emailLanguage, emailsWanted } from './email-pattern.js';
import type { Kind } from './kind.js';
import { patternKind } from './pattern-list.js';

/** The kind `email`. */
export const email: Kind<EmailConstraint> = patternKind({
  name: 'email',
  help: 'One plain address that one of some patterns matches. Short on an email field: a pattern, or a list.',
  wanted: `${emailsWanted}; or a list of them`,
  language: emailLanguage,
});
