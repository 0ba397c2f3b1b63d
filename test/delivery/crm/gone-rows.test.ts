import { findGoneRows } from '../../../src/delivery/crm/gone-rows.ts';
import type { DraftRow } from '../../../src/ledger/draft-store.ts';
import { createCrm, enrichedRow } from './projection-harness.ts';

const toRow = (website_url: string | null, position: number): DraftRow => ({
  position,
  company: { company_name: 'A', website_url },
  sourceRow: position + 2,
  ownJson: null,
});
const websites = ['https://alpha.example', 'www.beta.example/de', 'gamma.example', null, 'beta.example'];
const none = { rows: 0, first: [] };

async function writtenRows() {
  const crm = await createCrm();
  const find = () => findGoneRows(crm.dependencies, websites.map(toRow));
  expect(await find()).toEqual({ deleted: none, merged: none });
  const { outcomes } = await crm.project([enrichedRow(0, 'alpha.example', []), enrichedRow(1, 'beta.example', [])]);
  expect(await find()).toEqual({ deleted: none, merged: none });
  const [alpha = '', beta = ''] = outcomes.map(({ recordId }) => recordId ?? '');
  return { crm, find, alpha, beta };
}

describe('findGoneRows', () => {
  it('names the rows whose company a person has deleted since an order wrote it', async () => {
    const { crm, find, beta } = await writtenRows();
    await crm.archive('companies', beta);
    expect(await find()).toEqual({ deleted: { rows: 2, first: [3, 6] }, merged: none });
  });

  it('names the rows whose company a person has merged into another one', async () => {
    const { crm, find, alpha, beta } = await writtenRows();
    await crm.merge('companies', alpha, beta);
    expect(await find()).toEqual({ deleted: none, merged: { rows: 2, first: [3, 6] } });
  });

  it('does not name a company into which a person merged another record', async () => {
    const { crm, find, beta } = await writtenRows();
    const [own = ''] = await crm.create('companies', { name: 'Own' });
    await crm.merge('companies', beta, own);
    expect(await find()).toEqual({ deleted: none, merged: none });
  });
});
