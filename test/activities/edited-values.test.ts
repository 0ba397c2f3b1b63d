import { isWholeDomain } from '../helpers/sample.ts';
import * as fc from 'fast-check';
import type { ActivityHarness, Collected } from './activity-harness.ts';
import { createReady, projectOrder, range, reconcile, row } from './order-steps.ts';

/** A property that prospect-sync fills where it is empty. */
const property = 'website';

interface Model {
  readonly harness: ActivityHarness;
  readonly orders: Collected[];
  /** What the record must have. */
  value: string;
  /** What prospect-sync wrote. */
  written: string;
  edits: number;
}

const readValue = async ({ harness }: Model) => (await harness.records('companies'))[0]?.properties[property] ?? '';

async function edit(model: Model, value: string, source?: { sourceType: string; sourceId: string }): Promise<void> {
  const { harness } = model;
  const [record] = await harness.records('companies');
  model.value = value;
  const change = { objectType: 'companies', id: record?.id ?? '', properties: { [property]: model.value } };
  harness.portals.editRecord(harness.portalId, source === undefined ? change : { ...change, source });
}

const anotherApp = { sourceType: 'INTEGRATION', sourceId: 'another app' };

const nextWebsite = (model: Model) => `https://edit-${(model.edits += 1)}.example`;

const steps: Readonly<Record<string, (model: Model) => Promise<void>>> = {
  async order(model) {
    const { harness, orders } = model;
    orders.push(await projectOrder(harness, harness.collectEnrichment([row('Acme')])));
  },
  async 'the first order again'({ harness, orders: [first] }) {
    if (first !== undefined) await harness.perform('projectToCrm', range(first, { projectionId: 'again' }));
  },
  'edit by a person': (model) => edit(model, nextWebsite(model)),
  'edit by another app': (model) => edit(model, nextWebsite(model), anotherApp),
  'cleared by a person': (model) => edit(model, ''),
  'cleared by another app': (model) => edit(model, '', anotherApp),
  async 'another process with our key'(model) {
    const [record] = await model.harness.records('companies');
    const wrong = 'https://wrong.example';
    await model.harness.hubspot.objects.update('companies', [
      { id: record?.id ?? '', properties: { [property]: wrong } },
    ]);
    // No edit: a repair writes the value of the order again.
    for (const order of model.orders) await repair(model, order);
    model.value = model.written;
  },
  async repair(model) {
    for (const order of model.orders) await repair(model, order);
  },
};

async function repair({ harness }: Model, { orderId, total }: Collected): Promise<void> {
  await harness.perform('repairRecords', { orderId, from: 0, to: total });
}

describe('reconcile and repair after orders, edits and repairs in any sequence', () => {
  it('never report or replace a value that a person or another app wrote after us', async () => {
    const sequences = fc.array(fc.constantFrom(...Object.keys(steps)), { minLength: 1, maxLength: 7 });
    const property = fc.asyncProperty(sequences, async (names) => {
      const harness = await createReady();
      const model: Model = { harness, orders: [], value: '', written: '', edits: 0 };
      await steps['order']?.(model);
      model.value = model.written = await readValue(model);
      expect(model.written).not.toBe('');
      for (const name of names) {
        await steps[name]?.(model);
        expect([name, await readValue(model)]).toEqual([name, model.value]);
        for (const order of model.orders)
          expect(await reconcile(harness, order)).toMatchObject({ findings: [], readBack: { wrong: 0 } });
      }
    });
    const known = [
      ['edit by a person', 'order', 'repair'],
      ['edit by another app', 'order', 'the first order again', 'repair'],
      ['cleared by a person', 'order', 'the first order again', 'repair'],
      ['cleared by another app', 'the first order again', 'edit by a person', 'cleared by a person', 'order'],
    ];
    await fc.assert(property, {
      numRuns: isWholeDomain ? 20 : 7,
      examples: known.map((names) => [names] as [string[]]),
    });
  });
});
