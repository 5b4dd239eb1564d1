/** Worked cases whose documents use what this version does not have: id to what they wait for. */
export const laterCases: Readonly<Record<string, string>> = {};

/** Worked pairs of the same kind. */
export const laterPairs: Readonly<Record<string, string>> = {};
