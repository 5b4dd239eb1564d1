/** Other spellings of a number, as text of JSON. */

/** A way and the text. */
export type Numeral = readonly [way: string, text: string];

/** Spellings that some reader takes for the same number. */
export function numerals(value: number): readonly Numeral[] {
  return [...sameNumber(value), ...looseNumber(value)];
}

/** Spellings that are the same number in JSON. */
export function sameNumber(value: number): readonly Numeral[] {
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const plain = String(value);
  return [
    ['as it is', plain],
    ['exponent', `${digits}e${exponent.replace('+', '')}`],
    ['exponent, capital', `${digits}E${exponent}`],
    ...(plain.includes('.') || plain.includes('e')
      ? ([['trailing zero', plain.includes('e') ? plain : `${plain}0`]] as const)
      : ([
          ['fraction', `${plain}.0`],
          ['long fraction', `${plain}.000`],
          ['exponent of nothing', `${plain}e0`],
          ['shifted', `${plain}0e-1`],
        ] as const)),
  ];
}

function looseNumber(value: number): readonly Numeral[] {
  return [
    ['as a text', `"${value}"`],
    ['as a text with blanks', `" ${value} "`],
    ['as a text with a fraction', `"${value}.0"`],
    ['as a text with zeros', `"00${value}"`],
    ['as a hexadecimal text', `"0x${value.toString(16)}"`],
    [
      'as a full width text',
      `"${Array.from(String(value), (each) => String.fromCodePoint((each.codePointAt(0) ?? 0) + 0xfee0)).join('')}"`,
    ],
    ['in a list', `[${value}]`],
    ['almost', `${value}.00000000000000000001`],
    ['beyond what a double holds', `${value}00000000000000000001`],
    ['with a plus', `+${value}`],
    ['with a leading zero', `0${value}`],
    ['too large', '1e999'],
  ];
}
