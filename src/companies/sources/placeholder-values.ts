/** Texts that programs and people write where a value is missing. They are no name, address, place or id of a company. */
import { words } from '../../base/text/words.ts';

/** Errors of Excel in English and German. */
const spreadsheetErrors: ReadonlySet<string> = new Set(
  words(
    '#n/a #value! #ref! #name? #div/0! #num! #null! #spill! #calc! #getting_data #connect! #blocked! #unknown! #field! #busy!',
    '#nv #wert! #bezug! #zahl! #überlauf! #kalk! #daten_abrufen #verbinden! #blockiert! #unbekannt! #feld! #beschäftigt!',
  ),
);

/** `0` is the result of a look-up in Excel that finds an empty cell. `na` is missing here: it is the code of Namibia. */
const emptyWords: ReadonlySet<string> = new Set(
  words('- -- --- – — 0 n/a n.a. n.a k/a k.a. k.a n/v n.v. n.v null (null) undefined'),
);

const longestWord = 40;

export function isPlaceholder(text: string): boolean {
  return isSpreadsheetError(text) || emptyWords.has(toWord(text));
}

/** Also `####`, which Excel shows in a column that is too narrow, and `Err:502` of LibreOffice. */
export function isSpreadsheetError(text: string): boolean {
  const word = toWord(text);
  return spreadsheetErrors.has(word) || /^(?:#{2,40}|err:\d{3})$/.test(word);
}

function toWord(text: string): string {
  return text.length > longestWord ? '' : text.toLowerCase().replaceAll(/\s/g, '');
}
