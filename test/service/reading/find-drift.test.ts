import { createAnswerRecorder } from '../../../src/service/reading/answer-recorder.ts';
import { findDrift, type RecordedObservation } from '../../../src/service/reading/find-drift.ts';

const summary = { requested_count: 1, fully_enriched_count: 1, annotated_count: 0, reasons: [] };
const order = {
  order_id: '0d2f7a52-2a0c-4f6e-9a57-0a6b2f3c1d11',
  status: 'COMPLETED',
  briefing_quantity: 1,
  available_briefing_quantity: 1,
  results_published: true,
  result_summary: summary,
};

/** What each answer shows for the first time, one day apart. */
function record(operation: string, ...answers: readonly unknown[]): RecordedObservation[] {
  return answers.flatMap((answer, day) => {
    const recorder = createAnswerRecorder(() => Date.UTC(2026, 10, 1 + day));
    recorder.recordBody(operation, answer);
    return recorder.pending().map(({ seenAt, ...facts }) => ({ ...facts, firstSeenAt: seenAt, lastSeenAt: seenAt }));
  });
}

const toLines = (recorded: readonly RecordedObservation[]) =>
  findDrift(recorded).map(
    ({ kind, path, detail, firstSeenAt }) => `${kind} ${path} ${detail} ${firstSeenAt.slice(0, 10)}`,
  );

describe('findDrift', () => {
  it('finds nothing in answers that are as specified', () => {
    expect(findDrift(record('getOrder', order, { ...order, result_summary: null }))).toEqual([]);
    expect(
      findDrift(
        record('getOrder 404', { code: 'ORDER_NOT_FOUND', message: '', resource_type: 'order', identifier: 'x' }),
      ),
    ).toEqual([]);
  });

  it('finds a renamed field as a missing and a new one', () => {
    const { briefing_quantity: quantity, ...rest } = order;
    expect(toLines(record('getOrder', { ...rest, ordered_quantity: quantity }))).toEqual([
      'missing briefing_quantity required by the specification 2026-11-01',
      'field ordered_quantity number 2026-11-01',
    ]);
  });

  it('finds another type, and a new code', () => {
    expect(toLines(record('getOrder', { ...order, briefing_quantity: '1', status: 'TELEPORTED' }))).toEqual([
      'type briefing_quantity string instead of number 2026-11-01',
      'code status TELEPORTED 2026-11-01',
    ]);
  });

  it('lists the fields of a new object only when they appeared later, the newest first', () => {
    const first = { ...order, billing: { price: 1, currency: 'EUR' } };
    const later = { ...order, billing: { price: 1, currency: 'EUR', tax: 1 } };
    expect(toLines(record('getOrder', first).concat(record('getOrder', first, later).slice(-1)))).toEqual([
      'field billing.tax number 2026-11-02',
      'field billing object 2026-11-01',
    ]);
  });

  it('compares an answer in a wrapper, and the items of a list of another name, with the specification', () => {
    expect(toLines(record('getOrder', { data: { ...order, status: 'TELEPORTED' } }))).toEqual([
      'field data object 2026-11-01',
      'code status TELEPORTED 2026-11-01',
    ]);
    const slot = { input_position: 0, status: 'ENRICHED', reason_codes: ['NEW_REASON'], reasons: [], company: null };
    expect(toLines(record('listResults', { summary, total: 1, has_more: false, slots: [slot] }))).toEqual([
      'missing items[].delivered_at required by the specification 2026-11-01',
      'code items[].reason_codes[] NEW_REASON 2026-11-01',
      'field slots array 2026-11-01',
    ]);
  });

  it('lists a version that follows another one, and the first one of the contract only if it is another one', () => {
    const webhooks = record('replyWebhook', { api_version: '2026-11-01' }, { api_version: '2027-01-01' });
    const versions = (recorded: readonly RecordedObservation[]) =>
      toLines(recorded.filter(({ kind }) => kind === 'version'));
    expect(versions(webhooks)).toEqual(['version api_version 2027-01-01, before 2026-11-01 2026-11-02']);
    expect(versions(record('getOrder', { info: { version: '1.3.0' } }))).toEqual([]);
    expect(versions(record('getOrder', { info: { version: '1.4.0' } }))).toEqual([
      'version info.version 1.4.0, before 1.3.0 2026-11-01',
    ]);
  });

  it('lists at most 500 differences', () => {
    const recorded = Array.from({ length: 600 }, (_, at): RecordedObservation => ({
      operation: 'getOrder',
      kind: 'type',
      path: `field_${at}`,
      detail: 'string',
      firstSeenAt: '2026',
      lastSeenAt: '2026',
    }));
    expect(findDrift(recorded)).toHaveLength(500);
  });
});
