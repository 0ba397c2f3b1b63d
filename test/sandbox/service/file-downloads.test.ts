import { unknownId } from './service-harness.ts';
import { publish } from './published-order.ts';

const csv = { output_type: 'csv' };
const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

describe('downloadExport', () => {
  it.each([
    ['csv', 'text/csv; charset=utf-8'],
    ['xlsx', xlsxType],
  ])('redirects to the %s file, which needs no key', async (output_type, contentType) => {
    const { finish, download, orderId } = await publish();
    const { export_job_id } = await finish({ output_type });
    const { redirect, file } = await download(export_job_id);
    expect([redirect.status, await redirect.text()]).toEqual([302, '']);
    expect(redirect.headers.get('location')).toMatch(/^\/files\/[^/]+\/results-/);
    expect(file.status).toBe(200);
    expect(file.headers.get('content-type')).toBe(contentType);
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="results-${orderId}.${output_type}"`);
    const bytes = await file.arrayBuffer();
    expect(file.headers.get('content-length')).toBe(String(bytes.byteLength));
  });

  it('returns the same file at each address', async () => {
    const { finish, download, advance } = await publish();
    const { export_job_id } = await finish(csv);
    const first = await download(export_job_id);
    await advance(1);
    const second = await download(export_job_id);
    expect(second.redirect.headers.get('location')).not.toBe(first.redirect.headers.get('location'));
    expect(await second.file.text()).toBe(await first.file.text());
  });

  it('refuses with EXPORT_NOT_READY until the output is COMPLETED', async () => {
    const { create, ask, advance, orderId } = await publish();
    const path = `/exports/jobs/${(await create(csv)).body.export_job_id}/download`;
    for (const seconds of [0, 0.5, 0.499]) {
      await advance(seconds);
      const { status, body } = await ask('GET', path);
      expect([status, body]).toEqual([
        409,
        { code: 'EXPORT_NOT_READY', message: expect.any(String), order_id: orderId },
      ]);
    }
    await advance(0.001);
    expect((await ask('GET', path)).status).toBe(302);
  });

  it.each([
    ['an unknown job', undefined],
    ['a Google Sheets output', { output_type: 'google_sheets', spreadsheet_id: 'a' }],
    ['a failed output', { output_type: 'csv', output_language: 'outcome:FAILED' }],
  ])('answers 404 for %s', async (_, body) => {
    const { finish, ask } = await publish();
    const id = body === undefined ? unknownId : (await finish(body)).export_job_id;
    const answer = await ask('GET', `/exports/jobs/${id}/download`);
    expect([answer.status, answer.body.code, answer.body.identifier]).toEqual([404, 'EXPORT_JOB_NOT_FOUND', id]);
  });

  it('does not count as a poll', async () => {
    const { create, ask, read } = await publish({ progression: { outputs: { after_polls: 1 } } });
    const { output_id, export_job_id } = (await create(csv)).body;
    for (let times = 0; times < 3; times += 1)
      expect((await ask('GET', `/exports/jobs/${export_job_id}/download`)).status).toBe(409);
    expect((await read(output_id)).status).toBe('COMPLETED');
  });
});

describe('the address of a file', () => {
  it('expires five minutes later', async () => {
    const { finish, download, advance, send } = await publish();
    const { redirect } = await download((await finish(csv)).export_job_id);
    const address = redirect.headers.get('location') ?? '';
    await advance(299.999);
    expect((await send(address)).status).toBe(200);
    await advance(0.001);
    expect((await send(address)).status).toBe(403);
  });

  it('cannot be forged', async () => {
    const { finish, download, send } = await publish();
    const { redirect } = await download((await finish(csv)).export_job_id);
    const address = redirect.headers.get('location') ?? '';
    const longer = address.replace(/\.(\d{13})\./, (_, expires: string) => `.${Number(expires) + 1}.`);
    expect(longer).not.toBe(address);
    for (const wrong of [longer, address.replace(/[0-9a-f]{8}\//, '00000000/'), '/files/a.b.c.d/x.csv', '/files/a/b'])
      expect((await send(wrong)).status).toBe(403);
    expect((await send('/files/a')).status).toBe(404);
  });

  it('returns 404 after a reset, and works again when a snapshot brings the output back, with the same bytes', async () => {
    const { finish, read, download, send, service } = await publish();
    const output = await finish(csv);
    const { redirect, file } = await download(output.export_job_id);
    const before = await file.text();
    service.snapshots.save('finished');
    service.reset();
    expect((await send(redirect.headers.get('location') ?? '')).status).toBe(404);
    expect(service.snapshots.restore('finished')).toBe(true);
    expect(await read(output.output_id)).toEqual(output);
    expect(await (await download(output.export_job_id)).file.text()).toBe(before);
  });
});
