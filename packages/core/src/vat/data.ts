/** What may go from actor to actor and be kept as state: plain data and references, copied and frozen on the way, so that nothing is shared. */
import { isRef } from './ref.js';

/** Deepest nesting of a message or a state. */
const deepest = 64;
/** Members from which on a copy is remembered, so that it is not copied again. */
const worthKnowing = 8;

const known = new WeakSet<object>();

/** A frozen copy, or the very value where it is one already. Throws TypeError, naming the place, for anything that is no data and no reference. */
export function frozenCopy<T>(value: T): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the copy has the members of the value
  return copyOf(value, '', 0) as T;
}

function copyOf(value: unknown, path: string, depth: number): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') return refuse(value, path);
  if (typeof value !== 'object' || value === null || known.has(value) || isRef(value)) return value;
  if (depth > deepest) throw new TypeError(`${path || 'the value'} is nested deeper than ${deepest}`);
  if (Array.isArray(value)) return copyOfArray(value, path, depth);
  const proto: unknown = Object.getPrototypeOf(value);
  if (proto !== null && proto !== Object.prototype) return refuse(value, path);
  return copyOfObject(value, path, depth);
}

function copyOfArray(value: readonly unknown[], path: string, depth: number): readonly unknown[] {
  const copy: unknown[] = [];
  for (let at = 0; at < value.length; at += 1) copy.push(copyOf(value[at], `${path}[${at}]`, depth + 1));
  return keep(copy, copy.length);
}

function copyOfObject(value: object, path: string, depth: number): object {
  const copy: Record<string, unknown> = {};
  const keys = Object.keys(value);
  for (const key of keys) {
    if (key === '__proto__') throw new TypeError(`${path || 'the value'} has a member named __proto__`);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- own members are read as what they are
    const member = (value as Record<string, unknown>)[key];
    copy[key] =
      typeof member === 'object' || typeof member === 'function' || typeof member === 'symbol'
        ? copyOf(member, path === '' ? key : `${path}.${key}`, depth + 1)
        : member;
  }
  return keep(copy, keys.length);
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
