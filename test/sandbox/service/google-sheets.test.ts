import { unknownId } from './service-harness.ts';
import { publish } from './published-order.ts';

const sheets = { output_type: 'google_sheets', spreadsheet_id: 'a b/c' };
const page = { spreadsheetId: 'a b/c', limit: 2, offset: 1 };

describe('readSheet', () => {
  it('returns the rows of a COMPLETED output, page by page', async () => {
    const { create, advance, read, readSlots, orderId, service, organizationId } = await publish();
    const { output_id } = (await create(sheets)).body;
    expect(service.readSheet(organizationId, page)).toBeNull();
    await advance(1);
    expect(await read(output_id)).toMatchObject({
      status: 'COMPLETED',
      location: 'https://sheets.example/spreadsheets/d/a%20b%2Fc',
    });
    const sheet = service.readSheet(organizationId, page);
    expect([sheet?.total, sheet?.rows.length]).toEqual([6, 2]);
    const slots = await readSlots(orderId);
    const [position, status] = ['Position', 'Result Status'].map((header) => sheet?.header.indexOf(header) ?? -1);
    expect(sheet?.rows.map((row) => [row[position ?? -1], row[status ?? -1]])).toEqual(
      slots.slice(1, 3).map((slot) => [slot.input_position, slot.status]),
    );
    expect(service.readSheet(organizationId, { ...page, offset: 6 })?.rows).toEqual([]);
  });

  it('returns nothing for other spreadsheets, failed outputs and other organisations', async () => {
    const { finish, service, organizationId } = await publish();
    await finish(sheets);
    await finish({ ...sheets, spreadsheet_id: 'outcome:FAILED' });
    const other = service.createOrganization({ name: 'other' });
    for (const spreadsheetId of ['b', 'outcome:FAILED'])
      expect(service.readSheet(organizationId, { ...page, spreadsheetId })).toBeNull();
    expect(service.readSheet(other.organizationId, page)).toBeNull();
    expect(() => service.readSheet(unknownId, page)).toThrow('refused with status 404');
  });

  it('returns the rows of the newest output', async () => {
    const { finish, ask, finishOrder, order, advance, service, organizationId } = await publish();
    await finish(sheets);
    const other = await finishOrder({ ...order, companies: order.companies?.slice(0, 2) });
    const path = `/orders/${other}/outputs`;
    const { output_id } = (await ask('POST', path, sheets)).body;
    expect(service.readSheet(organizationId, page)?.total).toBe(6);
    await advance(1);
    await ask('GET', `${path}/${output_id}`);
    expect(service.readSheet(organizationId, page)?.total).toBe(2);
  });
});
