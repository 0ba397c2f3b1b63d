import * as fc from 'fast-check';

import { HubSpotError } from '../../src/hubspot/hubspot-error.ts';
import { sendWithBisect } from '../../src/hubspot/batch-requests.ts';
import { rejection } from './stub-portal.ts';

describe('sendWithBisect', () => {
  const rows = Array.from({ length: 100 }, (_, index) => index);

  function refuse(status: number, code = 'X'): never {
    throw new HubSpotError({ kind: 'http', method: 'POST', path: '/batch', status, code });
  }

  /** Rejects every batch that contains an invalid row, and counts the calls. */
  function createSink(bad: ReadonlySet<number>, status: number) {
    const sink = { calls: 0, written: [] as number[] };
    async function send(piece: readonly number[]): Promise<Map<number, { ok: true }>> {
      sink.calls += 1;
      if (piece.some((row) => bad.has(row))) refuse(status);
      sink.written.push(...piece);
      return new Map(piece.map((row) => [row, { ok: true }]));
    }
    return { sink, send };
  }

  it.each([400, 409])('isolates the invalid row among 100 after a %i, and writes the other 99', async (status) => {
    for (const bad of [0, 37, 99]) {
      const { sink, send } = createSink(new Set([bad]), status);
      const results = await sendWithBisect(rows, send);
      expect(results.get(bad)).toMatchObject({ ok: false, error: { status } });
      expect(sink.written.sort((a, b) => a - b)).toEqual(rows.filter((row) => row !== bad));
      expect(sink.calls).toBeLessThanOrEqual(15);
    }
  });

  it('fails exactly the invalid rows, and writes each other row once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.integer({ min: 0, max: 99 })), async (bad) => {
        const { sink, send } = createSink(new Set(bad), 409);
        const results = await sendWithBisect(rows, send);
        expect(results.size).toBe(100);
        for (const row of rows) expect(results.get(row)?.ok).toBe(!bad.includes(row));
        expect(sink.written).toHaveLength(100 - bad.length);
        expect(sink.calls).toBeLessThanOrEqual(199);
      }),
    );
  });

  it.each([10, 50, 75])('continues after a 400 while valid rows are left (the first %i are invalid)', async (count) => {
    const { sink, send } = createSink(new Set(rows.slice(0, count)), 400);
    const results = await sendWithBisect(rows, send);
    expect(rows.filter((row) => results.get(row)?.ok === false)).toEqual(rows.slice(0, count));
    expect(sink.written).toHaveLength(100 - count);
  });

  it('throws when every row of a large batch gets a 400', async () => {
    const { sink, send } = createSink(new Set(rows), 400);
    expect(await rejection(sendWithBisect(rows, send))).toMatchObject({ name: 'HubSpotError', status: 400 });
    expect(sink.calls).toBeLessThanOrEqual(30);
  });

  it('sends each row of a small batch before it gives up', async () => {
    const { send } = createSink(new Set(rows), 400);
    const results = await sendWithBisect([1, 2, 3, 4, 5, 6, 7, 8], send);
    expect([...results.values()].map(({ ok }) => ok)).toEqual(Array.from({ length: 8 }, () => false));
  });

  it.each([
    [401, 'X'],
    [403, 'MISSING_SCOPES'],
    [404, 'X'],
    [423, 'X'],
    [429, 'X'],
    [500, 'X'],
    [502, 'X'],
    [400, 'NON_UNIQUE_ID_PROPERTY'],
  ])('does not split the batch after a %i %s', async (status, code) => {
    let calls = 0;
    const send = async (): Promise<Map<number, never>> => {
      calls += 1;
      return refuse(status, code);
    };
    expect(await rejection(sendWithBisect(rows, send))).toMatchObject({ status, code });
    expect(calls).toBe(1);
  });

  it('sends nothing when there are no rows', async () => {
    const { sink, send } = createSink(new Set(), 400);
    expect((await sendWithBisect([], send)).size).toBe(0);
    expect(sink.calls).toBe(0);
  });
});
