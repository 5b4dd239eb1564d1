/** What may go from actor to actor and be kept as state: plain data and references, copied and frozen on the way, so that nothing is shared. */
import { isRef } from './ref.js';

/** Deepest nesting of a message or a state. */
const deepest = 64;
/** Most members of a message or a state, counted as often as they are reached: what holds itself, or one thing in many ways, ends here. */
const mostMembers = 1_000_000;
/** Members from which on a copy is remembered, so that it is not copied again. */
const worthKnowing = 8;

const known = new WeakSet<object>();

/** A frozen copy, or the very value where it is one already. Throws TypeError, naming the place, for anything that is no data and no reference. */
export function frozenCopy<T>(value: T): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the copy has the members of the value
  return copyOf(value, '', 0, { members: mostMembers }) as T;
}

/** How much of a copy there may still be. */
interface Left {
  members: number;
}

function copyOf(value: unknown, path: string, depth: number, left: Left): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') return refuse(value, path);
  if (typeof value !== 'object' || value === null || known.has(value) || isRef(value)) return value;
  if (depth > deepest) throw new TypeError(`${path || 'the value'} is nested deeper than ${deepest}`);
  if (Array.isArray(value)) return copyOfArray(value, path, depth, left);
  const proto: unknown = Object.getPrototypeOf(value);
  if (proto !== null && proto !== Object.prototype) return refuse(value, path);
  return copyOfObject(value, path, depth, left);
}

function copyOfArray(value: readonly unknown[], path: string, depth: number, left: Left): readonly unknown[] {
  const { length } = value;
  spend(left, length, path);
  const copy: unknown[] = [];
  for (let at = 0; at < length; at += 1) copy.push(copyOf(value[at], `${path}[${at}]`, depth + 1, left));
  return keep(copy, length);
}

function copyOfObject(value: object, path: string, depth: number, left: Left): object {
  const copy: Record<string, unknown> = {};
  const keys = Object.keys(value);
  spend(left, keys.length, path);
  for (const key of keys) {
    if (key === '__proto__') throw new TypeError(`${path || 'the value'} has a member named __proto__`);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- own members are read as what they are
    const member = (value as Record<string, unknown>)[key];
    copy[key] =
      typeof member === 'object' || typeof member === 'function' || typeof member === 'symbol'
        ? copyOf(member, path === '' ? key : `${path}.${key}`, depth + 1, left)
        : member;
  }
  return keep(copy, keys.length);
}

function spend(left: Left, members: number, path: string): void {
  left.members -= members;
  if (!(left.members >= 0))
    throw new TypeError(`${path || 'the value'} has more than ${mostMembers} members`);
}

function keep<T extends object>(copy: T, members: number): T {
  Object.freeze(copy);
  if (members >= worthKnowing) known.add(copy);
  return copy;
}

function refuse(value: unknown, path: string): never {
  const kind = typeof value === 'object' ? 'an object of a class of its own' : `a ${typeof value}`;
  throw new TypeError(
    `${path || 'the value'} is ${kind}; between actors go plain data and references, and a promised reference by pipeline()`,
  );
}
