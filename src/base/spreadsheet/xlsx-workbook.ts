/**
 * The small parts of an Excel file: its sheets in the order of their tabs (ECMA-376-1, 18.2.19, 18.2.20, 18.2.28), number formats
 * (18.8.30), fonts (18.8.22) and shared texts (18.4.8, 18.4.9).
 */
import { readElements, type Relationship } from './xlsx-relationships.ts';
import { readXml, type XmlAttributes } from './xlsx-xml.ts';
import { fileLimits } from './file-limits.ts';
import { generalFormat, toNumberFormat, type NumberFormat } from './number-format.ts';

export interface SheetName {
  readonly name: string;
  readonly isHidden: boolean;
  /** Name of its part of the zip file, for example `xl/worksheets/sheet3.xml`. */
  readonly part: string;
}

export interface Workbook {
  /** Worksheets only, no charts. */
  readonly sheets: readonly SheetName[];
  /** Dates count from 1904, as in files of old versions for the Mac. */
  readonly isFrom1904: boolean;
}

export async function readWorkbook(
  workbook: AsyncIterable<string>,
  relationships: readonly Relationship[],
): Promise<Workbook> {
  const targets = new Map(relationships.map((relationship) => [relationship.id, relationship] as const));
  const sheets: SheetName[] = [];
  let isFrom1904 = false;
  for (const [name, attributes] of await readElements(workbook, ['workbookPr', 'sheet'])) {
    if (name === 'workbookPr') isFrom1904 = ['1', 'true'].includes(attributes['date1904'] ?? '');
    if (name === 'sheet') sheets.push(...toSheet(attributes, targets));
  }
  return { sheets, isFrom1904 };
}

function toSheet(attributes: XmlAttributes, targets: ReadonlyMap<string, Relationship>): SheetName[] {
  const id = Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1] ?? '';
  const target = targets.get(id);
  const name = attributes['name'];
  if (target?.type !== 'worksheet' || name === undefined) return [];
  return [{ name, isHidden: (attributes['state'] ?? 'visible') !== 'visible', part: target.part }];
}

/** Limits of Excel for the length of a format code and the number of formats. */
const [longestCode, mostFormats] = [255, 65_536];

export interface CellStyle {
  readonly format: NumberFormat;
  /** The text is struck through. */
  readonly isStruck: boolean;
}

export const plainStyle: CellStyle = { format: generalFormat, isStruck: false };

/** By the style index of a cell, from `xl/styles.xml`. */
export async function readCellStyles(styles: AsyncIterable<string>): Promise<CellStyle[]> {
  const codes = new Map<number, string>();
  const found: { readonly format: number; readonly font: number }[] = [];
  const struckFonts = new Set<number>();
  let fonts = 0;
  // Fonts and formats stand in other lists too, as those of conditions.
  let list = '';
  await readXml(styles, {
    open: (name, attributes) => {
      if (name === 'cellXfs' || name === 'fonts') list = name;
      if (name === 'xf' && list === 'cellXfs' && found.length < mostFormats)
        found.push({ format: Number(attributes['numFmtId']), font: Number(attributes['fontId']) });
      if (name === 'font' && list === 'fonts') fonts += 1;
      if (name === 'strike' && list === 'fonts' && fonts <= mostFormats && isOn(attributes)) struckFonts.add(fonts - 1);
      if (name !== 'numFmt' || codes.size === mostFormats) return;
      codes.set(Number(attributes['numFmtId']), (attributes['formatCode'] ?? '').slice(0, longestCode));
    },
    close: (name) => {
      if (name === list) list = '';
    },
    text: () => undefined,
  });
  const ids = new Set(found.map(({ format }) => format));
  const formats = new Map(Array.from(ids, (id) => [id, toNumberFormat(id, codes.get(id))] as const));
  return found.map(({ format, font }) => ({
    format: formats.get(format) ?? generalFormat,
    isStruck: struckFonts.has(font),
  }));
}

/** A mark of a font without a value is on. */
function isOn({ val = '1' }: XmlAttributes): boolean {
  return ['1', 'true', 'on'].includes(val);
}

/** Texts of `xl/sharedStrings.xml`, without phonetic hints. @throws the errors of the given functions */
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
      texts.push(copyText(text.value()));
      characters += text.value().length;
      if (texts.length > fileLimits.sharedTexts || characters > fileLimits.sharedTextCharacters) throw tooMany();
    },
    text: text.add,
  });
  return texts;
}

/** Collects the text of the elements `t` and `v`: joins formatted runs, skips phonetic hints. Limited to the text of one cell. */
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

/** V8 keeps a whole chunk of the file in memory as long as a substring of it is in use. */
function copyText(text: string): string {
  return text.length < 13 ? text : Buffer.from(text).toString();
}
