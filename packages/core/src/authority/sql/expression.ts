/** Expressions: no tree is needed, only what they hold: queries, and functions, of which a closed list is understood. */
import type { Cursor } from './cursor.js';
import { functions, types } from './words.js';

const infixSigns: ReadonlySet<string> = new Set(
  '= <> != < > <= >= <=> <-> + - * / % || | & ^ << >> ~ ~* !~ !~* -> ->> @> <@ &&'.split(' '),
);
const infixWords: ReadonlySet<string> = new Set(
  'and or xor like ilike rlike regexp glob in between escape div mod overlaps'.split(' '),
);
const afterNot: readonly string[] = ['like', 'ilike', 'rlike', 'regexp', 'glob', 'in', 'between', 'similar'];
const prefixSigns: readonly string[] = ['+', '-', '~'];

/** Operands with operators between them; precedence does not matter here. */
export function expression(cursor: Cursor): void {
  operand(cursor);
  for (let more = true; more; ) {
    if (infix(cursor)) operand(cursor);
    else more = suffix(cursor);
  }
}

/** One expression or more, with commas between. */
export function expressions(cursor: Cursor): void {
  cursor.listOf(() => expression(cursor));
}

/** `ORDER BY` has been read: what to order by. */
export function ordering(cursor: Cursor): void {
  cursor.listOf(() => {
    expression(cursor);
    cursor.acceptOne('asc', 'desc');
    if (cursor.accept('nulls')) cursor.expectOne('first', 'last');
  });
}

function infix(cursor: Cursor): boolean {
  const { kind, text } = cursor.peek();
  if (kind === 'sign' && infixSigns.has(text)) {
    cursor.take();
    return true;
  }
  if (cursor.acceptOne(...infixWords)) {
    cursor.acceptOne('symmetric', 'asymmetric');
    return true;
  }
  if (cursor.atWord('not') && afterNot.includes(cursor.peek(1).text)) {
    cursor.take();
    if (!cursor.accept('similar', 'to')) cursor.take();
    cursor.acceptOne('symmetric', 'asymmetric');
    return true;
  }
  return (
    cursor.accept('similar', 'to') ||
    cursor.accept('is', 'distinct', 'from') ||
    cursor.accept('is', 'not', 'distinct', 'from') ||
    cursor.accept('at', 'time', 'zone')
  );
}

function suffix(cursor: Cursor): boolean {
  if (cursor.acceptOne('isnull', 'notnull')) return true;
  if (cursor.accept('collate')) {
    cursor.name();
    return true;
  }
  if (!cursor.accept('is')) return false;
  cursor.accept('not');
  cursor.expectOne('null', 'true', 'false', 'unknown');
  return true;
}

/** Prefixes, one thing, casts and subscripts. */
function operand(cursor: Cursor): void {
  while (prefixSigns.some((sign) => cursor.acceptSign(sign)) || cursor.accept('not'));
  primary(cursor);
  for (let more = true; more; ) {
    if (cursor.acceptSign('::')) type(cursor);
    else if (cursor.atSign('[')) bracketed(cursor);
    else more = false;
  }
}

/** `[ … ]`: a subscript, or the elements of an array. The lexer has seen to it that all databases see the same end. */
function bracketed(cursor: Cursor): void {
  cursor.expectSign('[');
  cursor.deeper(() => expressions(cursor));
  cursor.expectSign(']');
}

function primary(cursor: Cursor): void {
  const { kind, text } = cursor.peek();
  if (kind === 'text' || kind === 'number' || kind === 'parameter') {
    cursor.take();
    return;
  }
  if (kind === 'sign' && text === '(') {
    parenthesised(cursor);
    return;
  }
  const special = kind === 'word' ? specials.get(text) : undefined;
  if (special?.(cursor) === true) return;
  if (kind === 'word' && cursor.atSign('(', 1)) {
    call(cursor);
    return;
  }
  column(cursor);
}

/** `( query )`, or expressions; what begins with a parenthesis in a parenthesis may turn out to be a query. */
function parenthesised(cursor: Cursor): void {
  cursor.enclosed(() => {
    if (atQuery(cursor)) {
      cursor.query();
      return;
    }
    expressions(cursor);
    if (cursor.acceptOne('union', 'intersect', 'except')) {
      cursor.acceptOne('all', 'distinct');
      cursor.query();
    }
  });
}

/** Whether a query without parentheses around it comes next. */
export function atQuery(cursor: Cursor): boolean {
  return cursor.atWord('select', 'with', 'values', 'table');
}

function column(cursor: Cursor): void {
  cursor.name();
  while (cursor.acceptSign('.')) {
    if (cursor.acceptSign('*')) break;
    cursor.anyName();
  }
  if (cursor.atSign('(')) cursor.fail('a function that is not in the list of harmless ones');
}

/** Words that begin something of their own. False: the word is used otherwise, as a function or a name. */
type Special = (cursor: Cursor) => boolean;

const literal: Special = (cursor) => {
  cursor.take();
  return true;
};

/** `DATE '2026-01-01'`. */
const beforeText: Special = (cursor) => {
  if (cursor.peek(1).kind !== 'text') return false;
  cursor.take();
  cursor.take();
  return true;
};

/** `ANY (…)`, `EXISTS (…)`, `ROW (…)`. */
const beforeParenthesis: Special = (cursor) => {
  if (!cursor.atSign('(', 1)) return false;
  cursor.take();
  parenthesised(cursor);
  return true;
};

/** `ARRAY[1, 2]`, `ARRAY(query)`. */
const array: Special = (cursor) => {
  if (!cursor.atSign('[', 1)) return beforeParenthesis(cursor);
  cursor.take();
  bracketed(cursor);
  return true;
};

const units =
  'microsecond second minute hour day week month quarter year microseconds seconds minutes hours days weeks months years';

/** `INTERVAL '1 day'`, `INTERVAL '1' DAY`, `INTERVAL 1 DAY`. */
const interval: Special = (cursor) => {
  const { kind } = cursor.peek(1);
  if (kind !== 'text' && kind !== 'number' && kind !== 'parameter') return false;
  cursor.take();
  cursor.take();
  cursor.acceptOne(...units.split(' '));
  return true;
};

const cast: Special = (cursor) => {
  cursor.take();
  cursor.enclosed(() => {
    expression(cursor);
    cursor.expect('as');
    type(cursor);
  });
  return true;
};

const caseOf: Special = (cursor) => {
  cursor.take();
  cursor.deeper(() => {
    if (!cursor.atWord('when')) expression(cursor);
    if (!cursor.atWord('when')) cursor.fail('WHEN is missing');
    while (cursor.accept('when')) {
      expression(cursor);
      cursor.expect('then');
      expression(cursor);
    }
    if (cursor.accept('else')) expression(cursor);
    cursor.expect('end');
  });
  return true;
};

const specials: ReadonlyMap<string, Special> = new Map([
  ...['null', 'true', 'false', 'default'].map((word) => [word, literal] as const),
  ...['date', 'time', 'timestamp', 'timestamptz'].map((word) => [word, beforeText] as const),
  ...['any', 'all', 'some', 'exists', 'row'].map((word) => [word, beforeParenthesis] as const),
  ['array', array] as const,
  ['interval', interval] as const,
  ['cast', cast] as const,
  ['try_cast', cast] as const,
  ['case', caseOf] as const,
]);

/** A function of the closed list with its arguments, and over which rows it counts. */
function call(cursor: Cursor): void {
  const { text } = cursor.peek();
  if (!functions.has(text)) {
    cursor.fail(`the function ${text.slice(0, 40)}, which is not in the list of harmless ones,`);
  }
  cursor.take();
  callArguments(cursor);
  if (cursor.accept('within', 'group')) {
    cursor.enclosed(() => {
      cursor.expect('order', 'by');
      ordering(cursor);
    });
  }
  if (cursor.accept('filter')) {
    cursor.enclosed(() => {
      cursor.expect('where');
      expression(cursor);
    });
  }
  if (cursor.acceptOne('ignore', 'respect')) cursor.expect('nulls');
  if (cursor.accept('over')) windowOrName(cursor);
}

/** `( … )` of a function. */
export function callArguments(cursor: Cursor): void {
  cursor.enclosed(() => {
    if (cursor.atSign(')') || cursor.acceptSign('*')) return;
    cursor.acceptOne('distinct', 'all', 'both', 'leading', 'trailing');
    if (atQuery(cursor)) {
      cursor.query();
      return;
    }
    cursor.accept('from');
    do expression(cursor);
    while (cursor.acceptSign(',') || cursor.acceptOne('from', 'for', 'placing', 'separator'));
    if (cursor.accept('order', 'by')) ordering(cursor);
    if (cursor.accept('separator')) expression(cursor);
  });
}

function windowOrName(cursor: Cursor): void {
  if (cursor.atSign('(')) window(cursor);
  else cursor.name();
}

/** `( [name] [PARTITION BY …] [ORDER BY …] [ROWS …] )`. */
export function window(cursor: Cursor): void {
  cursor.enclosed(() => {
    if (cursor.atName() && !cursor.atWord('partition', 'rows', 'range', 'groups')) cursor.name();
    if (cursor.accept('partition', 'by')) expressions(cursor);
    if (cursor.accept('order', 'by')) ordering(cursor);
    if (cursor.acceptOne('rows', 'range', 'groups')) frame(cursor);
  });
}

function frame(cursor: Cursor): void {
  if (cursor.accept('between')) {
    bound(cursor);
    cursor.expect('and');
  }
  bound(cursor);
}

function bound(cursor: Cursor): void {
  if (cursor.accept('current', 'row')) return;
  if (!cursor.accept('unbounded')) operand(cursor);
  cursor.expectOne('preceding', 'following');
}

/** A type of the closed list: `numeric(10, 2)`, `timestamp with time zone`, `text[]`. */
export function type(cursor: Cursor): void {
  const { kind, text } = cursor.peek();
  if (kind !== 'word' || !types.has(text)) cursor.fail('a type that is not in the list of plain ones');
  cursor.take();
  cursor.acceptOne('precision', 'varying');
  if (cursor.acceptSign('(')) {
    cursor.listOf(() => {
      if (cursor.take().kind !== 'number') cursor.fail('a length is missing');
    });
    cursor.expectSign(')');
  }
  if (cursor.acceptOne('with', 'without')) cursor.expect('time', 'zone');
  cursor.accept('unsigned');
  while (cursor.acceptSign('[')) cursor.expectSign(']');
}
