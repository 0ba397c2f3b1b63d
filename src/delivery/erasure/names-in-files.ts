/** Searches the copy of an edited spreadsheet for people: in all sheets and columns, also those that prospect-sync did not write. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { EditedCopy } from '../files/edited-copies.ts';
import { namesAnyone, type IdentifierTest } from '../../ledger/redaction/identifiers.ts';
import { readZipDirectory, readZipEntry } from '../../base/spreadsheet/zip-reader.ts';

/** Characters of a piece that are searched again with the next one, because an address may lie across the two. */
const overlap = 2_000;

/** Whether a text of the file contains an identifier that passes the test. True also for an Excel file that cannot be read. */
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

/** The XML of a workbook, and the addresses of its links as texts; null: the file cannot be read. */
async function* readParts(path: string): AsyncGenerator<string | null> {
  await using handle = await open(path);
  const entries = await readZipDirectory(handle);
  if (typeof entries === 'string') {
    yield null;
    return;
  }
  for (const entry of entries) {
    const name = entry.name.toString('latin1');
    if (name.endsWith('.xml')) yield* readPieces(await readZipEntry(handle, entry));
    if (!name.endsWith('.rels')) continue;
    for await (const piece of readPieces(await readZipEntry(handle, entry))) yield piece.replaceAll(/[<>]/g, ' ');
  }
}

async function* readPieces(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
}

/** End tags between the runs of a formatted text, which is one text. All other end tags separate texts. */
const withinText: ReadonlySet<string> = new Set(['/t', '/r', '/rPr']);

function toCellTexts(xml: string): string {
  const pieces = xml.split('<').map((piece) => {
    const end = piece.indexOf('>');
    const tag = piece.slice(0, end);
    return `${tag.startsWith('/') && !withinText.has(tag) ? ' ' : ''}${piece.slice(end + 1)}`;
  });
  return pieces.join('');
}
