/** Numbers as everyone writes them. A person may mean 1000 by `1.000`. */
const plainNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const groupedNumber = /^(-?[1-9]\d{0,2})[.,](\d{3})$/;
/** `1.234,5`, `12,5`, `1 000`: signs between thousands, or another one before decimals. */
const foreignNumber = /^(-?\d{1,3}(?:([., '’])\d{3}(?:\2\d{3})*)?|-?\d+)(?:[.,](\d+))?$/;

/** What to write instead; null: everyone reads the same number. */
export function findNumberRemedy(text: string): string | null {
  const [, whole = '', thousand = ''] = groupedNumber.exec(text) ?? [];
  if (whole !== '') {
    const fraction = String(Number(`0.${thousand}`)).slice(2);
    // `1.125` itself stays unclear.
    const meant = fraction === '' ? whole : `${whole}.${fraction.length === 3 ? `${fraction}0` : fraction}`;
    return `Write ${whole}${thousand}, or ${meant} if that was meant`;
  }
  if (plainNumber.test(text)) return null;
  const [, digits = '', sign, decimals] = foreignNumber.exec(text) ?? [];
  if (sign === undefined && decimals === undefined) return 'Write the number in decimal digits';
  const number = digits.replaceAll(/[^\d-]/g, '');
  return `Write ${decimals === undefined ? number : `${number}.${decimals}`}`;
}
