/** The sheets of an Excel file, in the order of their tabs. Parts and names: ECMA-376-1, 18.2.19, 18.2.20 and 18.2.28. */
import { readAttributes, readXml, XmlError } from './xlsx-xml.ts';

export interface SheetName {
  readonly name: string;
  readonly isHidden: boolean;
  /** Name of its part of the zip file, `xl/worksheets/sheet3.xml`: the number need not follow the order of the tabs. */
  readonly part: string;
}

export interface Workbook {
  /** Worksheets only, no charts. */
  readonly sheets: readonly SheetName[];
  /** Dates count from 1904, as in files of old versions for the Mac. */
  readonly isFrom1904: boolean;
}

/** Of `xl/workbook.xml` and `xl/_rels/workbook.xml.rels`. */
export async function readWorkbook(
  workbook: AsyncIterable<string>,
  relationships: AsyncIterable<string>,
): Promise<Workbook> {
  const targets = new Map<string, string>();
  for (const [name, attributes] of await elementsOf(relationships))
    if (name === 'Relationship') targets.set(attributes.get('Id') ?? '', attributes.get('Target') ?? '');
  const sheets: SheetName[] = [];
  let isFrom1904 = false;
  for (const [name, attributes] of await elementsOf(workbook)) {
    if (name === 'workbookPr') isFrom1904 = ['1', 'true'].includes(attributes.get('date1904') ?? '');
    if (name === 'sheet') sheets.push(...toSheet(attributes, targets));
  }
  return { sheets, isFrom1904 };
}

/** Far more sheets than Excel can open. */
const mostElements = 20_000;

async function elementsOf(xml: AsyncIterable<string>): Promise<(readonly [string, Map<string, string>])[]> {
  const elements: (readonly [string, Map<string, string>])[] = [];
  await readXml(xml, {
    open: (name, attributes) => {
      if (!['workbookPr', 'sheet', 'Relationship'].includes(name)) return;
      if (elements.length === mostElements) throw new XmlError('tooLong');
      elements.push([name, readAttributes(attributes)]);
    },
    close: () => undefined,
    text: () => undefined,
  });
  return elements;
}

function toSheet(attributes: Map<string, string>, targets: Map<string, string>): SheetName[] {
  const id = [...attributes].find(([name]) => name.endsWith(':id'))?.[1] ?? '';
  const target = targets.get(id) ?? '';
  const name = attributes.get('name');
  if (!target.includes('worksheets/') || name === undefined) return [];
  // From the folder of the workbook, or from the root.
  const part = target.startsWith('/') ? target.slice(1) : `xl/${target}`;
  return [{ name, isHidden: (attributes.get('state') ?? 'visible') !== 'visible', part }];
}
