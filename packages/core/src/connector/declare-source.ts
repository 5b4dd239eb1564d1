/** Sources of a declared field: an argument, a list of them, or one with its particulars. */
import { type Expect, type Spot, entryOf, nodeInWords } from '../ground/index.js';
import { parseArgumentName } from './argument.js';
import { sourceKeys } from './keys.js';
import type { ConnectorField, Source } from './table.js';

const allowed = 'the name of an argument, { argument, prefix?, base?, argv?, forward? }, or a list of these';

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
  const map = expect.mapping(spot, sourceKeys);
  if (map === undefined) return undefined;
  const at: At = (key) => {
    const entry = entryOf(map, key);
    return entry === undefined ? undefined : { node: entry.value, path: `${path}.${key}` };
  };
  const argument = at('argument');
  if (argument === undefined) return expect.problem(map.at, path, 'no argument', 'argument: its name');
  const name = expect.text(argument, 'the name of an argument');
  const argv = at('argv');
  const particulars = {
    ...readPrefix(expect, at('prefix')),
    ...readBase(expect, field, at),
    ...(argv !== undefined && isTrue(expect, argv) ? { argv: true } : {}),
  };
  return name === undefined ? undefined : { argument: argumentPath(name), ...particulars };
}

type At = (key: keyof typeof sourceKeys) => Spot | undefined;

function readPrefix(expect: Expect, spot: Spot | undefined): Pick<Source, 'prefix'> {
  const what = 'the text that ends the value, as ":"';
  const prefix = spot && expect.text(spot, what);
  if (spot !== undefined && prefix === '') expect.problem(spot.node.at, spot.path, 'an empty text', what);
  return prefix === undefined ? {} : { prefix };
}

/** How a relative path is meant, and how it is forwarded. */
function readBase(
  expect: Expect,
  { kind }: ConnectorField,
  at: At,
): Pick<Source, 'base' | 'forwardRelative'> {
  const [base, forward] = [at('base'), at('forward')];
  const odd = kind === 'path' ? [] : kind === 'command' ? [forward] : [base, forward];
  for (const spot of odd) {
    if (spot !== undefined) expect.problem(spot.node.at, spot.path, 'a field that is no path', 'kind: path');
  }
  const name = base && expect.text(base, 'args.NAME of a folder');
  const relative = forward && expect.oneOf(forward, sourceKeys.forward.words);
  return {
    ...(name === undefined ? {} : { base: argumentPath(name) }),
    ...(relative === undefined ? {} : { forwardRelative: true }),
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
