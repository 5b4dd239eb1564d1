/** The kinds of accesses that calls of a tool can make, for comparing policies. */
import {
  type AccessShape,
  type ArgumentPath,
  type Box,
  type Extent,
  type ValueSet,
  anyScalar,
  canonicalText,
  minus,
  missingSet,
  scalars,
  textSet,
  viewAt,
  viewUniverse,
} from '../authority/index.js';
import { argumentName } from './argument.js';
import type { ToolFrame } from './frame.js';
import { type Plans, placeSet, rawPositions } from './positions.js';
import { besideVerbs } from './command-access.js';
import { idleCommands, idleEitherWay } from './command-idle.js';
import { type AccessRow, type ConnectorField, wordField } from './table.js';

/** One shape, and where it comes from. */
export interface ToolShape {
  readonly shape: AccessShape;
  /** Undefined: what a call makes that yields no access of any row. */
  readonly row: AccessRow | undefined;
  /** Fields that are left away because their kind refuses the value and NEW does not constrain them. */
  readonly unread: readonly string[];
  /** What a command makes that some rule reads out of a raw argument: its own access, or that of a word. */
  readonly command?: boolean;
}

/** Every shape of accesses that NEW can meet. `boxes` are those of both sides; `also`: further arguments to tell apart. */
export function accessShapes(
  frame: ToolFrame,
  boxes: readonly Box[],
  plans: Plans,
  also: readonly ArgumentPath[] = [],
): readonly ToolShape[] {
  return rawPositions(frame, boxes, plans, also).flatMap((raw) => shapesOver(frame, raw, plans));
}

function shapesOver(frame: ToolFrame, raw: AccessShape['raw'], plans: Plans): readonly ToolShape[] {
  const { accesses, verb } = frame.table;
  const base = { paths: frame.paths, raw };
  const rows: ToolShape[] = accesses.flatMap((row) =>
    variants(frame, row, plans).map(({ unread, ...own }) => ({
      row,
      unread,
      shape: { ...base, verb: row.verb, namedOnly: row.namedOnly, ...own },
    })),
  );
  rows.push(...commandShapes(frame, rows, base, plans));
  if (accesses.some(({ needed }) => needed)) return rows;
  const none: ToolShape = {
    row: undefined,
    unread: [],
    shape: { ...base, verb, namedOnly: false, carried: new Map(), regions: new Map(), hosts: new Map() },
  };
  return [...rows, none];
}

/** The shapes of what commands make: of those in raw arguments themselves, and of the words and redirections of all. */
function commandShapes(
  frame: ToolFrame,
  rows: readonly ToolShape[],
  base: Pick<AccessShape, 'paths' | 'raw'>,
  plans: Plans,
): readonly ToolShape[] {
  const own = rows.filter(({ row }) => row?.commands === true);
  if (frame.table.commands === undefined) return own.flatMap((of) => wordShapes(frame, of, plans));
  const none = { carried: new Map(), regions: new Map(), hosts: new Map() };
  const shape: AccessShape = { ...base, ...none, verb: 'execute', namedOnly: false };
  const command: ToolShape = { row: undefined, unread: [], command: true, shape };
  return [command, ...[...own, command].flatMap((of) => wordShapes(frame, of, plans))];
}

/** Words reach below what they name, redirections do not; where no list judges paths some may not be known. */
function wordShapes(frame: ToolFrame, of: ToolShape, { next }: Plans): readonly ToolShape[] {
  const paths = textSet(viewUniverse('path', frame.paths.platform).text);
  const places = commandPlaces(frame, of);
  return besideVerbs.flatMap((verb) => {
    const by = (idle: ValueSet): AccessShape => ({
      ...lessIdle(of.shape, places, idle),
      verb,
      namedOnly: true,
    });
    const [word, redirect, either] = [
      by(idleCommands(verb, 'word')),
      by(idleCommands(verb, 'redirect')),
      by(idleEitherWay(verb)),
    ];
    const carrying = ({ carried }: AccessShape): AccessShape['carried'] =>
      new Map([...carried, [wordField, paths]]);
    const regions = new Map([...of.shape.regions, [wordField, 'subtree'] as const]);
    const unknown = { ...of, unread: [...of.unread, wordField], shape: either };
    return [
      { ...of, shape: { ...word, carried: carrying(word), regions } },
      { ...of, shape: { ...redirect, carried: carrying(redirect) } },
      ...(next.fields.has(wordField) ? [] : [unknown]),
    ];
  });
}

/** Keys that hold the command whose words these are; none where more than one could be it. */
function commandPlaces(frame: ToolFrame, { row, shape }: ToolShape): readonly string[] {
  const read = new Set(frame.table.commands?.map(argumentName));
  const places =
    row === undefined
      ? shape.raw
          .filter(({ path, view }) => view === 'command' && read.has(argumentName(path)))
          .map(({ key }) => key)
      : Object.keys(row.fields).filter((field) => frame.fields[field]?.kind === 'command');
  return places.length === 1 && (row !== undefined || read.size === 1) ? places : [];
}

function lessIdle(shape: AccessShape, places: readonly string[], idle: ValueSet): AccessShape {
  const less = (key: string, set: ValueSet): ValueSet => (places.includes(key) ? minus(set, idle) : set);
  return {
    ...shape,
    carried: new Map([...shape.carried].map(([key, set]) => [key, less(key, set)])),
    raw: shape.raw.map((position) => ({ ...position, universe: less(position.key, position.universe) })),
  };
}

/** Fields that read the host out of the url in another field. */
function hostsOf({ fields }: AccessRow): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [field, sources] of Object.entries(fields)) {
    const [source, other] = sources;
    if (source?.ofUrl !== true || other !== undefined) continue;
    const url = Object.entries(fields).find(
      ([, [whole, more]]) =>
        more === undefined && whole?.ofUrl !== true && String(whole?.argument) === String(source.argument),
    );
    if (url !== undefined) found.set(field, url[0]);
  }
  return found;
}

interface Variant {
  readonly carried: ReadonlyMap<string, ValueSet>;
  readonly regions: ReadonlyMap<string, Exclude<Extent, 'exact'>>;
  readonly hosts: ReadonlyMap<string, string>;
  readonly unread: readonly string[];
}

/** A host is that of the url beside it; where no list of NEW looks at the url, one that cannot be read may have a host too. */
function variants(frame: ToolFrame, row: AccessRow, plans: Plans): readonly Variant[] {
  const hosts = hostsOf(row);
  const joined = fieldVariants(frame, row, plans, hosts);
  const blind = [...hosts.values()].filter((url) => !plans.next.fields.has(url));
  if (blind.length === 0) return joined;
  const apart = fieldVariants(frame, row, plans, new Map());
  return [...joined, ...apart.filter(({ unread }) => blind.every((url) => unread.includes(url)))];
}

function fieldVariants(
  frame: ToolFrame,
  row: AccessRow,
  plans: Plans,
  hosts: ReadonlyMap<string, string>,
): readonly Variant[] {
  let all: readonly Variant[] = [{ carried: new Map(), regions: new Map(), hosts, unread: [] }];
  for (const field of Object.keys(row.fields)) {
    const spec = frame.fields[field];
    if (spec === undefined || hosts.has(field)) continue;
    all = all.flatMap((variant) => ways(frame, row, { field, spec }, plans).map((way) => way(variant)));
  }
  return all;
}

type Way = (variant: Variant) => Variant;

function ways(
  frame: ToolFrame,
  row: AccessRow,
  { field, spec }: { readonly field: string; readonly spec: ConnectorField },
  { next }: Plans,
): readonly Way[] {
  const reach = spec.kind === 'path' && row.extent !== 'exact' ? row.extent : undefined;
  const carry =
    (extent: Exclude<Extent, 'exact'> | undefined): Way =>
    ({ carried, regions, ...others }) => ({
      ...others,
      carried: new Map([...carried, [field, universeOf(frame, spec)]]),
      regions: extent === undefined ? regions : new Map([...regions, [field, extent]]),
    });
  const leave: Way = (variant) => ({ ...variant, unread: [...variant.unread, field] });
  const all = spec.vocabulary?.wildcard !== undefined || row.omitted[field] === 'everything';
  const bare: readonly Way[] = row.omitted[field] === 'bare' ? [(variant) => variant] : [];
  const left = next.fields.has(field) || isAlwaysRead(frame, row, field, spec) ? [] : [leave];
  return [carry(reach), ...(all ? [carry('all')] : []), ...bare, ...left];
}

/** Most listed values of a schema that are looked at. */
const mostListed = 64;

/** Whether the schema lists all values of the arguments that feed a field, and its kind reads each of them. */
function isAlwaysRead(frame: ToolFrame, row: AccessRow, field: string, { kind }: ConnectorField): boolean {
  const sources = row.fields[field] ?? [];
  return sources.every(({ argument, prefix, ofUrl, base }) => {
    if (prefix !== undefined || ofUrl === true || base !== undefined) return false;
    const listed = scalars(noMissing(placeSet(frame, argument)), mostListed);
    return (
      listed !== undefined &&
      listed.every((value) =>
        kind === 'oneOf' || typeof value !== 'string'
          ? kind === 'oneOf'
          : canonicalText(viewAt(kind), value, frame.paths).ok,
      )
    );
  });
}

function noMissing(set: ValueSet): ValueSet {
  return minus(set, missingSet);
}

/** Everything that a field of the connector can hold: one canonical text, or one scalar. */
function universeOf({ paths }: ToolFrame, { kind }: ConnectorField): ValueSet {
  return kind === 'oneOf' ? anyScalar : textSet(viewUniverse(viewAt(kind), paths.platform).text);
}
