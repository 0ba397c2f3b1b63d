import { readdirSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { processorMs } from '../../helpers/processor-time.ts';
import { createAnswerRecorder, type Observation } from '../../../src/service/reading/answer-recorder.ts';
import { isRecord } from '../../../src/base/json/own-property.ts';
import { runsOf } from '../../helpers/sample.ts';

const resultsPath = '/api/v1/orders/{order_id}/results';
const orderPath = '/api/v1/orders/{order_id}';

/** What a new recorder observes in these answers to one operation. */
function observe(
  bodies: readonly unknown[],
  {
    path = resultsPath,
    status = 200,
    headers = {},
  }: { path?: string; status?: number; headers?: Record<string, string> } = {},
): readonly Observation[] {
  const recorder = createAnswerRecorder(() => Date.parse('2026-11-23T08:00:00Z'));
  for (const body of bodies)
    recorder.record({ method: 'GET', path, response: { status, headers: new Headers(headers) }, body });
  return recorder.pending();
}

const pathsOf = (observations: readonly Observation[]) => [
  ...new Set(observations.filter(({ kind }) => kind === 'type').map(({ path }) => path)),
];

const slot = {
  input_position: 0,
  status: 'ENRICHED',
  reason_codes: ['POLICY_ELIGIBLE'],
  reasons: [],
  delivered_at: '',
};
const page = (...items: unknown[]) => ({ summary: {}, total: 1, has_more: false, items });

const fixtures = new URL('../../fixtures/other-services/', import.meta.url);
const savedAnswers = readdirSync(fixtures).map((file): [string, unknown] => [
  file,
  JSON.parse(readFileSync(new URL(file, fixtures), 'utf8')),
]);

describe('createAnswerRecorder', () => {
  it('records names and types of fields, and codes of the contract', () => {
    const found = observe([
      page({ ...slot, company: { name: 'Acme', size: { from: 1 } } }, { ...slot, company: null }),
    ]);
    expect(found).toContainEqual({
      operation: 'listResults',
      kind: 'type',
      path: 'items[].company.size.from',
      detail: 'number',
      seenAt: '2026-11-23T08:00:00.000Z',
    });
    const detailsAt = (wanted: string) => found.filter(({ path }) => path === wanted).map(({ detail }) => detail);
    expect(detailsAt('items[].company')).toEqual(['object', 'null']);
    expect(detailsAt('items[].status')).toEqual(['string', 'ENRICHED']);
    expect(detailsAt('items[].reason_codes[]')).toEqual(['string', 'POLICY_ELIGIBLE']);
  });

  it('records what the specification requires and an answer lacks, but no assumed field', () => {
    const missing = observe([page({ ...slot, company: { prospects: [{}] } })]).filter(({ kind }) => kind === 'missing');
    expect(missing.map(({ path }) => path)).toEqual([
      'summary.requested_count',
      'summary.fully_enriched_count',
      'summary.annotated_count',
      'summary.reasons',
    ]);
  });

  it('records errors by status', () => {
    const found = observe([{ code: 'GONE_FISHING', message: 'x' }], { path: orderPath, status: 404 });
    expect(found.map(({ operation }) => operation)).toEqual(found.map(() => 'getOrder 404'));
    expect(found).toContainEqual(expect.objectContaining({ kind: 'code', path: 'code', detail: 'GONE_FISHING' }));
  });

  it('records versions in headers, and those of webhooks', () => {
    const found = observe([undefined], { headers: { 'x-api-version': '1.4.0', 'api-version': 'anna@acme.example' } });
    expect(found).toEqual([
      expect.objectContaining({ operation: 'service', kind: 'version', path: 'x-api-version', detail: '1.4.0' }),
    ]);
    const recorder = createAnswerRecorder();
    recorder.recordBody('replyWebhook', { api_version: '2027-01-01', info: { version: '2.0.0' } });
    expect(recorder.pending().filter(({ kind }) => kind === 'version')).toEqual([
      expect.objectContaining({ operation: 'replyWebhook', path: 'api_version', detail: '2027-01-01' }),
      expect.objectContaining({ operation: 'replyWebhook', path: 'info.version', detail: '2.0.0' }),
    ]);
  });

  it.each<[string, unknown, string[]]>([
    ['email addresses', { 'a@b.example': 1, 'c@d.example': 2 }, ['*']],
    ['ids', { '0d2f7a52-2a0c-4f6e-9a57-0a6b2f3c1d11': 1 }, ['*']],
    ['numbers', { 49891234567: 'x', status: 'y' }, ['*', 'status']],
    ['full names', { 'Anna Schmidt': {}, name: 'x' }, ['*', 'name']],
    ['first names', { anna: 3, bernd: 4 }, ['*']],
    ['capitalised names', { Anna: 3, Status: 4 }, ['*', 'Status']],
    ['names of fields', { vatNumber: 1, is_active: true }, ['vatNumber', 'is_active']],
  ])('names no key that may be a value: %s', (_case, body, expected) => {
    const found = pathsOf(observe([{ unheard: body }], { path: orderPath }));
    expect(found.filter((path) => path.startsWith('unheard.'))).toEqual(expected.map((name) => `unheard.${name}`));
  });

  it('bounds the number and the length of paths', () => {
    const wide = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, at) => [`field_${'abcdefghij'[at % 10]}${at % 999}`, at]),
    );
    const deep = Array.from({ length: 50 }).reduce((inner) => ({ longer: inner }), {});
    const found = pathsOf(observe([{ wide: { ...wide, other: 'x' }, deep, status: '' }], { path: orderPath }));
    expect(found.length).toBeLessThan(100);
    expect(found).toContain('wide.*');
  });

  it('takes linear time for an object with very many keys', () => {
    const cost = (keys: number) => {
      const entries = Array.from({ length: keys }, (_, at) => [`Key ${at}`, { at, list: [null, {}] }]);
      const wide: unknown = Object.fromEntries(entries);
      return processorMs(() => observe([wide, { order_id: 'a', wide }], { path: orderPath }));
    };
    // Eight times as many keys; 64 times as much work if each key were compared with all others.
    expect(cost(40_000)).toBeLessThan(30 * cost(5_000));
  });

  it.each(savedAnswers)('records the answers of another service without a value: %s', (file, saved) => {
    const isRefusal = file === 'refusals.json';
    const bodies =
      isRefusal && Array.isArray(saved) ? saved.flatMap(({ answers }: { answers: unknown[] }) => answers) : [saved];
    const found = observe(bodies, isRefusal ? { path: orderPath, status: 422 } : {});
    expect(pathsOf(found).length).toBeGreaterThan(isRefusal ? 5 : 20);
    const recorded = new Set(
      found.filter(({ kind }) => kind !== 'code').flatMap(({ path, detail }) => [...path.split(/[.[\]]+/), detail]),
    );
    const names = new Set(keysIn(saved));
    expect(textsIn(saved).filter((text) => text !== '' && recorded.has(text) && !names.has(text))).toEqual([]);
  });

  it('never records a value, or a key that is no name of a field', () => {
    const secret = fc
      .string({ minLength: 3, maxLength: 12, unit: fc.constantFrom('x', 'q', 'z', 'ö', '@', ' ', '1', '2') })
      .map((text) => `Zq ${text}`);
    const secretKey = fc.oneof(
      secret,
      secret.map((text) => `${text.replaceAll(/\W/g, '')}@acme.example`),
      fc.uuid(),
      fc.constantFrom('Zqanna', '+49 89 1234567', 'Zq-schmidt', 'zq1234567'),
    );
    const key = fc.oneof(
      fc.constantFrom('status', 'items', 'company', 'prospects', 'reasons', 'code', 'new_field', 'email'),
      secretKey,
    );
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        { depthSize: 'medium' },
        secret,
        fc.integer({ min: 700_001 }),
        fc.array(tie('json'), { maxLength: 4 }),
        fc.dictionary(key, tie('json'), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(fc.array(json, { maxLength: 4 }), fc.constantFrom(200, 409, 422), (bodies, status) => {
        const recorded = JSON.stringify(observe(bodies, { status }).map(({ seenAt: _seenAt, ...facts }) => facts));
        expect(recorded).not.toMatch(/zq|[@+]|7\d{5}|[0-9a-f]{8}-/i);
      }),
      { numRuns: runsOf(500) },
    );
  });

  describe('flush', () => {
    it('saves each observation once, and again a day later', async () => {
      let now = Date.parse('2026-11-23T08:00:00Z');
      const recorder = createAnswerRecorder(() => now);
      const saved: Observation[] = [];
      const save = async (observations: readonly Observation[]) => void saved.push(...observations);
      recorder.recordBody('getOrder', { order_id: 'a' });
      await recorder.flush(save);
      recorder.recordBody('getOrder', { order_id: 'b' });
      await recorder.flush(save);
      const once = saved.length;
      expect(once).toBeGreaterThan(1);
      now += 86_400_000;
      recorder.recordBody('getOrder', { order_id: 'c' });
      await recorder.flush(save);
      expect(saved).toHaveLength(2 * once);
    });

    it('keeps what could not be saved', async () => {
      const recorder = createAnswerRecorder();
      recorder.recordBody('getOrder', []);
      await expect(recorder.flush(() => Promise.reject(new Error('locked')))).rejects.toThrow('locked');
      const saved: Observation[] = [];
      await recorder.flush(async (observations) => void saved.push(...observations));
      expect(saved).toEqual([expect.objectContaining({ operation: 'getOrder', kind: 'type', detail: 'array' })]);
      expect(recorder.pending()).toEqual([]);
    });
  });
});

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}

function keysIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysIn);
  return isRecord(value) ? Object.entries(value).flatMap(([key, inner]) => [key, ...keysIn(inner)]) : [];
}
