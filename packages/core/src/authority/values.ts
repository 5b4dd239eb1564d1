/** Which values of a field an authority would admit: for filling, for refusals, for the schema that a model sees. */
import type { Access } from './access.js';
import type { Rule } from './authority.js';
import type { ArgumentPath, Cover } from './cover.js';
import type { Meet } from './meet.js';
import { type ValueSet, and, everythingSet, nothingSet, or } from './kind/index.js';

/** Asks for one field, while the fields in `open` are still to be found. */
export interface ValuesQuestion {
  readonly key: string;
  /** Of a raw argument: where it stands, since a rule that does not name it may want it absent. */
  readonly path?: ArgumentPath;
  readonly open: ReadonlySet<string>;
}

/**
 * The values of `key` in the access for which every authority of the meet has an allow rule whose other fields (those in
 * `open` aside) hold. Denials and asks are not taken off: a value is never found from the complement of a denial. Throws
 * TooManyStates where the set cannot be made.
 */
export function values(authorities: Meet, access: Access, question: ValuesQuestion): ValueSet {
  let found: ValueSet = everythingSet;
  for (const authority of authorities.factors) {
    const rules = authority.bucket(access.tool, access.verb)?.allow ?? [];
    const fitting = rules.filter((rule) => rule.box.holdsBut(access, question.open));
    found = and(found, unionOf(fitting, question));
  }
  return found;
}

function unionOf(rules: readonly Rule[], { key, path }: ValuesQuestion): ValueSet {
  const sets = new Set(rules.map(({ box }) => box.setOf(key) ?? unnamed(box.cover, path)));
  return [...sets].reduce<ValueSet>(or, nothingSet);
}

/** What a box leaves of an argument that it does not constrain. */
function unnamed(cover: Cover | undefined, path: ArgumentPath | undefined): ValueSet {
  return cover === undefined || path === undefined ? everythingSet : cover.leaves(path);
}
