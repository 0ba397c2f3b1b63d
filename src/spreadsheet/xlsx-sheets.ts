/** The sheets of an Excel file, in the order of their tabs. Parts and names: ECMA-376-1, 18.2.19 and 18.2.20. */
import { open, type FileHandle } from 'node:fs/promises';
import { inflateRawSync } from 'node:zlib';
import { readAt, readZipDirectory, type ZipEntry } from './zip-directory.ts';

export interface SheetName {
  readonly name: string;
  readonly isHidden: boolean;
  /** Number in the name of its part, `xl/worksheets/sheet3.xml`: it need not follow the order of the tabs. */
  readonly part: string;
}

const localHeader = { bytes: 30, nameLength: 26, extraLength: 28 };

/** Far above any list of sheets; an entry that claims more is not unpacked. */
const largestPart = 16_000_000;

/** Worksheets only, no charts; empty where the file lists them in another way, as one of over 4 GB does. */
export async function readSheetNames(path: string): Promise<SheetName[]> {
  await using handle = await open(path);
  const entries = await readZipDirectory(handle);
  if (!Array.isArray(entries)) return [];
  const workbook = await readPart(handle, entries, 'xl/workbook.xml');
  const relationships = await readPart(handle, entries, 'xl/_rels/workbook.xml.rels');
  const targets = new Map(
    elementsOf(relationships, 'Relationship').map((element) => [element.get('Id'), element.get('Target') ?? '']),
  );
  return elementsOf(workbook, 'sheet').flatMap((element) => {
    const id = [...element].find(([name]) => name.endsWith(':id'))?.[1];
    const part = /(?:^|\/)worksheets\/sheet(\d+)\.xml$/.exec(targets.get(id) ?? '')?.[1];
    const name = element.get('name');
    if (part === undefined || name === undefined) return [];
    return [{ name, isHidden: (element.get('state') ?? 'visible') !== 'visible', part }];
  });
}

async function readPart(handle: FileHandle, entries: readonly ZipEntry[], name: string): Promise<string> {
  const entry = entries.find((each) => each.name.toString('utf8') === name);
  if (entry === undefined || entry.size > largestPart) return '';
  const head = await readAt(handle, entry.local, entry.local + localHeader.bytes);
  const lengths = head.readUInt16LE(localHeader.nameLength) + head.readUInt16LE(localHeader.extraLength);
  const start = entry.local + localHeader.bytes + lengths;
  const packed = await readAt(handle, start, start + entry.packed);
  const bytes = entry.method === 0 ? packed : inflateRawSync(packed, { maxOutputLength: largestPart });
  return bytes.toString('utf8');
}

/** The attributes of each element of that name, whatever its namespace prefix. */
function elementsOf(xml: string, name: string): Map<string, string>[] {
  const tag = new RegExp(`<(?:[A-Za-z_][\\w.-]*:)?${name}((?:\\s+[\\w:.-]+\\s*=\\s*(?:"[^"]*"|'[^']*'))*)\\s*/?>`, 'g');
  const attribute = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
  return [...xml.matchAll(tag)].map(
    ([, attributes = '']) =>
      new Map(
        [...attributes.matchAll(attribute)].map(([, key = '', double, single]) => [
          key,
          decodeEntities(double ?? single ?? ''),
        ]),
      ),
  );
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hexadecimal, name) => {
    if (name !== undefined) return entities[String(name).toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
