/** Bundles: powers grouped, as for a skill, from which others can be made that hold less and never more. */

/** Powers by name. Frozen. */
export class Bundle<out P extends object> {
  /** What `spawn` is given. */
  readonly powers: Readonly<P>;

  constructor(powers: P) {
    this.powers = Object.freeze({ ...powers });
    Object.freeze(this);
  }

  /** Without those names. Names that it does not hold are passed over. */
  minus<K extends PropertyKey>(...names: readonly K[]): Bundle<Omit<P, K>> {
    const out = new Set<PropertyKey>(names);
    const kept = Object.entries(this.powers).filter(([name]) => !out.has(name));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the entries that are left
    return new Bundle(Object.fromEntries(kept) as Omit<P, K>);
  }

  /**
   * What both hold: the same power under the same name. A power that differs is in neither's authority as a whole, and which part of it
   * both would grant cannot be seen, so it is left out.
   */
  intersect<Q extends object>(other: Bundle<Q>): Bundle<Partial<Pick<P, keyof P & keyof Q>>> {
    const theirs: object = other.powers;
    const kept = Object.entries(this.powers).filter(
      ([name, power]) => Object.hasOwn(theirs, name) && Reflect.get(theirs, name) === power,
    );
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- at most these entries
    return new Bundle(Object.fromEntries(kept) as Partial<Pick<P, keyof P & keyof Q>>);
  }

  /** Of its powers those with these names. Names that it does not hold are passed over. */
  only<K extends keyof P>(...names: readonly K[]): Bundle<Pick<P, K>> {
    const wanted = new Set<PropertyKey>(names);
    const kept = Object.entries(this.powers).filter(([name]) => wanted.has(name));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the entries that are left
    return new Bundle(Object.fromEntries(kept) as Pick<P, K>);
  }
}
