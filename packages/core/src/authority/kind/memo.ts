/** A memory of bounded size for results that are costly to make and often asked for again. */

/** Gives the remembered result of a key, or makes it; forgets everything when it holds `limit` results. */
export function remembering<R>(limit: number): (key: string, make: () => R) => R {
  const known = new Map<string, R>();
  return (key, make) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const fresh = make();
    if (known.size >= limit) known.clear();
    known.set(key, fresh);
    return fresh;
  };
}
