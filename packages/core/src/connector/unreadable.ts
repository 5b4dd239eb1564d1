/** Texts that OLD cannot read where NEW does not look: such a call is refused by OLD and may be admitted by NEW. */
import {
  type ArgumentPath,
  type ValueSet,
  type ViewName,
  member,
  spelledText,
  splitText,
  suspectTexts,
} from '../authority/index.js';
import type { ReadPlan, ToolFrame } from './frame.js';
import { unclean } from './raw.js';

/** An argument that OLD reads in a view and NEW does not. */
export interface BlindSpot {
  readonly path: ArgumentPath;
  readonly view: ViewName;
}

/** Where OLD can fail to read what NEW takes. */
export function blindSpots(next: ReadPlan, old: ReadPlan): readonly BlindSpot[] {
  const seen = next.raw.filter(({ constrained }) => constrained);
  return old.raw.filter(({ key, path, view, constrained }) => {
    if (!constrained) return false;
    const same = seen.filter((other) => JSON.stringify(other.path) === JSON.stringify(path));
    return view === 'raw' ? same.length === 0 : !same.some((other) => other.key === key);
  });
}

/** Not in normal form C. */
const notNormal = 'e\u0301';

/** What NEW takes as a text, and what its own kinds have to see in it. */
export interface TakenTexts {
  readonly set: ValueSet;
  readonly views: readonly { readonly view: ViewName; readonly set: ValueSet }[];
}

/**
 * Texts that NEW takes and the view refuses. `open`: there may be others that were not found. `cleaned`: NEW takes only clean
 * texts there.
 */
export function unreadableTexts(
  { set, views }: TakenTexts,
  { view }: BlindSpot,
  { paths }: ToolFrame,
  cleaned: boolean,
): { readonly texts: readonly string[]; readonly open: boolean } {
  if (view === 'raw') return { texts: member(set, notNormal) ? [notNormal] : [], open: false };
  const { texts, all } = suspectTexts(set);
  const seen = views.flatMap((each) =>
    suspectTexts(each.set).texts.map((text) => spelledText(each.view, text)),
  );
  const taken = (text: string): boolean =>
    member(set, text) &&
    !(cleaned && unclean(text) !== undefined) &&
    views.every((each) => {
      const read = splitText(each.view, text, paths);
      return read.ok && read.parts.every((part) => member(each.set, part.text));
    });
  const refused = [...new Set([...texts, ...seen])].filter(
    (text) => taken(text) && !splitText(view, text, paths).ok,
  );
  return { texts: refused, open: !all && refused.length === 0 };
}
