/** Looks through the source of a module before it is compiled: what would be imported when it runs is refused, and what only looks like it is respelled. */
import { parse } from '@babel/parser';

/** Why a source is refused. */
export class RefusedSource extends Error {}

/**
 * The same program, spelled so that the realm's own guard against import expressions and comments of HTML, which does not parse, finds
 * nothing in its texts and comments. Throws RefusedSource for what is no module, for import expressions, for calls of a `require` that the
 * module does not declare, and for a top-level `await`.
 */
export function checkedSource(source: string): string {
  const tree = parsed(source);
  const found = new Findings();
  found.walk(tree);
  found.judge();
  return respelled(source, found.ranges);
}

/** Whether the compiled text of a module still has what the realm's guard refuses. */
export function isGuarded(compiled: string): boolean {
  return /(?:^|[^.]|\.\.\.)\bimport\s*(?:\(|\/[/*])|<!--|-->/u.test(compiled);
}

function parsed(source: string): unknown {
  try {
    return parse(source, { sourceType: 'module', createParenthesizedExpressions: false });
  } catch (error) {
    throw new RefusedSource(
      `it is no module: ${error instanceof Error ? error.message : 'it cannot be read'}`,
    );
  }
}

/** A node of the tree: what all of them have. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly loc?: { readonly start?: { readonly line?: number } };
  readonly [member: string]: unknown;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** A part of a source in which words are no code. */
interface Range {
  readonly start: number;
  readonly end: number;
  readonly kind: 'literal' | 'tagged' | 'comment';
}

const literals = new Set(['StringLiteral', 'DirectiveLiteral', 'TemplateElement', 'RegExpLiteral']);
const functions = /^(?:Function|ArrowFunction|ObjectMethod|Class(?:Private)?Method)/u;
/** Members of a node that do not belong to the program. */
const beside = new Set([
  'loc',
  'extra',
  'leadingComments',
  'innerComments',
  'trailingComments',
  'tokens',
  'errors',
]);

/** One step of a walk: whether it is inside a function, and whether it is the text of a tagged template. */
interface Visit {
  readonly value: unknown;
  readonly isInside: boolean;
  readonly isTagged: boolean;
}

/** What a walk through the tree finds. */
class Findings {
  readonly ranges: Range[] = [];
  readonly #requires: Node[] = [];
  #declaresRequire = false;

  /** A stack, not a recursion: sources may be as deep as they like. */
  walk(tree: unknown): void {
    const waiting: Visit[] = [{ value: tree, isInside: false, isTagged: false }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const visit = next;
      if (isNode(visit.value)) {
        this.#see(visit.value, visit);
        waiting.push(...membersOf(visit.value, visit));
      } else if (Array.isArray(visit.value)) {
        const items: readonly unknown[] = visit.value;
        waiting.push(...items.map((value) => ({ ...visit, value })));
      }
    }
  }

  /** Throws for calls of a `require` that is nobody's. */
  judge(): void {
    const [call] = this.#requires;
    if (call !== undefined && !this.#declaresRequire)
      throw new RefusedSource(
        `require(…) at line ${lineOf(call)}: modules are imported at the top, from the same folder`,
      );
  }

  #see(node: Node, { isInside, isTagged }: Visit): void {
    const { type, start, end } = node;
    if (literals.has(type)) this.ranges.push({ start, end, kind: isTagged ? 'tagged' : 'literal' });
    else if (type === 'CommentLine' || type === 'CommentBlock')
      this.ranges.push({ start, end, kind: 'comment' });
    else if (type === 'ImportExpression' || type === 'Import')
      throw new RefusedSource(
        `import(…) at line ${lineOf(node)}: modules are imported at the top, from the same folder`,
      );
    else if (
      !isInside &&
      (type === 'AwaitExpression' || (type === 'ForOfStatement' && node['await'] === true))
    )
      throw new RefusedSource(`await at line ${lineOf(node)}: outside a function nothing is awaited`);
    else this.#seeNames(node);
  }

  #seeNames(node: Node): void {
    const called = node['callee'] ?? node['tag'];
    if (isNode(called) && called.type === 'Identifier' && called['name'] === 'require')
      this.#requires.push(node);
    this.#declaresRequire ||= declared(node).some((pattern) => binds(pattern, 'require'));
  }
}

/** The members of a node that belong to the program. */
function membersOf(node: Node, { isInside, isTagged }: Visit): readonly Visit[] {
  const { type } = node;
  const inside = isInside || functions.test(type) || type === 'StaticBlock';
  return Object.entries(node)
    .filter(([name, value]) => typeof value === 'object' && value !== null && !beside.has(name))
    .map(([name, value]) => ({
      value,
      isInside: inside,
      isTagged: type === 'TemplateLiteral' && name === 'quasis' ? isTagged : isTaggedBy(type, name),
    }));
}

function isTaggedBy(type: string, member: string): boolean {
  return type === 'TaggedTemplateExpression' && member === 'quasi';
}

/** The patterns that a node declares. */
function declared(node: Node): readonly unknown[] {
  const { type } = node;
  if (type === 'CatchClause') return [node['param']];
  if (type === 'VariableDeclarator' || type.startsWith('Class')) return [node['id']];
  if (/^Import.*Specifier$/u.test(type)) return [node['local']];
  return functions.test(type) ? [node['id'], ...listIn(node, 'params')] : [];
}

function binds(pattern: unknown, name: string): boolean {
  if (!isNode(pattern)) return false;
  if (pattern.type === 'Identifier') return pattern['name'] === name;
  const inner = [...listIn(pattern, 'elements'), ...listIn(pattern, 'properties')];
  return [...inner, pattern['left'], pattern['argument'], pattern['value']].some((each) => binds(each, name));
}

function listIn(node: Node, member: string): readonly unknown[] {
  const list = node[member];
  return Array.isArray(list) ? list : [];
}

function lineOf({ loc }: Node): number {
  return loc?.start?.line ?? 0;
}

const suspicious = /impor(?=t\s*(?:\(|\/[/*]))|<!-(?=-)|-(?=->)/gu;

/** One character of each suspicious word is spelled otherwise; in code, where it is an operator, it is set apart. */
function respelled(source: string, ranges: readonly Range[]): string {
  const sorted = ranges.toSorted((a, b) => a.start - b.start);
  let [text, from, at] = ['', 0, 0];
  for (const match of source.matchAll(suspicious)) {
    // What begins inside of what was respelled is no such word any more.
    if (match.index < from) continue;
    const place = match.index + match[0].length;
    while ((sorted[at]?.end ?? Infinity) <= place) at += 1;
    const range = sorted[at];
    const kind = range !== undefined && range.start <= place ? range.kind : 'code';
    const [kept, instead, taken] = respelling(match[0], kind);
    if (instead === undefined) continue;
    text += source.slice(from, match.index) + kept + instead;
    from = match.index + taken;
  }
  return text + source.slice(from);
}

/** What is kept of a match, what comes instead of the next character, and how many characters that stands for. */
function respelling(
  match: string,
  kind: Range['kind'] | 'code',
): readonly [string, string | undefined, number] {
  const last = match === 'impor' ? 't' : '-';
  const taken = match.length + 1;
  if (kind === 'comment') return [match, '_', taken];
  if (kind === 'literal') return [match, last === 't' ? String.raw`\x74` : String.raw`\x2d`, taken];
  if (kind === 'tagged' || last === 't') return [match, undefined, taken];
  return match === '-' ? ['--', '/**/', taken] : ['<', ' !--', taken];
}
