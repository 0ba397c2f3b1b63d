import { findDeletedRows } from '../../../src/delivery/crm/deleted-rows.ts';
import type { DraftRow } from '../../../src/ledger/draft-store.ts';
import { createCrm, enrichedRow } from './projection-harness.ts';

const toRow = (website_url: string | null, position: number): DraftRow => ({
  position,
  company: { company_name: 'A', website_url },
  sourceRow: position + 2,
  ownJson: null,
});

describe('findDeletedRows', () => {
  it('names the rows whose company a person has deleted since an order wrote it', async () => {
    const crm = await createCrm();
    const websites = ['https://alpha.example', 'www.beta.example/de', 'gamma.example', null, 'beta.example'];
    const find = () => findDeletedRows(crm.dependencies, websites.map(toRow));
    expect(await find()).toEqual({ rows: 0, first: [] });
    const { outcomes } = await crm.project([enrichedRow(0, 'alpha.example', []), enrichedRow(1, 'beta.example', [])]);
    expect(await find()).toEqual({ rows: 0, first: [] });
    await crm.archive('companies', outcomes[1]?.recordId ?? '');
    expect(await find()).toEqual({ rows: 2, first: [3, 6] });
  });
});
