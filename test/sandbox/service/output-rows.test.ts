import ExcelJS from 'exceljs';
import Papa from 'papaparse';
import type { Slot } from '../../../src/service/contract/index.ts';
import { outputColumns, toOutputRow } from '../../../sandbox/service/output-rows.ts';
import { publish } from './published-order.ts';

type Cells = Record<string, string>;

async function readFile(output_type: 'csv' | 'xlsx', options: Parameters<typeof publish>[0] = {}) {
  const published = await publish(options);
  const { export_job_id } = await published.finish({ output_type });
  const { file } = await published.download(export_job_id);
  const slots: Slot[] = await published.readSlots(published.orderId);
  return { bytes: Buffer.from(await file.arrayBuffer()), slots };
}

async function readCsvRows(options: Parameters<typeof publish>[0] = {}) {
  const { bytes, slots } = await readFile('csv', options);
  const text = bytes.toString('utf8').replace('\uFEFF', '');
  const { data: rows, errors } = Papa.parse<Cells>(text, { header: true, skipEmptyLines: true });
  expect(errors).toEqual([]);
  return { rows, slots };
}

describe('an output file', () => {
  it('contains every slot of an enrichment order in order, with status and reasons', async () => {
    const { rows, slots } = await readCsvRows();
    expect(rows.map((row) => [row['Position'], row['Result Status'], row['Result Reasons']])).toEqual(
      slots.map(({ input_position, status, reasons }) => [
        String(input_position),
        status,
        reasons.map(({ message, detail }) => (detail ? `${message} (${detail})` : message)).join('; '),
      ]),
    );
    expect(rows.map((row) => row['Result Status'])).toEqual([
      'ENRICHED',
      'DUPLICATE',
      'PARTIAL',
      'UNRESOLVED',
      'BLOCKED',
      'ENRICHED',
    ]);
    expect(rows[2]?.['Result Reasons']).toMatch(/ \(https:\/\/parking\.example\)$/);
    // What a spreadsheet program might run is made a text.
    expect(rows.map((row) => row['External Id'])).toEqual(['crm-1', 'crm-2', '', "'=1+1", '', '']);
    expect(rows.map((row) => row['Company Name'])).toEqual(slots.map(({ company }) => company?.name ?? ''));
  });

  it('has separate columns for each contact of a slot', async () => {
    const { rows: data, slots } = await readCsvRows({ quantity: 120 });
    const emails = (row: Cells) => [1, 2, 3].map((number) => row[`Contact ${number} Email`]).filter(Boolean);
    expect(data.map(emails)).toEqual(slots.map(({ company }) => company?.prospects?.map(({ email }) => email)));
    expect(data.map((row) => row['Company Id'])).toEqual(slots.map(({ company }) => company?.id));
    expect(new Set(data.map((row) => emails(row).length))).toEqual(new Set([1, 2, 3]));
  });

  it('is also available as a workbook with a sheet of counts', async () => {
    const { bytes, slots } = await readFile('xlsx');
    const workbook = new ExcelJS.Workbook();
    await workbook.xlsx.load(bytes as never);
    const [sheet, summary] = workbook.worksheets;
    const values = (number: number) => outputColumns.map((_, place) => sheet?.getRow(number).getCell(place + 1).value);
    expect(values(1)).toEqual(outputColumns.map(({ header }) => header));
    for (const [place, slot] of slots.entries()) {
      const row = toOutputRow(slot);
      expect(values(place + 2)).toEqual(outputColumns.map(({ key }) => row[key] ?? null));
    }
    expect(sheet?.rowCount).toBe(slots.length + 1);
    const counts = Array.from({ length: summary?.rowCount ?? 0 }, (_, place) => summary?.getRow(place + 1).values);
    expect(counts).toContainEqual([undefined, 'Requested', 6]);
    expect(counts).toContainEqual([undefined, 'Fully enriched', 2]);
    expect(counts).toContainEqual([undefined, 'Website moved', 1]);
  });
});

describe('toOutputRow', () => {
  const reason = (message: string, detail?: string) => ({ code: 'NO_EMAIL_FOUND', message, ...(detail && { detail }) });
  const slot = {
    input_position: 3,
    status: 'PARTIAL',
    reason_codes: ['NO_EMAIL_FOUND'],
    reasons: [reason('First', 'a fact'), reason('Second')],
    company: null,
    delivered_at: '2026-11-20T12:00:06.000123Z',
  };

  it('joins reasons and their details, keeps microseconds, and leaves missing values empty', () => {
    const { reasons, input_position, delivered_at, company_name } = toOutputRow(slot);
    expect(reasons).toBe('First (a fact); Second');
    expect([input_position, delivered_at, company_name]).toEqual([3, '2026-11-20T12:00:06.000123Z', undefined]);
  });

  it('fills only columns of the file', () => {
    const keys = outputColumns.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toEqual(expect.arrayContaining(Object.keys(toOutputRow(slot))));
    expect(new Set(outputColumns.map(({ header }) => header)).size).toBe(keys.length);
  });
});
