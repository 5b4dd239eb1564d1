/** Worked cases whose documents use what this version does not have: id to what they wait for. */
export const laterCases: Readonly<Record<string, string>> = {
  P464: 'kind command',
  P552: 'kind command',
  P555: 'kind command',
  P558: 'kind command',
  P561: 'kind command',
  P572: 'kind sql',
};
