/** The kinds of accesses that calls of a tool can make, for comparing policies. */
import {
  type AccessShape,
  type ArgumentPath,
  type Box,
  type Extent,
  type ValueSet,
  anyScalar,
  textSet,
  viewAt,
  viewUniverse,
} from '../authority/index.js';
import type { ToolFrame } from './frame.js';
import { type Plans, rawPositions } from './positions.js';
import type { AccessRow, ConnectorField } from './table.js';

/** One shape, and where it comes from. */
export interface ToolShape {
  readonly shape: AccessShape;
  /** Undefined: what a call makes that yields no access of any row. */
  readonly row: AccessRow | undefined;
  /** Fields that are left away because their kind refuses the value and NEW does not constrain them. */
  readonly unread: readonly string[];
}

/** Every shape of accesses that NEW can meet. `boxes` are those of both sides; `also`: further arguments to tell apart. */
export function accessShapes(
  frame: ToolFrame,
  boxes: readonly Box[],
  plans: Plans,
  also: readonly ArgumentPath[] = [],
): readonly ToolShape[] {
  const raw = rawPositions(frame, boxes, plans, also);
  const { accesses, verb } = frame.table;
  const base = { paths: frame.paths, raw };
  const rows = accesses.flatMap((row) =>
    variants(frame, row, plans).map(({ carried, regions, unread }) => ({
      row,
      unread,
      shape: { ...base, verb: row.verb, namedOnly: row.namedOnly, carried, regions, hosts: hostsOf(row) },
    })),
  );
  if (accesses.some(({ needed }) => needed)) return rows;
  const none: ToolShape = {
    row: undefined,
    unread: [],
    shape: { ...base, verb, namedOnly: false, carried: new Map(), regions: new Map(), hosts: new Map() },
  };
  return [...rows, none];
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
  readonly unread: readonly string[];
}

function variants(frame: ToolFrame, row: AccessRow, plans: Plans): readonly Variant[] {
  let all: readonly Variant[] = [{ carried: new Map(), regions: new Map(), unread: [] }];
  const hosts = hostsOf(row);
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
    ({ carried, regions, unread }) => ({
      unread,
      carried: new Map([...carried, [field, universeOf(frame, spec)]]),
      regions: extent === undefined ? regions : new Map([...regions, [field, extent]]),
    });
  const leave: Way = ({ carried, regions, unread }) => ({ carried, regions, unread: [...unread, field] });
  const all = spec.vocabulary?.wildcard !== undefined || row.omitted[field] === 'everything';
  return [carry(reach), ...(all ? [carry('all')] : []), ...(next.fields.has(field) ? [] : [leave])];
}

/** Everything that a field of the connector can hold: one canonical text, or one scalar. */
function universeOf({ paths }: ToolFrame, { kind }: ConnectorField): ValueSet {
  return kind === 'oneOf' ? anyScalar : textSet(viewUniverse(viewAt(kind), paths.platform).text);
}
