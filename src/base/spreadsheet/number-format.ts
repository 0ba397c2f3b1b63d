/** Number formats of Excel files (ECMA-376-1, 18.8.30 and 18.8.31): how a cell shows the number that it stores. */

export interface NumberFormat {
  readonly isDate: boolean;
  /** Number of zeros in a format of zeros, with or without a text before them: 42 is shown as 00042 in the format 00000. Otherwise 0. */
  readonly digits: number;
  /** The text before the zeros: `KD-` in the format "KD-"00000. */
  readonly prefix: string;
  /** How the format shows a number; null: always in another form, such as 50 % for 0.5. */
  readonly plain: PlainForm | null;
}

interface PlainForm {
  /** Thousands are separated. */
  readonly isGrouped: boolean;
  /** The fewest digits before the decimal point. */
  readonly digits: number;
  readonly decimals: { readonly least: number; readonly most: number };
}

const anyNumber: PlainForm = { isGrouped: false, digits: 0, decimals: { least: 0, most: Infinity } };

export const generalFormat: NumberFormat = { isDate: false, digits: 0, prefix: '', plain: anyNumber };

/** Formats that files do not define, by their ids. Those of currencies depend on the language of Excel. */
const builtInCodes: Readonly<Record<number, string>> = {
  0: 'General',
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '$#,##0',
  6: '$#,##0',
  7: '$#,##0.00',
  8: '$#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  37: '#,##0',
  38: '#,##0',
  39: '#,##0.00',
  40: '#,##0.00',
  41: '#,##0',
  42: '$#,##0',
  43: '#,##0.00',
  44: '$#,##0.00',
  48: '##0.0E+0',
  49: '@',
};

/** `code`: undefined for a format that the file does not define. */
export function toNumberFormat(id: number, code = builtInCodes[id]): NumberFormat {
  if (code === undefined) return { ...generalFormat, isDate: isBuiltInDate(id) };
  // Colours and conditions are in brackets, literal text is in quotes or has a backslash before each letter.
  const letters = code
    .replaceAll(/\[[^[\]]*\]/g, '')
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\\./g, '');
  const [, quoted = '', escaped = '', zeros = ''] = /^(?:"([^"]+)"|((?:\\[^\d"]|-)+))?(0+)$/.exec(code) ?? [];
  const prefix = quoted + escaped.replaceAll('\\', '');
  const isPadded = zeros.length > 1 || (zeros !== '' && prefix !== '');
  return {
    isDate: /[ymdhMsb]/.test(letters),
    digits: isPadded ? zeros.length : 0,
    prefix,
    plain: toPlainForm(code),
  };
}

/** Formats from 27 on are dates of East Asian versions. */
function isBuiltInDate(id: number): boolean {
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);
}

/** The first section is that of positive numbers. A sign or a word in it makes another form. */
function toPlainForm(code: string): PlainForm | null {
  // Colours, conditions and languages, and spaces that align numbers, are no part of the text; a currency in brackets is.
  const section = firstSection(code)
    .replaceAll(/\[(?!\$[^-\]])[^[\]]*\]/g, '')
    .replaceAll(/[_*]./g, '')
    .trim();
  if (code === '' || /^(?:general|@)$/i.test(section)) return anyNumber;
  const [, whole, fixed = '', free = ''] = /^([0#?,]*[0#?])(?:\.(0*)([#?]*))?$/.exec(section) ?? [];
  if (whole === undefined) return null;
  return {
    isGrouped: whole.includes(','),
    digits: whole.replaceAll(/[^0]/g, '').length,
    decimals: { least: fixed.length, most: fixed.length + free.length },
  };
}

/** A semicolon in quotes separates nothing. */
function firstSection(code: string): string {
  return /^(?:"[^"]*"|\\.|[^;"\\])*/.exec(code)?.[0] ?? '';
}

/** Whether the text that people see is the number with its digits, in the order in which it is stored. */
export function isShownAsStored(number: number, { plain }: NumberFormat): boolean {
  if (plain === null) return false;
  const [whole = '', decimals = ''] = String(Math.abs(number)).split('.');
  return (
    whole.length >= plain.digits &&
    !(plain.isGrouped && whole.length > 3) &&
    decimals.length >= plain.decimals.least &&
    decimals.length <= plain.decimals.most
  );
}
