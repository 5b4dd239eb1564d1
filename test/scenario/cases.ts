/** Worked cases whose documents use what this version does not have: id to what they wait for. */
export const laterCases: Readonly<Record<string, string>> = {
  P212: 'uses',
  P215: 'uses',
  P218: 'limits',
  P224: 'limits',
  P709: 'uses',
};
