/** Sources of a declared field: an argument, a list of them, or one with its particulars. */
import { type Expect, type Spot, entryOf, nodeInWords } from '../ground/index.js';
import { parseArgumentName } from './argument.js';
import type { ConnectorField, Source } from './table.js';

const allowed = 'the name of an argument, { argument, prefix?, base?, argv?, forward? }, or a list of these';
const keys = ['argument', 'prefix', 'base', 'argv', 'forward'];

/** Reads the group of a field. */
export function readSources(expect: Expect, field: ConnectorField, spot: Spot): readonly Source[] {
  if (spot.node.kind !== 'list') return optional(readSource(expect, field, spot));
  const items = expect.list(spot, 'arguments') ?? [];
  if (items.length === 0) expect.problem(spot.node.at, spot.path, 'an empty list', allowed);
  return items.flatMap((item) => optional(readSource(expect, field, item)));
}

function optional<T>(value: T | undefined): readonly T[] {
  return value === undefined ? [] : [value];
}

function readSource(expect: Expect, field: ConnectorField, spot: Spot): Source | undefined {
  const { node, path } = spot;
  if (node.kind === 'scalar' && typeof node.value === 'string') return { argument: argumentPath(node.value) };
  if (node.kind !== 'map') return expect.problem(node.at, path, nodeInWords(node), allowed);
  const map = expect.mapping(spot, keys);
  if (map === undefined) return undefined;
  const at = (key: string): Spot | undefined => {
    const entry = entryOf(map, key);
    return entry === undefined ? undefined : { node: entry.value, path: `${path}.${key}` };
  };
  const [argument, prefix, base, argv, forward] = keys.map(at);
  const name = argument && expect.text(argument, 'the name of an argument');
  if (argument === undefined) return expect.problem(map.at, path, 'no argument', 'argument: its name');
  const baseName = base && expect.text(base, 'args.NAME of a folder');
  const prefixText = prefix && expect.text(prefix, 'the text that ends the value, as ":"');
  if (prefixText === '') expect.problem(map.at, path, 'an empty prefix', 'the text that ends the value, as ":"');
  for (const part of [base, forward]) {
    if (part !== undefined && field.kind !== 'path') expect.problem(part.node.at, path, 'base or forward on a field that is no path', 'kind: path');
  }
  return name === undefined
    ? undefined
    : {
        argument: argumentPath(name),
        ...(prefixText === undefined ? {} : { prefix: prefixText }),
        ...(baseName === undefined ? {} : { base: argumentPath(baseName) }),
        ...(argv && isTrue(expect, argv) ? { argv: true } : {}),
        ...(forward && expect.oneOf(forward, ['relative']) ? { forwardRelative: true } : {}),
      };
}

function argumentPath(text: string): readonly string[] {
  return parseArgumentName(text) ?? [text];
}

function isTrue(expect: Expect, { node, path }: Spot): boolean {
  if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value;
  expect.problem(node.at, path, nodeInWords(node), 'true or false');
  return false;
}
