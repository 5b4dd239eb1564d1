/** Whether two pieces of plain data are the same, to the order of their members. */

/** True only for the very same, or for lists and plain objects whose members are the same in the same order. */
export function sameData(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, at) => sameData(item, b[at]));
  if (!isPlain(a) || !isPlain(b)) return false;
  const [own, other] = [Object.entries(a), Object.entries(b)];
  return own.length === other.length && own.every((entry, at) => sameData(entry, other[at]));
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
