/** What the number formats of an Excel file say of a cell's value. ECMA-376-1, 18.8.30. */
import { readAttributes, readXml } from './xlsx-xml.ts';

export interface NumberFormat {
  readonly isDate: boolean;
  /** Of a format of zeros alone, how many: 00042 is 42 in the format 00000. Otherwise 0. */
  readonly digits: number;
}

/** Excel takes no longer code, and no more formats. */
const [longestCode, mostFormats] = [255, 65_536];

/** By the style index of a cell; of `xl/styles.xml`. */
export async function readNumberFormats(styles: AsyncIterable<string>): Promise<NumberFormat[]> {
  const codes = new Map<number, string>();
  const ids: number[] = [];
  let isInCellFormats = false;
  await readXml(styles, {
    open: (name, attributes) => {
      if (name === 'cellXfs') isInCellFormats = true;
      if (name === 'xf' && isInCellFormats && ids.length < mostFormats)
        ids.push(Number(readAttributes(attributes).get('numFmtId')));
      if (name !== 'numFmt' || codes.size === mostFormats) return;
      const format = readAttributes(attributes);
      codes.set(Number(format.get('numFmtId')), (format.get('formatCode') ?? '').slice(0, longestCode));
    },
    close: (name) => {
      if (name === 'cellXfs') isInCellFormats = false;
    },
    text: () => undefined,
  });
  const formats = new Map(Array.from(new Set(ids), (id) => [id, toFormat(id, codes.get(id))] as const));
  return ids.map((id) => formats.get(id) ?? general);
}

const general: NumberFormat = { isDate: false, digits: 0 };

function toFormat(id: number, code: string | undefined): NumberFormat {
  if (code === undefined) return { isDate: isBuiltInDate(id), digits: 0 };
  // Colours and conditions stand in brackets, literal text in quotes.
  const letters = code.replaceAll(/\[[^[\]]*\]/g, '').replaceAll(/"[^"]*"/g, '');
  return { isDate: /[ymdhMsb]/.test(letters), digits: /^0{2,}$/.test(code) ? code.length : 0 };
}

/** Formats that a file need not define; those from 27 on are dates of East Asian versions. */
function isBuiltInDate(id: number): boolean {
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);
}
