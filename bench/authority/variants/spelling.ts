/** Other spellings of a text that a server, a font or a reader may take for the same. */

/** A way and what it makes. */
export type Spelling = readonly [way: string, text: string];

const lookalikes: Readonly<Record<string, string>> = {
  a: '\u0430',
  c: '\u0441',
  e: '\u0435',
  i: '\u0456',
  o: '\u043e',
  p: '\u0440',
  x: '\u0445',
  y: '\u0443',
  A: '\u0391',
  B: '\u0392',
  E: '\u0395',
  H: '\u0397',
  K: '\u039a',
  M: '\u039c',
  O: '\u039f',
  T: '\u03a4',
  S: '\u0405',
  '0': 'O',
  '1': 'l',
  '-': '\u2010',
  '.': '\u2024',
  _: '\u203f',
  '@': '\uff20',
};

const invisible: Readonly<Record<string, string>> = {
  'zero-width space': '\u200b',
  'zero-width joiner': '\u200d',
  'zero-width non-joiner': '\u200c',
  'word joiner': '\u2060',
  'byte order mark': '\ufeff',
  'soft hyphen': '\u00ad',
  'right-to-left override': '\u202e',
  'left-to-right mark': '\u200e',
  'variation selector': '\ufe0f',
  'tag letter': '\u{e0061}',
  'combining grapheme joiner': '\u034f',
  'hangul filler': '\u3164',
};

const blanks: Readonly<Record<string, string>> = {
  blank: ' ',
  tab: '\t',
  'line feed': '\n',
  'carriage return': '\r',
  'no-break space': '\u00a0',
  'ideographic space': '\u3000',
  NUL: '\u0000',
  'line separator': '\u2028',
  delete: '\u007f',
};

/** Every spelling that differs from the text. */
export function spellings(text: string): readonly Spelling[] {
  const middle = Math.ceil(text.length / 2);
  const within = (what: string): string => text.slice(0, middle) + what + text.slice(middle);
  const all: readonly Spelling[] = [
    ['as it is', text],
    ['upper case', text.toUpperCase()],
    ['lower case', text.toLowerCase()],
    ['swapped case', swapped(text)],
    ['first letter up', text.slice(0, 1).toUpperCase() + text.slice(1)],
    ['full width', text.replaceAll(/[!-~]/gu, (each) => String.fromCodePoint(each.charCodeAt(0) + 0xfee0))],
    ['full width, one letter', widened(text)],
    [
      'mathematical letters',
      text.replaceAll(/[a-z]/gu, (each) => String.fromCodePoint(0x1d41a + each.charCodeAt(0) - 97)),
    ],
    ['lookalikes', replaced(text, () => true)],
    ['one lookalike', replaced(text, (index) => index === 0)],
    ['dotless and long letters', text.replaceAll('i', '\u0131').replaceAll('s', '\u017f')],
    ['kelvin sign', text.replaceAll(/k/giu, '\u212a')],
    ['ligature', text.replaceAll('fi', '\ufb01').replaceAll('ff', '\ufb00')],
    ['a combining mark', within('\u0301')],
    ['a trailing combining mark', `${text}\u0301`],
    ['decomposed', text.replaceAll(/[aeiou]/gu, (each) => `${each}\u0308`)],
    ['decomposed, of a composed letter', `${text}\u00e9`.normalize('NFD')],
    ['lone surrogate', within('\ud800')],
    ['html entity', text.replaceAll(/[aeo1]/gu, (each) => `&#${each.charCodeAt(0)};`)],
    ['percent encoded', percented(text)],
    ['backslash escaped', `\\u00${text.charCodeAt(0).toString(16).padStart(2, '0')}${text.slice(1)}`],
    ['quoted', `"${text}"`],
    ['single quoted', `'${text}'`],
    ['doubled', `${text}${text}`],
    ...Object.entries(invisible).map(([name, mark]): Spelling => [`${name} within`, within(mark)]),
    ...Object.entries(invisible).map(([name, mark]): Spelling => [`${name} in front`, mark + text]),
    ...Object.entries(blanks).flatMap(([name, blank]): readonly Spelling[] => [
      [`${name} in front`, blank + text],
      [`${name} behind`, text + blank],
    ]),
  ];
  return all.filter(([way, made]) => way === 'as it is' || made !== text);
}

function swapped(text: string): string {
  return Array.from(text)
    .map((each) => (each === each.toUpperCase() ? each.toLowerCase() : each.toUpperCase()))
    .join('');
}

function widened(text: string): string {
  return text.replace(/[A-Za-z0-9]/u, (each) => String.fromCodePoint(each.charCodeAt(0) + 0xfee0));
}

function percented(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

function replaced(text: string, which: (index: number) => boolean): string {
  let index = -1;
  return Array.from(text)
    .map((each) => {
      const other = lookalikes[each];
      if (other === undefined) return each;
      index += 1;
      return which(index) ? other : each;
    })
    .join('');
}
