import { writeFileSync } from 'node:fs';
import { constants, crc32, deflateRawSync } from 'node:zlib';

/** A text, or a piece repeated between a beginning and an end, so that a very large file is created quickly. */
type Part = string | { readonly begin: string; readonly piece: string; readonly times: number; readonly end: string };

const workbook = `<workbook xmlns:r="r"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`;
const rootRelationships = `<Relationships><Relationship Id="r1" Type="t/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

/** Relationships to the sheet, and to those of the parts that exist. */
function relationships(parts: Readonly<Record<string, Part>>): string {
  const others = ['sharedStrings', 'styles'].filter((name) => Object.hasOwn(parts, `xl/${name}.xml`));
  const targets = [['worksheet', 'worksheets/sheet1.xml'], ...others.map((name) => [name, `${name}.xml`])];
  const elements = targets.map(
    ([type, target], at) => `<Relationship Id="r${at + 1}" Type="t/${type}" Target="${target}"/>`,
  );
  return `<Relationships>${elements.join('')}</Relationships>`;
}

/** Writes an Excel file with these rows as XML, and other parts. */
export function craftXlsx(path: string, sheetData: Part, parts: Readonly<Record<string, Part>> = {}): void {
  const sheet = wrapped('<worksheet><sheetData>', sheetData, '</sheetData></worksheet>');
  craftZip(path, {
    '_rels/.rels': rootRelationships,
    'xl/workbook.xml': workbook,
    'xl/_rels/workbook.xml.rels': relationships(parts),
    'xl/worksheets/sheet1.xml': sheet,
    ...parts,
  });
}

export function sharedStrings(part: Part): Part {
  return wrapped('<sst>', part, '</sst>');
}

export const header = '<row r="1"><c r="A1" t="inlineStr"><is><t>company_name</t></is></c></row>';

function wrapped(begin: string, part: Part, end: string): Part {
  return typeof part === 'string' ? begin + part + end : { ...part, begin: begin + part.begin, end: part.end + end };
}

/** Writes a zip file with these parts, deflated. */
export function craftZip(path: string, parts: Readonly<Record<string, Part>>): void {
  const [files, records]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const [name, part] of Object.entries(parts)) {
    const { bytes, crc, size } = pack(part);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc, 10);
    fields.writeUInt32LE(bytes.length, 14);
    fields.writeUInt32LE(size, 18);
    fields.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    const file = Buffer.concat([Buffer.from('PK\u0003\u0004'), fields, Buffer.from(name), bytes]);
    files.push(file);
    records.push(
      Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.from([20, 0]), fields, place, Buffer.from(name)]),
    );
    offset += file.length;
  }
  const directory = Buffer.concat(records);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  writeFileSync(path, Buffer.concat([...files, directory, Buffer.from('PK\u0005\u0006'), end]));
}

function pack(part: Part) {
  const { begin, piece, times, end } = typeof part === 'string' ? { begin: part, piece: '', times: 0, end: '' } : part;
  // After a full flush the same text compresses to the same bytes.
  const flushed = (text: string) => deflateRawSync(text, { finishFlush: constants.Z_FULL_FLUSH, level: 9 });
  const middle = Buffer.from(piece);
  const packed = flushed(piece);
  const pieces = Array.from({ length: times }, () => packed);
  const bytes = Buffer.concat([flushed(begin), ...pieces, deflateRawSync(end)]);
  let crc = crc32(begin);
  for (let index = 0; index < times; index += 1) crc = crc32(middle, crc);
  return { bytes, crc: crc32(end, crc), size: Buffer.byteLength(begin + end) + middle.length * times };
}
