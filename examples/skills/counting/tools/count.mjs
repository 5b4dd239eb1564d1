import { words } from './words.mjs';

/** Called with the arguments of the call, and the powers that this tool was given: none. */
export default function count({ text }) {
  const lines = text === '' ? 0 : text.split('\n').length;
  return { words: words(text).length, lines };
}
