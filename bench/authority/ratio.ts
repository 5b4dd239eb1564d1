/** A share, told as what it is of how many. */

/** `n` of `m`. */
export interface Ratio {
  readonly n: number;
  readonly m: number;
}

/** How many of them hold. */
export function ratioOf(held: readonly boolean[]): Ratio {
  return { n: held.filter((each) => each).length, m: held.length };
}

/** Of all together. */
export function sumOf(ratios: readonly Ratio[]): Ratio {
  return ratios.reduce((sum, { n, m }) => ({ n: sum.n + n, m: sum.m + m }), { n: 0, m: 0 });
}

/** `448/462 (97.0 %)`. */
export function told({ n, m }: Ratio): string {
  return m === 0 ? '0/0' : `${n}/${m} (${((100 * n) / m).toFixed(1)} %)`;
}
