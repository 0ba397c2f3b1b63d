/** How the parts of an Excel file name each other (ECMA-376-2, 9.3). Programs give the parts different names. */
import { posix } from 'node:path';
import { readXml, type XmlAttributes, XmlError } from './xlsx-xml.ts';

export interface Relationship {
  readonly id: string;
  /** The last part of its type, for example `worksheet`. */
  readonly type: string;
  /** Name of the part of the zip file that it leads to. */
  readonly part: string;
}

/** The part with the relationships of a part; of '', those of the whole file. */
export function relationshipsOf(part: string): string {
  return posix.join(posix.dirname(part), '_rels', `${posix.basename(part)}.rels`);
}

/**
 * Those to parts of the file: a sheet may have more links to pages than there is room for. `source`: the part that has the relationships.
 * Its folder is the beginning of their targets.
 */
export async function readRelationships(xml: AsyncIterable<string>, source: string): Promise<Relationship[]> {
  const isInside = (attributes: XmlAttributes) => attributes['TargetMode'] !== 'External';
  return (await readElements(xml, ['Relationship'], isInside)).map(([, attributes]) => {
    const [id = '', type = '', target = ''] = ['Id', 'Type', 'Target'].map((name) => attributes[name]);
    const part = target.startsWith('/') ? target.slice(1) : posix.join(posix.dirname(source), target);
    return { id, type: type.slice(type.lastIndexOf('/') + 1), part };
  });
}

/** Far more sheets than Excel can open. */
const mostElements = 20_000;

/** The elements with these names that are kept, each with its attributes. */
export async function readElements(
  xml: AsyncIterable<string>,
  names: readonly string[],
  isKept: (attributes: XmlAttributes) => boolean = () => true,
): Promise<(readonly [string, XmlAttributes])[]> {
  const elements: (readonly [string, XmlAttributes])[] = [];
  await readXml(xml, {
    open: (name, attributes) => {
      if (!names.includes(name) || !isKept(attributes)) return;
      if (elements.length === mostElements) throw new XmlError('tooLong');
      elements.push([name, attributes]);
    },
    close: () => undefined,
    text: () => undefined,
  });
  return elements;
}
