/** Whether two accesses touch the same thing: what exclusion asks, and no question of authority. */
import { type Json, deepEqualJson, splitToolName } from '../ground/index.js';
import type { Access } from './access.js';
import { Spread } from './kind/index.js';
import { type Held, Region } from './region.js';

/**
 * Whether some thing lies in both. Accesses of one server are compared in the fields of its connector that both have, whatever their tools and
 * verbs; those without such a field, by their tool. Accesses of tools without connector (`call`) meet when tool and all arguments are the same,
 * an argument that lists judge as a path compared as one. Texts that differ in case only count as the same: to the server they may be.
 */
export function overlap(a: Access, b: Access): boolean {
  if (a.tool !== b.tool && splitToolName(a.tool).server !== splitToolName(b.tool).server) return false;
  if (a.verb === 'call' || b.verb === 'call') return a.tool === b.tool && sameArguments(a, b);
  const common = connectorFields(a).filter((key) => Object.hasOwn(b.fields, key));
  if (common.length > 0) return common.every((key) => heldMeet(a.fields[key], b.fields[key]));
  return a.tool === b.tool && connectorFields(a).length === 0 && connectorFields(b).length === 0;
}

/** Whether an access leaves everything as it is. */
export function isReading({ verb }: Access): boolean {
  return verb === 'read' || verb === 'list';
}

function connectorFields({ fields }: Access): readonly string[] {
  return Object.keys(fields).filter((key) => !key.startsWith('args.'));
}

function sameArguments(a: Access, b: Access): boolean {
  const views = Object.keys(a.fields).filter((key) => key.includes('|') && Object.hasOwn(b.fields, key));
  if (!views.every((key) => heldMeet(a.fields[key], b.fields[key]))) return false;
  const viewed = new Set(views.map((key) => key.slice('args.'.length, key.indexOf('|'))));
  const names = new Set([...Object.keys(a.args), ...Object.keys(b.args)]);
  return [...names].every((name) => viewed.has(name) || deepEqualJson(a.args[name], b.args[name]));
}

function heldMeet(a: Held | undefined, b: Held | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a instanceof Region) return b instanceof Region ? a.overlaps(b) : typeof b !== 'string' || a.reaches(b);
  if (b instanceof Region) return typeof a !== 'string' || b.reaches(a);
  if (typeof a === 'string' && typeof b === 'string') return a.toLowerCase() === b.toLowerCase();
  return sameValue(a, b);
}

function sameValue(a: Exclude<Held, Region>, b: Exclude<Held, Region>): boolean {
  if (typeof a === 'symbol' || typeof b === 'symbol') return a === b;
  if (a instanceof Spread) return a.elements.some((one) => isIn(one, b));
  if (b instanceof Spread) return b.elements.some((one) => isIn(one, a));
  return deepEqualJson(a, b);
}

function isIn(one: Json | symbol, other: Exclude<Held, Region>): boolean {
  const elements = other instanceof Spread ? other.elements : [other];
  return elements.some((each) =>
    typeof each === 'symbol' || typeof one === 'symbol' ? each === one : deepEqualJson(one, each),
  );
}
