import { createTestService } from './service-harness.ts';
import type { Tampering } from '../../../sandbox/results/result-tampering.ts';

/** A published enrichment order of four rows, read before any change. */
async function publish() {
  const test = createTestService();
  const companies = ['a', 'b', 'c', 'd'].map((name) => ({
    company_name: name,
    website_url: `https://${name}.example`,
    external_id: `crm-${name}`,
  }));
  const orderId = await test.finishOrder({
    order_type: 'ENRICHMENT',
    profile_id: await test.createProfile(),
    companies,
  });
  const before = await test.readSlots(orderId);
  const read = async (...changes: Tampering[]) => {
    test.service.tamper(orderId, changes);
    return test.readSlots(orderId);
  };
  const readOrder = async () => (await test.ask('GET', `/orders/${orderId}`)).body;
  const readPage = async () => (await test.ask('GET', `/orders/${orderId}/results`)).body;
  return { ...test, orderId, before, read, readOrder, readPage };
}

describe('tampered answers', () => {
  it('exchange two slots, with or without their input_position', async () => {
    const { before, read, service, orderId } = await publish();
    const [a, b, c, d] = before;
    expect(await read({ kind: 'swap_slots', position: 0, with: 2 })).toEqual([c, b, a, d]);
    service.restoreOrder(orderId);
    expect(await read({ kind: 'swap_contents', position: 0, with: 2 })).toEqual([
      { ...c, input_position: 0 },
      b,
      { ...a, input_position: 2 },
      d,
    ]);
  });

  it('drop and repeat slots, one change after the other', async () => {
    const { before, read, readPage } = await publish();
    const [a, b, , d] = before;
    expect(await read({ kind: 'drop_slot', position: 2 })).toEqual([a, b, d]);
    expect(await read({ kind: 'repeat_slot', position: 2 })).toEqual([a, b, d, d]);
    expect(await read({ kind: 'drop_slot', position: 0 })).toEqual([b, d, d]);
    expect(await readPage()).toMatchObject({ total: 3, has_more: false });
  });

  it('withdraw people of a slot', async () => {
    const { before, read } = await publish();
    const [first] = before;
    expect(first.company.prospects.length).toBeGreaterThan(0);
    expect((await read({ kind: 'withdraw_people', position: 0 }))[0]).toEqual({
      ...first,
      company: { ...first.company, prospects: [] },
    });
  });

  it('change and remove values of a slot', async () => {
    const { before, read } = await publish();
    const changed = await read(
      { kind: 'set_value', position: 1, path: 'external_id', value: 'crm-z' },
      { kind: 'set_value', position: 1, path: 'company.prospects.job_title', value: 'Pilot' },
      { kind: 'set_value', position: 2, path: 'external_id' },
    );
    expect(changed[1].external_id).toBe('crm-z');
    expect(new Set(changed[1].company.prospects.map((person: { job_title: string }) => person.job_title))).toEqual(
      new Set(['Pilot']),
    );
    expect(changed[2]).not.toHaveProperty('external_id');
    expect([changed[0], changed[3]]).toEqual([before[0], before[3]]);
  });

  it('change counts of the summary and fields of the order', async () => {
    const { read, readOrder, readPage } = await publish();
    const order = await readOrder();
    await read(
      { kind: 'set_count', field: 'requested_count', value: 9 },
      { kind: 'set_order_field', field: 'order_type' },
      { kind: 'set_order_field', field: 'available_briefing_quantity', value: 3 },
    );
    const summary = { ...order.result_summary, requested_count: 9 };
    const { order_type: _orderType, ...rest } = order;
    expect(await readOrder()).toEqual({ ...rest, available_briefing_quantity: 3, result_summary: summary });
    expect((await readPage()).summary).toEqual(summary);
  });

  it('rename and retype a field in every slot', async () => {
    const { before, read } = await publish();
    const changed = await read(
      { kind: 'rename_field', path: 'company.name', name: 'title' },
      { kind: 'retype_field', path: 'company.employee_count', type: 'string' },
    );
    for (const [at, { company }] of changed.entries()) {
      const { name, employee_count: employees, ...rest } = before[at].company;
      expect(company).toEqual({ ...rest, title: name, employee_count: String(employees) });
    }
  });

  it('are undone, and end with a reset and a restored snapshot', async () => {
    const { before, read, readSlots, service, orderId } = await publish();
    await read({ kind: 'drop_slot', position: 0 }, { kind: 'rename_field', path: 'company.name', name: 'title' });
    service.restoreOrder(orderId);
    expect(await readSlots(orderId)).toEqual(before);
    service.snapshots.save('before');
    await read({ kind: 'drop_slot', position: 0 });
    service.snapshots.restore('before');
    expect(await readSlots(orderId)).toEqual(before);
  });

  it('are the content of files and digests that are made afterwards', async () => {
    const { read, ask, advance, service, orderId, apiKey } = await publish();
    const makeOutput = async (type: string) => {
      const { body } = await ask('POST', `/orders/${orderId}/outputs`, { output_type: type });
      await advance(5);
      return (await ask('GET', `/orders/${orderId}/outputs/${body.output_id}`)).body;
    };
    const { result_sha256: digest } = await makeOutput('xlsx');
    await read({ kind: 'drop_slot', position: 0 });
    const { export_job_id: job, result_sha256: changed } = await makeOutput('csv');
    expect(changed).not.toBe(digest);
    const headers = { authorization: `Bearer ${apiKey}` };
    const redirect = await service.fetch(
      new Request(`http://service.test/api/v1/exports/jobs/${job}/download`, { headers }),
    );
    const address = new URL(redirect.headers.get('location') ?? '', 'http://service.test');
    const text = await (await service.fetch(new Request(address))).text();
    expect(text.trim().split('\n')).toHaveLength(4);
  });
});
