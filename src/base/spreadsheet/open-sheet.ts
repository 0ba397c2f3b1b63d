/** Finds the sheet of an Excel file, and reads its rows with blank ones. */
import { open, type FileHandle } from 'node:fs/promises';
import { types } from 'node:util';
import { overLimit, SpreadsheetError, toSpreadsheetError } from './spreadsheet-error.ts';
import { fileLimits, formatLimit } from './file-limits.ts';
import { createRefusal, toNameList, type Refuse } from './table.ts';
import { readWorkbook, type SheetName, readCellStyles, readSharedTexts } from './xlsx-workbook.ts';
import { readRowComments } from './xlsx-comments.ts';
import { describeForeignFile } from './foreign-file.ts';
import { readRelationships, relationshipsOf } from './xlsx-relationships.ts';
import { readSheetRows, type SheetPart } from './xlsx-worksheet.ts';
import { XmlError } from './xlsx-xml.ts';
import { isWholeZip, readZipEntry, findZipEntry, readZipDirectory, type ZipEntry } from './zip-reader.ts';

interface SheetRows extends SheetPart {
  /** By row. */
  readonly comments: ReadonlyMap<number, string>;
  readonly name: string;
  /** Names of the other sheets of the file. */
  readonly others: readonly string[];
}

/** `sheet`: its name; otherwise the first visible one is read. @throws SpreadsheetError */
export async function* readSheet(
  path: string,
  sheet: string | undefined,
  texts: 'with texts' | 'without texts',
): AsyncGenerator<SheetRows> {
  const refuse = createRefusal(path);
  try {
    await using handle = await open(path);
    yield* readOpenSheet({ handle, refuse }, sheet, texts);
  } catch (error) {
    throw toReadError(error, path, refuse);
  }
}

function toReadError(error: unknown, path: string, refuse: Refuse): SpreadsheetError {
  if (error instanceof SpreadsheetError) return error;
  if (types.isNativeError(error) && 'syscall' in error) return toSpreadsheetError(error, path, 'reading');
  if (error instanceof XmlError && error.kind === 'tooLong') return refuse(longText, { code: overLimit });
  return refuse(damaged);
}

const longText = 'it has a text or a list of sheets that is longer than Excel takes';
const damaged = 'it is no Excel file (.xlsx), or a damaged one';

interface OpenFile {
  readonly handle: FileHandle;
  readonly refuse: Refuse;
}

async function* readOpenSheet(
  { handle, refuse }: OpenFile,
  sheet: string | undefined,
  texts: 'with texts' | 'without texts',
): AsyncGenerator<SheetRows> {
  const entries = await readZipDirectory(handle);
  if (entries === 'zip64')
    throw refuse('it has the zip64 form, which is not read; open it in Excel or LibreOffice and save it again', {
      code: overLimit,
    });
  if (entries === 'broken') throw refuse((await describeForeignFile(handle)) ?? damaged);
  assertWithinLimits(entries, refuse);
  if (!(await isWholeZip(handle, entries))) throw refuse(damaged);
  const findPart = (name: string, mostBytes: number) => {
    const entry = findZipEntry(entries, name);
    if (entry === undefined) throw refuse(damaged);
    if (entry.size > mostBytes) throw tooLargePart(entry, refuse);
    return entry;
  };
  const readPart = async (name: string, mostBytes = Infinity) =>
    (await readZipEntry(handle, findPart(name, mostBytes))).setEncoding('utf8');
  const readSmallPart = (name: string) => readPart(name, fileLimits.smallPartBytes);
  const relationsOf = async (part: string) => readRelationships(await readSmallPart(relationshipsOf(part)), part);
  const workbook = (await relationsOf('')).find(({ type }) => type === 'officeDocument')?.part ?? '';
  const relationships = await relationsOf(workbook);
  const partOf = (wantedType: string) => relationships.find(({ type }) => type === wantedType)?.part;
  const { sheets, isFrom1904 } = await readWorkbook(await readSmallPart(workbook), relationships);
  const wanted = selectSheet(sheet, sheets, refuse);
  const [stylesPart, textsPart] = [partOf('styles'), partOf('sharedStrings')];
  const styles = stylesPart === undefined ? [] : await readCellStyles(await readSmallPart(stylesPart));
  const faults = {
    tooMany: () => refuse(manyTexts, { code: overLimit }),
    tooLong: () => refuse(longText, { code: overLimit }),
  };
  // Found also where the texts are not needed, so that every reader refuses a file beyond the limit.
  if (textsPart !== undefined) findPart(textsPart, fileLimits.sharedTextBytes);
  const readTexts = async (name: string) => readSharedTexts(await readPart(name), faults);
  const shared = texts === 'without texts' ? null : textsPart === undefined ? [] : await readTexts(textsPart);
  if (wanted === null) throw refuse(damaged);
  const others = sheets.filter((each) => each !== wanted).map(({ name }) => name);
  // A file names the comments of a sheet only where the sheet has some.
  const isPresent = (name: string | undefined): name is string =>
    name !== undefined && findZipEntry(entries, name) !== undefined;
  const relations = isPresent(relationshipsOf(wanted.part)) ? await relationsOf(wanted.part) : [];
  const commentsPart = relations.find(({ type }) => type === 'comments')?.part;
  const comments = isPresent(commentsPart)
    ? await readRowComments(await readSmallPart(commentsPart))
    : new Map<number, string>();
  const part = await readPart(wanted.part);
  const refuseRow = (problem: string, line: number) => refuse(problem, { line, code: overLimit });
  for await (const sheetPart of readSheetRows(part, { texts: shared, styles, isFrom1904, refuse: refuseRow }))
    yield { name: wanted.name, others, comments, ...sheetPart };
}

const manyTexts = `it has more than ${formatLimit(fileLimits.sharedTexts)} different texts, or ${formatLimit(fileLimits.sharedTextCharacters)} characters in them; save it as "CSV UTF-8"`;

function toMegabytes(bytes: number): string {
  return formatLimit(Math.ceil(bytes / 1e6));
}

function tooLargePart({ name, size }: ZipEntry, refuse: Refuse): Error {
  return refuse(`its part ${name.toString('utf8')} is too large unpacked: ${toMegabytes(size)} MB`, {
    code: overLimit,
  });
}

/** Checks the sizes of the directory; `isWholeZip` checks that the parts have these sizes. */
function assertWithinLimits(entries: readonly ZipEntry[], refuse: Refuse): void {
  const unpacked = entries.reduce((sum, { size }) => sum + size, 0);
  if (unpacked > fileLimits.unpackedBytes)
    throw refuse(
      `it is ${toMegabytes(unpacked)} MB large unpacked, and at most ${toMegabytes(fileLimits.unpackedBytes)} MB are read; save it as "CSV UTF-8"`,
      { code: overLimit },
    );
}

/** null when the file does not list its sheets. */
function selectSheet(name: string | undefined, sheets: readonly SheetName[], refuse: Refuse): SheetName | null {
  if (name === undefined) return sheets.find(({ isHidden }) => !isHidden) ?? sheets[0] ?? null;
  const found = sheets.find((each) => each.name === name) ?? sheets.find((each) => isSameName(each.name, name));
  if (found !== undefined) return found;
  const known = toNameList(sheets.map((each) => each.name));
  const hint = /^\d+$/.test(name) ? '. Write the name of a sheet, not its number' : '';
  throw refuse(`it has no sheet ${JSON.stringify(name)}; its sheets are ${known || 'not known'}${hint}`);
}

/** Names of sheets that differ only in letter case are the same name in Excel. */
function isSameName(left: string, right: string): boolean {
  return left.trim().toLowerCase() === right.trim().toLowerCase();
}
