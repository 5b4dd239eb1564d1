/** What a field of a row gives: a piece a value, and of a field of kind command a piece a simple command. */
import { type PathContext, canonicalText, splitText } from '../authority/index.js';
import { leavesAt, withEdits } from './argument.js';
import { defaultsOn } from './default.js';
import { type Piece, partPiece, unreadPiece } from './piece.js';
import { type Draft, Refused, omissionEdits } from './raw.js';
import { type FieldValues, readField, unread } from './read-field.js';
import { type AccessRow, wordField } from './table.js';

/** Reads a field into pieces. No piece: no access of this row is made. */
export function fieldPieces(draft: Draft, row: AccessRow, field: string): readonly Piece[] | Refused {
  const values = readField(draft, row, field);
  if (values instanceof Refused) return values;
  const kind = draft.frame.fields[field]?.kind;
  if (kind === 'sql') return sqlPieces(draft, field, values);
  if (kind !== 'command') {
    return values.map((held) => ({ key: field, held: held === unread ? undefined : held }));
  }
  const pieces: Piece[] = [];
  for (const value of values) {
    const more = typeof value === 'string' ? commandPieces(draft, row, field, value) : undefined;
    if (more instanceof Refused) return more;
    if (more !== undefined) pieces.push(...more);
    else if (value !== unread) pieces.push({ key: field, held: value });
    else if (judgesWords(draft)) return new Refused(field, 'it is no text');
    else pieces.push(unreadPiece(field));
  }
  return pieces;
}

/** A piece an effect on a table; of a text that is not understood, and that no list constrains, one that carries nothing. */
function sqlPieces(draft: Draft, field: string, values: FieldValues): readonly Piece[] | Refused {
  const pieces: Piece[] = [];
  for (const value of values) {
    const read = typeof value === 'string' ? splitText('sql', value, draft.frame.paths) : undefined;
    if (read?.ok === true) {
      for (const { text } of read.parts) pieces.push({ key: field, held: text });
    } else if (read !== undefined && draft.plan.fields.has(field)) {
      return new Refused(field, read.why);
    } else {
      pieces.push({ key: field, held: read === undefined && value !== unread ? value : undefined });
    }
  }
  return pieces;
}

/** Whether some list judges the paths among words: then a command line has to be understood. */
function judgesWords({ plan }: Draft): boolean {
  return plan.fields.has(wordField);
}

function commandPieces(
  draft: Draft,
  row: AccessRow,
  field: string,
  text: string,
): readonly Piece[] | Refused {
  const strict = draft.plan.fields.has(field) || judgesWords(draft);
  const { paths, base } = workingFolder(draft, row, field);
  const read = splitText('command', text, paths, base);
  if (!read.ok) return strict ? new Refused(field, read.why) : [unreadPiece(field)];
  const pieces: Piece[] = [];
  for (const part of read.parts) {
    const piece = partPiece(field, part.text, part, paths);
    if ('why' in piece) return new Refused(field, piece.why);
    pieces.push(piece);
  }
  return pieces;
}

/** The folder that an argument names as that of the command, else the root. One that cannot be resolved leaves none. */
function workingFolder(
  { frame, args }: Draft,
  row: AccessRow,
  field: string,
): { readonly paths: PathContext; readonly base?: string } {
  const { paths } = frame;
  const base = row.fields[field]?.find((source) => source.base !== undefined)?.base;
  if (base === undefined) return { paths };
  const [leaf] = leavesAt(withEdits(args, omissionEdits(defaultsOn(frame, base), args)), base).leaves;
  if (leaf?.value === undefined || leaf.value === null) return { paths };
  const read = typeof leaf.value === 'string' ? canonicalText('path', leaf.value, paths) : undefined;
  if (read?.ok === true) return { paths, base: read.text };
  const { root: _root, ...rootless } = paths;
  return { paths: rootless };
}
