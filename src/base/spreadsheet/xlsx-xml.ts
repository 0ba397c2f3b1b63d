/** Reads the XML of an Excel file piece by piece. No more of it is in memory than one piece and one element's own text. */
import { SaxesParser } from 'saxes';

/** By name, the name with its prefix. */
export type XmlAttributes = Readonly<Record<string, string>>;

/** Names of elements come without a namespace prefix. */
export interface XmlHandler {
  open(name: string, attributes: XmlAttributes): void;
  close(name: string): void;
  text(text: string): void;
}

/** Above the longest text of a cell with each character written as `&#x10FFFF;`. */
const longestToken = 400_000;

/** `tooLong`: a text or an element is longer than any that an Excel file may have. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
  readonly kind: 'malformed' | 'tooLong';

  constructor(kind: 'malformed' | 'tooLong') {
    super(`the XML is ${kind}`);
    this.kind = kind;
  }
}

/** @throws XmlError; whatever the handler throws */
export async function readXml(pieces: AsyncIterable<string>, handler: XmlHandler): Promise<void> {
  for await (const _ of scanXml(pieces, handler));
}

/** Gives control back after each piece, when the handler has seen it. */
export async function* scanXml(pieces: AsyncIterable<string>, handler: XmlHandler): AsyncGenerator<void> {
  const parser = new SaxesParser();
  // Characters since the last element or text has ended: the parser keeps them, without a limit of its own.
  let kept = 0;
  const text = (value: string) => {
    kept = 0;
    handler.text(value);
  };
  parser.on('opentag', ({ name, attributes }) => {
    kept = 0;
    handler.open(localName(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    kept = 0;
    handler.close(localName(name));
  });
  parser.on('text', text);
  parser.on('cdata', text);
  parser.on('doctype', refuse);
  parser.on('error', refuse);
  for await (const piece of pieces) {
    kept += piece.length;
    parser.write(piece);
    if (kept > longestToken) throw new XmlError('tooLong');
    yield;
  }
  parser.close();
}

/** A document type can define entities that grow without a limit; no Excel file has one (ECMA-376-2, 8.1.1). */
function refuse(): never {
  throw new XmlError('malformed');
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
