/** The lock file says what to install and not from where. */

/**
 * @param {string} text of package-lock.json
 * @returns {string[]} what ties it to a place
 */
export function findPlaces(text) {
  /** @type {{ packages: Record<string, { resolved?: string, link?: boolean }> }} */
  const lock = JSON.parse(text);
  return Object.entries(lock.packages)
    .filter(([, { resolved, link }]) => resolved !== undefined && link !== true)
    .map(([name, { resolved }]) => `${name}: resolved ${resolved}`);
}
