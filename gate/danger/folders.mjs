/** A folder is named after what it holds. */

const vague = new Set([
  'utils',
  'util',
  'shared',
  'common',
  'helpers',
  'lib',
  'types',
  'services',
  'managers',
]);

/**
 * @param {readonly string[]} names files and folders, folders with a slash at the end
 * @returns {string[]} the folders with a name that says nothing
 */
export function findVagueFolders(names) {
  return names.filter((name) => name.endsWith('/') && vague.has(name.split('/').at(-2) ?? ''));
}
