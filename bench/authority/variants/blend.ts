/** What is somebody's own and what is foreign in one text, as a careless reader would split or resolve it. */
import type { Spelling } from './spelling.js';

const between: readonly string[] = [
  ',',
  ', ',
  ';',
  '; ',
  ' ',
  '\n',
  '\r\n',
  '\t',
  '\u0000',
  '|',
  '||',
  '&',
  '&&',
  '#',
  '?',
  '/',
  '//',
  '/../',
  '/./',
  '\\',
  '@',
  ':',
  '%00',
  '%0a',
  '%2c',
  '%2F..%2F',
  '\u2028',
  '+',
  '=',
  ' <',
  ' or ',
];

/** Both in one text, in either order, with everything between them that somebody splits at. */
export function blends(own: string, foreign: string): readonly Spelling[] {
  return [
    ...between.flatMap((separator): readonly Spelling[] => [
      [`own ${JSON.stringify(separator)} foreign`, own + separator + foreign],
      [`foreign ${JSON.stringify(separator)} own`, foreign + separator + own],
    ]),
    ['a name with an address', `${own} <${foreign}>`],
    ['a quoted name with an address', `"${own}" <${foreign}>`],
    ['a comment', `${foreign} (${own})`],
    ['a group', `x: ${own}, ${foreign};`],
    ['nothing between', own + foreign],
    ['foreign, then own', foreign + own],
    ['a template', `\${${foreign}}`],
    ['a list in a text', JSON.stringify([own, foreign])],
    ['an object in a text', JSON.stringify({ own, foreign })],
  ];
}
