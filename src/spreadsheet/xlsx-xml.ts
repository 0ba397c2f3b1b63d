/** Reads the XML of an Excel file piece by piece. No more of it is in memory than one piece and one element's own text. */

/** Names come without a namespace prefix, attributes as they are written. */
export interface XmlHandler {
  open(name: string, attributes: string): void;
  close(name: string): void;
  /** Decoded. One text may come in several calls. */
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
  let rest = '';
  let depth = 0;
  for await (const piece of pieces) {
    const xml = rest + piece;
    let at = 0;
    for (let end = endOfToken(xml, at); end !== -1; end = endOfToken(xml, at)) {
      depth += handleToken(xml, at, end, handler);
      if (depth < 0) throw new XmlError('malformed');
      at = end;
    }
    rest = xml.slice(at);
    if (rest.length > longestToken) throw new XmlError('tooLong');
    yield;
  }
  if (depth !== 0 || rest.trim() !== '') throw new XmlError('malformed');
}

/** Index after the tag, comment or text that begins at `at`; -1 where its end is not there yet. */
function endOfToken(xml: string, at: number): number {
  if (at === xml.length) return -1;
  if (xml[at] !== '<') return xml.indexOf('<', at);
  if (xml[at + 1] === '!') return endOfMarkup(xml, at);
  if (xml[at + 1] === '?') return after(xml, '?>', at);
  tagEnd.lastIndex = at;
  return tagEnd.test(xml) ? tagEnd.lastIndex : -1;
}

/** Values of attributes may hold a `>`. */
const tagEnd = /[^>"']*(?:"[^"]*"[^>"']*|'[^']*'[^>"']*)*>/y;

function endOfMarkup(xml: string, at: number): number {
  if (xml.startsWith('<!--', at)) return after(xml, '-->', at + 4);
  if (xml.startsWith(cdata, at)) return after(xml, ']]>', at);
  if (xml.length - at < cdata.length) return -1;
  // A document type can define entities that grow without a limit; no Excel file has one (ECMA-376-2, 8.1.1).
  throw new XmlError('malformed');
}

const cdata = '<![CDATA[';

function after(xml: string, mark: string, from: number): number {
  const at = xml.indexOf(mark, from);
  return at === -1 ? -1 : at + mark.length;
}

/** @returns by how much the elements that are open grow */
function handleToken(xml: string, at: number, end: number, handler: XmlHandler): number {
  if (xml[at] !== '<') {
    handler.text(decodeEntities(xml.slice(at, end)));
    return 0;
  }
  if (xml[at + 1] === '!' || xml[at + 1] === '?') {
    if (xml.startsWith(cdata, at)) handler.text(xml.slice(at + cdata.length, end - 3));
    return 0;
  }
  if (xml[at + 1] === '/') {
    handler.close(localName(xml.slice(at + 2, end - 1).trimEnd()));
    return -1;
  }
  const isEmpty = xml[end - 2] === '/';
  const tag = xml.slice(at + 1, end - (isEmpty ? 2 : 1));
  const blank = tag.search(/\s/);
  const name = localName(blank === -1 ? tag : tag.slice(0, blank));
  handler.open(name, blank === -1 ? '' : tag.slice(blank));
  if (!isEmpty) return 1;
  handler.close(name);
  return 0;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Unusual ways to write attributes: single quotes, other white space than one blank, white space around the equals sign. */
const unusual = /['\t\n\r]| [ =]|= /;

/** The value of one attribute. Much faster than `readAttributes`, which counts with three million cells. */
export function readAttribute(attributes: string, name: string): string | undefined {
  if (unusual.test(attributes)) return readAttributes(attributes).get(name);
  const at = attributes.indexOf(` ${name}="`);
  if (at === -1) return undefined;
  const start = at + name.length + 3;
  return decodeEntities(attributes.slice(start, attributes.indexOf('"', start)));
}

/** Values by name, the name with its prefix. */
export function readAttributes(attributes: string): Map<string, string> {
  const pairs = attributes.matchAll(/(?<![^\s])([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g);
  return new Map(
    Array.from(pairs, ([, name = '', double, single]) => [name, decodeEntities(double ?? single ?? '')] as const),
  );
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeEntities(encoded: string): string {
  if (!encoded.includes('&')) return encoded;
  return encoded.replaceAll(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi,
    (whole, decimal, hexadecimal, name) => {
      if (name !== undefined) return Object.hasOwn(entities, name) ? (entities[name] ?? whole) : whole;
      const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
