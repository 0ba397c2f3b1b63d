import { previewOrder, type PreviewRow } from '../../../src/delivery/crm/projection-preview.ts';
import { createCrm, rowWithStatus, enrichedRow } from './projection-harness.ts';

describe('previewOrder', () => {
  it('returns what a pass would do, and writes nothing', async () => {
    const crm = await createCrm();
    const [id = ''] = await crm.create('companies', { name: 'Submitted', domain: 'acme.example' });
    const slots = [
      enrichedRow(0, 'acme.example', ['anna@acme.example', null]),
      enrichedRow(1, 'acme.example', ['bert@acme.example'], { external_id: id }),
      enrichedRow(2, 'new.example', ['nina@new.example']),
      rowWithStatus(3, 'UNRESOLVED'),
    ];
    const projection = await crm.prepare(slots);
    const rows: PreviewRow[] = [];
    for await (const batch of previewOrder(crm.dependencies, projection, slots.length)) rows.push(...batch);
    expect(crm.writes()).toEqual([]);
    const shown = rows.map(({ position, item, outcome, rule }) =>
      [position, item, outcome, rule ?? []].flat().join(' '),
    );
    expect(shown.toSorted()).toEqual((await crm.project(slots)).summary);
    const changes = rows.find(({ position, item }) => position === 1 && item === 'company')?.changes;
    expect(changes).toContainEqual({ property: 'city', from: null, to: 'Berlin' });
    expect(changes?.map(({ property }) => property)).not.toContain('name');
  });
});
