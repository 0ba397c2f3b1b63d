/** The texts of an Excel file, which cells name by their number. ECMA-376-1, 18.4.8 and 18.4.9. */
import { fileLimits } from './file-limits.ts';
import { readXml } from './xlsx-xml.ts';

/** Of `xl/sharedStrings.xml`, without phonetic hints. @throws what the functions make */
export async function readSharedTexts(
  part: AsyncIterable<string>,
  { tooMany, tooLong }: { readonly tooMany: () => Error; readonly tooLong: () => Error },
): Promise<string[]> {
  const texts: string[] = [];
  const text = createTextCollector(tooLong);
  let characters = 0;
  await readXml(part, {
    open: (name) => {
      if (name === 'si') text.clear();
      else text.open(name);
    },
    close: (name) => {
      if (name !== 'si') return text.close(name);
      texts.push(detached(text.value()));
      characters += text.value().length;
      if (texts.length > fileLimits.sharedTexts || characters > fileLimits.sharedTextCharacters) throw tooMany();
    },
    text: text.add,
  });
  return texts;
}

/** The text of the elements `t` and `v`, formatted runs joined, phonetic hints left out. It never grows beyond that of a cell. */
export function createTextCollector(tooLong: () => Error) {
  let value = '';
  let isText = false;
  let isPhonetic = false;
  return {
    clear: () => {
      value = '';
      isText = isPhonetic = false;
    },
    open: (name: string) => {
      if (name === 'rPh') isPhonetic = true;
      if (name === 't' || name === 'v') isText = !isPhonetic;
    },
    close: (name: string) => {
      if (name === 'rPh') isPhonetic = false;
      if (name === 't' || name === 'v') isText = false;
    },
    add: (text: string) => {
      if (!isText) return;
      value += text;
      if (value.length > fileLimits.xlsxCellCharacters) throw tooLong();
    },
    value: () => value,
  };
}

/** V8 keeps the whole piece of the file that a part of it was cut from; texts are kept for long. */
function detached(text: string): string {
  return text.length < 13 ? text : Buffer.from(text).toString();
}
