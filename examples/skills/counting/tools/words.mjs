/** What stands between blanks. */
export function words(text) {
  return text.split(/\s+/u).filter((word) => word !== '');
}
