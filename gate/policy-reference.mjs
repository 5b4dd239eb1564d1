/**
 * Writes docs/reference/policy.md, or checks that it is up to date. The page is gate/policy-reference.md with its `{{NAME}}`
 * lines replaced by tables printed from the code: the vocabularies that the readers themselves take their keys from.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from './root.mjs';

const page = 'docs/reference/policy.md';
const template = 'gate/policy-reference.md';

/** @typedef {import('../packages/core/src/ground/keys.js').KeyHelp} KeyHelp */
/** @typedef {import('../packages/core/src/ground/keys.js').KeyTable} KeyTable */
/** @typedef {import('../packages/core/src/connector/table.js').ConnectorTable} ConnectorTable */
/** @typedef {import('../packages/core/src/connector/table.js').AccessRow} AccessRow */
/** @typedef {import('../packages/core/src/connector/table.js').Source} Source */

/** What the page is printed from. */
async function loadVocabulary() {
  register('../test/source/hooks.mjs', import.meta.url);
  const [policy, connector, kinds, reference, hosts, region, builtins, denial, fault] = await Promise.all([
    import('../packages/core/src/policy/keys.js'),
    import('../packages/core/src/connector/keys.js'),
    import('../packages/core/src/authority/kind/registry.js'),
    import('../packages/core/src/authority/kind/reference.js'),
    import('../packages/core/src/authority/kind/host-sets.js'),
    import('../packages/core/src/authority/region.js'),
    import('../packages/core/src/connector/builtins.js'),
    import('../packages/core/src/ground/denial.js'),
    import('../packages/core/src/ground/fault.js'),
  ]);
  return {
    tables: namedTables(policy, connector),
    kinds: kinds.kinds,
    references: reference.referenceKeys,
    hostSets: hosts.namedSetHelp,
    verbs: region.verbHelp,
    connectors: builtins.builtinNames().flatMap((name) => builtins.builtinConnector(name) ?? []),
    denials: denial.denialCodes,
    layers: denial.layers,
    faults: fault.faultCodes,
    ruleKeysIn: policy.ruleKeysIn,
  };
}

/** @typedef {Awaited<ReturnType<typeof loadVocabulary>>} Vocabulary */

/**
 * Every table that a room exports as `…Keys`, by the word before it.
 * @param {object[]} rooms
 * @returns {ReadonlyMap<string, KeyTable>}
 */
function namedTables(...rooms) {
  const entries = rooms
    .flatMap((room) => Object.entries(room))
    .filter(([name]) => name.endsWith('Keys'))
    .map(([name, table]) => /** @type {const} */ ([name.slice(0, -'Keys'.length), table]));
  return new Map(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** @param {string} text @returns {string} */
function code(text) {
  return `\`${text}\``;
}

/** @param {string} text @returns {string} */
function cell(text) {
  return text.replaceAll('|', String.raw`\|`);
}

/**
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 */
function table(head, rows) {
  const line = (/** @type {readonly string[]} */ cells) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** @param {KeyHelp} key @returns {string} */
function meaning({ help, words, toCome, partToCome }) {
  const listed = words === undefined ? '' : ` One of ${words.map(code).join(', ')}.`;
  const part = partToCome === undefined ? '' : ` *Not built yet: ${partToCome}.*`;
  return `${help}${listed}${toCome === true ? ' *Not built yet.*' : part}`;
}

/** @param {KeyTable} keys @param {string} head */
function keyTable(keys, head = 'key') {
  return table(
    [head, 'meaning'],
    Object.entries(keys).map(([key, help]) => [code(key), meaning(help)]),
  );
}

/** @param {Vocabulary} vocabulary */
function ruleTable({ tables, ruleKeysIn }) {
  const lists = /** @type {const} */ (['allow', 'ask', 'deny']);
  const rows = Object.entries(tables.get('rule') ?? {}).map(([key, help]) => [
    code(key),
    lists.filter((list) => Object.hasOwn(ruleKeysIn[list], key)).join(', '),
    meaning(help),
  ]);
  return table(['key', 'in', 'meaning'], rows);
}

/** @param {Vocabulary} vocabulary */
function kindTables({ kinds }) {
  return kinds
    .map(({ name, help, keys, onFields, short }) => {
      const place = onFields
        ? 'On arguments and on fields.'
        : name === 'command'
          ? 'On arguments and on fields of kind command.'
          : short === undefined || name === 'oneOf'
            ? 'On arguments.'
            : `On arguments in the long form, on fields of kind ${name} in the short one.`;
      const long = Object.keys(keys).length === 0 ? '' : `\n\n${keyTable(keys)}`;
      return `### ${name}\n\n${help} ${place}${long}`;
    })
    .join('\n\n');
}

/** @param {Source} source */
function sourceText({ argument, ofUrl, prefix, joined, base }) {
  const name = code(argument.join('.'));
  if (ofUrl === true) return `the host of ${name}`;
  if (prefix !== undefined) return `${name} up to ${code(prefix)}`;
  if (joined !== undefined) return `${name} with its ${code(joined.field)}`;
  return base === undefined ? name : `${name} from ${code(base.join('.'))}`;
}

/** @param {AccessRow} row */
function accessText({ verb, extent, fields, omitted, commands }) {
  const named = Object.entries(fields).map(([field, sources]) => {
    const said = omitted[field];
    if (sources.length === 0)
      return `${code(field)} ${code(String(typeof said === 'object' ? said.value : said))}`;
    return `${code(field)} from ${sources.map(sourceText).join(', ')}${said === 'bare' ? ' if given' : ''}`;
  });
  const words =
    commands === true ? `; read, write, delete ${code('path')} from its words and redirections` : '';
  return `${verb} ${named.join(', ')}${extent === 'exact' ? '' : ` (${extent})`}${words}`;
}

/** @param {ConnectorTable} connector */
function connectorText({ name, packages, fields, tools, unlisted }) {
  const kinds = Object.entries(fields).map(([field, { kind }]) => `${code(field)} (${kind})`);
  const rows = Object.entries(tools).map(([tool, { verb, accesses, payload }]) => [
    code(tool),
    accesses.length === 0 ? `${verb}, no field` : accesses.map(accessText).join('; '),
    payload.map(code).join(', '),
  ]);
  const others =
    unlisted === 'refuse' ? 'Other tools are absent.' : 'Other tools are read by their arguments.';
  return [
    `### ${name}`,
    `For ${packages.map(code).join(', ') || 'servers that name it'}. Fields: ${kinds.join(', ')}. ${others}`,
    table(['tool', 'accesses', 'payload'], rows),
  ].join('\n\n');
}

/** @param {Readonly<Record<string, { retryable: boolean, help: string, toCome?: true }>>} codes */
function codeTable(codes) {
  const rows = Object.entries(codes).map(([name, { retryable, help, toCome }]) => [
    code(name),
    retryable ? 'yes' : 'no',
    `${help}${toCome === true ? ' *Nothing gives it yet.*' : ''}`,
  ]);
  return table(['code', 'retryable', 'meaning'], rows);
}

/** @param {Vocabulary} vocabulary @returns {string} what is refused because it is not built */
function toCome({ tables }) {
  const keys = [...tables].flatMap(([section, keys]) =>
    Object.entries(keys).flatMap(([key, { toCome, partToCome }]) => {
      if (toCome !== true && partToCome === undefined) return [];
      return [[code(key), section, toCome === true ? 'all of it' : (partToCome ?? '')]];
    }),
  );
  return table(['what', 'where', 'refused'], keys);
}

/**
 * What stands for each `{{NAME}}`.
 * @param {Vocabulary} vocabulary
 * @returns {ReadonlyMap<string, string>}
 */
function parts(vocabulary) {
  const { tables, references, hostSets, verbs, connectors, denials, faults, layers } = vocabulary;
  const keys = [...tables].map(
    ([name, each]) =>
      /** @type {const} */ ([`keys ${name}`, name === 'rule' ? ruleTable(vocabulary) : keyTable(each)]),
  );
  return new Map([
    ...keys,
    ['kinds', kindTables(vocabulary)],
    ['references', keyTable(references)],
    ['host sets', keyTable(hostSets, 'set')],
    ['verbs', keyTable(verbs, 'verb')],
    ['connectors', connectors.map(connectorText).join('\n\n')],
    ['layers', layers.map(code).join(', ')],
    ['denials', codeTable(denials)],
    ['faults', codeTable(faults)],
    ['to come', toCome(vocabulary)],
    ['example', `\`\`\`yaml\n${readFileSync(join(root, 'examples/policies/every-key.yaml'), 'utf8')}\`\`\``],
  ]);
}

/**
 * The lines of help that are missing or more than a line.
 * @param {Pick<Vocabulary, 'tables' | 'references' | 'hostSets' | 'verbs' | 'denials' | 'faults'> & {
 *   readonly kinds: readonly { readonly name: string, readonly help: string, readonly keys: KeyTable }[] }} vocabulary
 * @returns {readonly string[]}
 */
export function badHelp({ tables, kinds, references, hostSets, verbs, denials, faults }) {
  /** @type {[string, Readonly<Record<string, { readonly help: string }>>][]} */
  const all = [
    ...tables,
    ...kinds.map(({ name, keys }) => /** @type {[string, KeyTable]} */ ([name, keys])),
    ['kinds', Object.fromEntries(kinds.map(({ name, help }) => [name, { help }]))],
    ['references', references],
    ['host sets', hostSets],
    ['verbs', verbs],
    ['denials', denials],
    ['faults', faults],
  ];
  return all.flatMap(([where, keys]) =>
    Object.entries(keys)
      .filter(([, { help }]) => !/^\S[^\n]*[.]$/u.test(help))
      .map(([key]) => `${where}.${key}: no line of help that ends with a full stop`),
  );
}

/**
 * @param {string} text of the template
 * @param {ReadonlyMap<string, string>} named
 * @returns {{ readonly text: string, readonly wrong: readonly string[] }}
 */
export function render(text, named) {
  const used = new Set();
  /** @type {string[]} */
  const wrong = [];
  const printed = text.replaceAll(/^\{\{(.+)\}\}$/gmu, (line, /** @type {string} */ name) => {
    used.add(name);
    const part = named.get(name);
    if (part === undefined) wrong.push(`${template}: {{${name}}} stands for nothing`);
    return part ?? line;
  });
  for (const name of named.keys()) if (!used.has(name)) wrong.push(`${template}: {{${name}}} is missing`);
  return { text: printed, wrong };
}

/** @returns {Promise<{ readonly text: string, readonly wrong: readonly string[] }>} the page, and what is wrong with its sources */
export async function policyReference() {
  const vocabulary = await loadVocabulary();
  const { text, wrong } = render(readFileSync(join(root, template), 'utf8'), parts(vocabulary));
  return { text, wrong: [...badHelp(vocabulary), ...wrong] };
}

if (process.argv[1] === import.meta.filename) {
  const { text, wrong } = await policyReference();
  const path = join(root, page);
  const present = existsSync(path) ? readFileSync(path, 'utf8') : '';
  for (const each of wrong) console.error(each);
  if (wrong.length > 0) process.exitCode = 1;
  else if (process.argv.includes('--write')) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } else if (present !== text) {
    console.error(`${page} is not what the code says; run: npm run docs:policy`);
    process.exitCode = 1;
  }
}
