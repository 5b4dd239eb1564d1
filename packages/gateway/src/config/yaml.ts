/** The one door for documents: YAML 1.2 core schema (and so JSON), with positions, strict and bounded. */
import type { DocNode, LoadProblem } from '@pawl/core';
import { Composer, type Document, Lexer, type ParsedNode, Parser, type YAMLError } from 'yaml';
import { Lines } from './position.js';
import { loadProblem } from './problem.js';
import { type TreeOptions, readTree, treeLimits } from './tree.js';

/** Longest document in UTF-8 bytes. */
export const longestDocument = 4_194_304;

/** A document, or what is wrong with it, in the order of the text; `file` is the name that was given. */
export type ParsedDocument =
  | { readonly ok: true; readonly file: string; readonly root: DocNode }
  | { readonly ok: false; readonly file: string; readonly problems: readonly LoadProblem[] };

/**
 * Parses exactly one YAML 1.2 document of the core schema; JSON text is such a document. Refused: duplicate keys, keys
 * that are no text, merge keys, tags outside the core schema, aliases without anchor or inside their own anchor,
 * numbers that are not finite or do not survive the round trip through a double, raw control characters, and what
 * exceeds {@link longestDocument} or {@link treeLimits}. Texts stay as they are. Never throws.
 */
export function parseDocument(text: string, fileName: string, options?: TreeOptions): ParsedDocument {
  const lines = new Lines(text);
  const early = refusedText(text, lines);
  if (early !== undefined) return { ok: false, file: fileName, problems: [early] };
  const composed = compose(text, lines);
  if (!('contents' in composed)) return { ok: false, file: fileName, problems: composed.problems };
  const { root, problems } = readTree(composed.contents, lines, options);
  if (problems.length > 0) return { ok: false, file: fileName, problems };
  return { ok: true, file: fileName, root };
}

function refusedText(text: string, lines: Lines): LoadProblem | undefined {
  if (text.length > longestDocument || Buffer.byteLength(text) > longestDocument) {
    const found = `a document longer than ${longestDocument} bytes`;
    return loadProblem({ line: 1, column: 1 }, '', found, `at most ${longestDocument} bytes`);
  }
  const control = /[^\P{Cc}\t\n\r]/u.exec(text);
  if (control === null) return undefined;
  const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return loadProblem(lines.at(control.index), '', `the control character U+${code}`, 'printable text');
}

type Composed = { readonly contents: ParsedNode } | { readonly problems: readonly LoadProblem[] };

function compose(text: string, lines: Lines): Composed {
  const tokens = new Tokens(text);
  const composer = new Composer({
    version: '1.2',
    schema: 'core',
    merge: false,
    uniqueKeys: false,
    resolveKnownTags: false,
    logLevel: 'silent',
  });
  const documents: Document.Parsed[] = [];
  try {
    for (const document of composer.compose(tokens.all(), true, text.length)) documents.push(document);
  } catch {
    return failed(lines, 0, 'text that cannot be read as YAML', 'one YAML document');
  }
  if (tokens.stopped !== undefined) return failed(lines, tokens.offset, tokens.stopped, 'a smaller document');
  return oneDocument(documents, text, lines);
}

function failed(lines: Lines, offset: number, found: string, allowed: string): Composed {
  return { problems: [loadProblem(lines.at(offset), '', found, allowed)] };
}

function oneDocument(documents: readonly Document.Parsed[], text: string, lines: Lines): Composed {
  const errors = documents.flatMap((document) => [...document.errors, ...document.warnings]);
  if (errors.length > 0) {
    const sorted = errors.sort((a, b) => a.pos[0] - b.pos[0]).slice(0, treeLimits.problems);
    return { problems: sorted.map((error) => syntaxProblem(error, text, lines)) };
  }
  const [document, second] = documents;
  if (second !== undefined) return failed(lines, second.range[0], 'a second document', 'one document');
  const { yaml } = document?.directives ?? {};
  if (yaml?.explicit === true && yaml.version !== '1.2') {
    return failed(lines, 0, `the directive %YAML ${yaml.version}`, '%YAML 1.2, or no directive');
  }
  const contents = document?.contents ?? null;
  const empty = contents === null || contents.range[0] === contents.range[1];
  return empty ? failed(lines, 0, 'an empty document', 'one document') : { contents };
}

/** What the library found, and what it would take; often a text that begins with `*` lacks its quotes. */
function syntaxProblem(error: YAMLError, text: string, lines: Lines): LoadProblem {
  const [message = 'a syntax error'] = error.message.split('\n');
  const found = `what YAML does not allow (${message.replaceAll(/\s+/gu, ' ').slice(0, 120)})`;
  const start = text.lastIndexOf('\n', error.pos[0] - 1) + 1;
  const before = text.slice(Math.max(start, error.pos[0] - 200), error.pos[0]);
  const afterAlias = /(?:^|[\s[{,])\*[^\s,'"]*\s*$/u.test(before);
  const allowed = afterAlias ? quoteTheGlob : (allowedAfter.get(error.code) ?? anyYaml);
  return loadProblem(lines.at(error.pos[0]), '', found, allowed);
}

const quoteTheGlob = 'an alias of an anchor above; a glob that begins with * must be quoted';
const anyYaml = 'YAML 1.2 (text with special characters in quotes)';

const allowedAfter: ReadonlyMap<YAMLError['code'], string> = new Map([
  ['BAD_ALIAS', quoteTheGlob],
  ['ALIAS_PROPS', quoteTheGlob],
  ['BAD_SCALAR_START', 'plain text that begins with another character, or the text in quotes'],
  ['TAB_AS_INDENT', 'blanks for indentation'],
  ['TAG_RESOLVE_FAILED', 'tags of the core schema; a text that begins with ! must be quoted'],
  ['BAD_DIRECTIVE', '%YAML 1.2, or no directive'],
]);

/** First units of the lexemes that begin a node: quotes, the mark of a plain text, an alias, a flow collection. */
const nodeStarts: ReadonlySet<number> = new Set([34, 39, 31, 42, 91, 123]);

/** Tokens of a text, until it is too deep or too long for a document that could be accepted. */
class Tokens {
  stopped: string | undefined;
  offset = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  *all(): ReturnType<Parser['next']> {
    const parser = new Parser();
    // A level of nesting is at most two entries of the parser's stack; the tree counts levels exactly.
    const deepestStack = 2 * treeLimits.depth + 8;
    let nodes = 0;
    for (const lexeme of new Lexer().lex(this.#text)) {
      this.offset = parser.offset;
      if (parser.stack.length > deepestStack) this.stopped = `more than ${treeLimits.depth} levels`;
      if (nodeStarts.has(lexeme.charCodeAt(0))) nodes += 1;
      if (nodes > 2 * treeLimits.nodes) this.stopped = `more than ${treeLimits.nodes} nodes`;
      if (this.stopped !== undefined) return;
      yield* parser.next(lexeme);
    }
    yield* parser.end();
  }
}
