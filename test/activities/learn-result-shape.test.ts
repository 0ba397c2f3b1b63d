// A run ends before it writes anything when results lack required fields, and continues with the setting that its message names.
import { ApplicationFailure } from '@temporalio/common';
import { noFieldSettings } from '../../src/service/reading/shape.ts';
import {
  createActivityHarness,
  failure,
  plan,
  type ActivityHarness,
  type Collected,
  type Settings,
} from './activity-harness.ts';
import { changeResults, range, reconcile } from './order-steps.ts';

type Json = Record<string, unknown>;

/** Publishes and collects an order of five companies whose answers `change` changes. */
async function collect(
  change: (company: Json) => Json,
  features: readonly ('COMPANY_DATA' | 'CONTACTS')[] = ['CONTACTS'],
) {
  const harness = await createActivityHarness(
    changeResults<{ items: { company: Json }[] }>(({ items }) => {
      for (const slot of items) slot.company = change(slot.company);
    }),
  );
  await harness.storeProfile(plan());
  const run = harness.configureRun(plan({ features }));
  const { orderId } = await harness.perform('placeOrder', { run, runKey: 'run/weekly/1' });
  const collected = await harness.collectOrder(orderId);
  return { harness, run, ...collected, summarize: () => harness.perform('summarizeSlots', { orderId }) };
}

async function deliver(harness: ActivityHarness, order: Collected) {
  await harness.perform('prepareCrm', {});
  await harness.perform('projectToCrm', range(order));
  return reconcile(harness, order);
}

const pagesRead = (harness: ActivityHarness) => harness.asked().filter((asked) => asked.includes('/results')).length;

/** Fields that neither their names nor their values identify. */
const unreadable: [string, string, (company: Json) => Json, Settings['fields']][] = [
  [
    'contacts outside of any list',
    'service.fields.company.prospects',
    ({ prospects, ...company }) => ({ ...company, xq: { inner: { deeper: { deepest: { last: prospects } } } } }),
    { ...noFieldSettings, company: { prospects: 'xq.inner.deeper.deepest.last' } },
  ],
  [
    'companies without an identity',
    'service.fields.company.domain or service.fields.company.website_url or service.fields.company.id',
    ({ id, domain, website_url: _website, ...company }) => ({
      ...company,
      xq_number: `no ${String(id)}`,
      xq_host: String(domain).replaceAll('.', ' '),
    }),
    { ...noFieldSettings, company: { id: 'xq_number' } },
  ],
  [
    'names that do not resemble the domain',
    'service.fields.company.name',
    ({ name, ...company }) => ({ ...company, xq_label: String(name).split('').toReversed().join('') }),
    { ...noFieldSettings, company: { name: 'xq_label' } },
  ],
  [
    'invalid email addresses',
    'service.fields.prospect.email',
    ({ prospects, ...company }) => ({
      ...company,
      prospects: (prospects as Json[]).map(({ email, ...person }) => ({
        ...person,
        xq_box: String(email).replace('@', ' at '),
      })),
    }),
    { ...noFieldSettings, prospect: { email: 'xq_box' } },
  ],
];

describe('summarizeSlots', () => {
  it.each(unreadable)('ends the run when the answer has %s, and names the setting', async (_, setting, change) => {
    const { harness, summarize, orderId } = await collect(change);
    const error = await failure(summarize());
    expect(error).toMatchObject({ type: 'ShapeUnresolved', nonRetryable: true });
    expect(error.message).toContain(`Set ${setting} (seen: `);
    expect(error.message).toContain(`order ${orderId} is published and collected, but nothing was written`);
    expect(error.message).toContain('prospect-sync ingest ORDER');
    expect(await harness.records('companies')).toEqual([]);
  });

  it.each(unreadable)(
    'continues after %s once the setting is there, without reading the pages again',
    async (_, _setting, change, fields) => {
      const { harness, summarize, orderId, total } = await collect(change);
      await failure(summarize());
      const pages = pagesRead(harness);
      harness.configure(fields === undefined ? {} : { fields });
      await harness.perform('collectResults', { orderId, from: 0, to: total });
      await summarize();
      expect(pagesRead(harness)).toBe(pages);
    },
  );

  it('shows no value of a company or a contact, only its form', async () => {
    const { summarize } = await collect(({ name, ...company }) => ({
      ...company,
      xq_label: `Geheim ${String(name).split('').toReversed().join('')}`,
    }));
    const { message } = await failure(summarize());
    expect(message).toMatch(/xq_label \("[Xx0 ]+…?"\)/);
    expect(message).not.toContain('Geheim');
  });

  it('accepts companies without contacts when service.fields.company.prospects is null', async () => {
    const { harness, summarize, ...order } = await collect(({ prospects: _people, ...company }) => company);
    await failure(summarize());
    harness.configure({ fields: { ...noFieldSettings, company: { prospects: null } } });
    await summarize();
    const { findings } = await deliver(harness, order);
    expect(findings).toEqual([]);
  });

  it('accepts companies without contacts when CONTACTS were not ordered', async () => {
    const { summarize } = await collect(({ prospects: _people, ...company }) => company, ['COMPANY_DATA']);
    await expect(summarize()).resolves.toMatchObject({ byStatus: { ENRICHED: 5 } });
  });

  it('reports a finding when every list of contacts is empty', async () => {
    const { harness, summarize, ...order } = await collect((company) => ({ ...company, prospects: [] }));
    await summarize();
    const { findings } = await deliver(harness, order);
    expect(findings).toEqual([{ code: 'people_missing', count: 5, positions: [] }]);
  });

  it('reports a field that has another path than in earlier orders', async () => {
    let field = 'city';
    const { harness, run, summarize } = await collect(({ city, ...company }) => ({ ...company, [field]: city }));
    expect((await summarize()).reading.drift).toEqual([]);
    field = 'town';
    const { orderId } = await harness.perform('placeOrder', { run, runKey: 'run/weekly/2' });
    await harness.collectOrder(orderId);
    const { reading } = await harness.perform('summarizeSlots', { orderId });
    expect(reading.drift).toEqual([{ field: 'company.city', was: 'city', is: 'town' }]);
  });

  it('counts unusable values, and keeps the rest of their rows', async () => {
    const { harness, summarize, ...order } = await collect((company) => ({
      ...company,
      employee_count:
        company['employee_count'] === null
          ? null
          : Number(company['employee_count']) % 2 === 0
            ? { odd: true }
            : company['employee_count'],
    }));
    const { reading } = await summarize();
    expect(Object.keys(reading.unusable)).toEqual(['company.employee_count']);
    const { findings, reconciled } = await deliver(harness, order);
    expect({ findings, reconciled }).toEqual({ findings: [], reconciled: 5 });
  });

  it('fails with an error that Temporal does not retry', async () => {
    const { summarize } = await collect(({ prospects: _people, ...company }) => company);
    await expect(summarize()).rejects.toBeInstanceOf(ApplicationFailure);
  });
});
