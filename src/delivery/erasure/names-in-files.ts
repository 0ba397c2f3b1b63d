/** Searches a spreadsheet that somebody has edited for people: in every sheet, column and remark, not only where prospect-sync wrote. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { namesAnyone, type IdentifierTest } from '../../ledger/redaction/identifiers.ts';
import { readZipDirectory, readZipEntry } from '../../base/spreadsheet/zip-reader.ts';

export interface EditedCopy {
  readonly path: string;
  readonly kind: 'csv' | 'xlsx';
}

/** Characters of a piece that are searched again with the next one, because an address may lie across the two. */
const overlap = 2_000;

/** Whether a text of the file names somebody who passes the test. A file that is no workbook may. */
export async function fileNames(copy: EditedCopy, test: IdentifierTest): Promise<boolean> {
  let rest = '';
  for await (const piece of copy.kind === 'csv' ? readPieces(createReadStream(copy.path)) : readParts(copy.path)) {
    if (piece === null) return true;
    const text = rest + piece;
    if (namesAnyone(copy.kind === 'csv' ? text : toCellTexts(text), test)) return true;
    rest = text.slice(-overlap);
  }
  return false;
}

/** The XML of a workbook; null: it is none. */
async function* readParts(path: string): AsyncGenerator<string | null> {
  await using handle = await open(path);
  const entries = await readZipDirectory(handle);
  if (typeof entries === 'string') {
    yield null;
    return;
  }
  for (const entry of entries)
    if (entry.name.toString('latin1').endsWith('.xml')) yield* readPieces(await readZipEntry(handle, entry));
}

async function* readPieces(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
}

/** Ends of runs of a formatted text, which are one text: all other ends separate texts. */
const withinText: ReadonlySet<string> = new Set(['/t', '/r', '/rPr']);

function toCellTexts(xml: string): string {
  const pieces = xml.split('<').map((piece) => {
    const end = piece.indexOf('>');
    const tag = piece.slice(0, end);
    return `${tag.startsWith('/') && !withinText.has(tag) ? ' ' : ''}${piece.slice(end + 1)}`;
  });
  return pieces.join('');
}
