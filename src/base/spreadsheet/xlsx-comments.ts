/** The comments of a sheet (ECMA-376-1, 18.7). Excel writes those with answers in this form too. */
import { readXml } from './xlsx-xml.ts';

/** Enough to find words in it. */
const longestComment = 1_000;

/** By row, from 1; several comments of a row are lines of one text. */
export async function readRowComments(xml: AsyncIterable<string>): Promise<Map<number, string>> {
  const comments = new Map<number, string>();
  let row: number | null = null;
  let text = '';
  let isText = false;
  await readXml(xml, {
    open: (name, { ref = '' }) => {
      if (name === 'comment') [row, text] = [toRow(ref), ''];
      if (name === 't') isText = true;
    },
    close: (name) => {
      if (name === 't') isText = false;
      if (name !== 'comment' || row === null) return;
      const known = comments.get(row);
      comments.set(row, (known === undefined ? text : `${known}\n${text}`).slice(0, longestComment));
      row = null;
    },
    text: (piece) => {
      if (isText && row !== null && text.length < longestComment) text += piece.slice(0, longestComment);
    },
  });
  return comments;
}

function toRow(cell: string): number | null {
  const [, number] = /^[A-Z]{1,3}(\d{1,7})$/.exec(cell) ?? [];
  return number === undefined ? null : Number(number);
}
