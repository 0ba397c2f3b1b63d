/** The sheets of an Excel file, in the order of their tabs. Parts and names: ECMA-376-1, 18.2.19 and 18.2.20. */
import type { FileHandle } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { readZipEntry } from './zip-check.ts';
import { findZipEntry, type ZipEntry } from './zip-directory.ts';

export interface SheetName {
  readonly name: string;
  readonly isHidden: boolean;
  /** Name of its part of the zip file, `xl/worksheets/sheet3.xml`: the number need not follow the order of the tabs. */
  readonly part: string;
}

/** Far above any list of sheets; an entry that claims more is not unpacked. */
const largestPart = 16_000_000;

/** Worksheets only, no charts; empty where the file lists them in another way than Excel does. */
export async function readSheetNames(handle: FileHandle, entries: readonly ZipEntry[]): Promise<SheetName[]> {
  const workbook = await readPart(handle, entries, 'xl/workbook.xml');
  const relationships = await readPart(handle, entries, 'xl/_rels/workbook.xml.rels');
  const targets = new Map(
    elementsOf(relationships, 'Relationship').map((element) => [element.get('Id'), element.get('Target') ?? '']),
  );
  return elementsOf(workbook, 'sheet').flatMap((element) => {
    const id = [...element].find(([name]) => name.endsWith(':id'))?.[1];
    const target = targets.get(id) ?? '';
    const name = element.get('name');
    if (!target.includes('worksheets/') || name === undefined) return [];
    // From the folder of the workbook, or from the root.
    const part = target.startsWith('/') ? target.slice(1) : `xl/${target}`;
    return [{ name, isHidden: (element.get('state') ?? 'visible') !== 'visible', part }];
  });
}

async function readPart(handle: FileHandle, entries: readonly ZipEntry[], name: string): Promise<string> {
  const entry = findZipEntry(entries, name);
  return entry === undefined || entry.size > largestPart ? '' : text(await readZipEntry(handle, entry));
}

/** The name of an element, whatever the prefix of its namespace. */
const elementName = /^(?:[A-Za-z_][\w.-]*:)?([A-Za-z]+)(?=[\s/>])/;
const attribute = /([\w:.-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'))?/g;

/** The attributes of each element of that name. No value holds a raw `<`. */
function elementsOf(xml: string, name: string): Map<string, string>[] {
  const elements = xml.split('<').filter((element) => elementName.exec(element)?.[1] === name);
  return elements.map(
    (element) =>
      new Map(
        [...element.matchAll(attribute)].flatMap(([, key = '', double, single]) => {
          const value = double ?? single;
          return value === undefined ? [] : [[key, decodeEntities(value)]];
        }),
      ),
  );
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeEntities(encoded: string): string {
  return encoded.replaceAll(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hexadecimal, name) => {
    if (name !== undefined) return entities[String(name).toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
