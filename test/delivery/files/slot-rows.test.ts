import * as fc from 'fast-check';
import { slotSchema, type Slot } from '../../../src/service/contract/index.ts';
import { reasonCodes } from '../../../src/service/contract/index.ts';
import { toSummarySections } from '../../../src/delivery/files/order-summary.ts';
import { slotColumns, toSlotRows } from '../../../src/delivery/files/slot-rows.ts';

const id = '018f2c3e-0000-4000-8000-000000000001';

function prospect(name: string, score: number | null) {
  return {
    id,
    first_name: name,
    last_name: 'L',
    full_name: `${name} L`,
    job_title: 'CTO',
    email: `${name}@example.com`,
    phone: '+49 30 1',
    linkedin_url: null,
    qualification_score: score,
    email_status: 'verified',
    email_client_deliverable: true,
    email_delivery_quality: 'client_deliverable',
    email_delivery_quality_reason: null,
  };
}

const company = {
  id,
  source_id: 'crm-1',
  name: 'Acme',
  website_url: 'https://acme.example',
  domain: 'acme.example',
  description: null,
  industry: 'Tools',
  employee_count: 12,
  founded_year: 1999,
  phone: '+49 30 2',
  email: null,
  street: null,
  postal_code: '01234',
  city: 'Berlin',
  country: 'Germany',
  linkedin_url: null,
  fit_score: 0.9,
  prospects: [prospect('Low', 0.2), prospect('Top', 0.8), prospect('Also', 0.8), prospect('None', null)],
};

function slot(changes: Partial<Slot> = {}): Slot {
  return slotSchema.parse({
    input_position: 7,
    external_id: 'crm-1',
    status: 'ENRICHED',
    reason_codes: ['POLICY_ELIGIBLE'],
    reasons: [{ code: 'POLICY_ELIGIBLE', message: 'Eligible' }],
    company,
    delivered_at: '2026-11-21T10:00:00.123456Z',
    ...changes,
  });
}

const recordIds = {
  order: { id: 'order-1', run: 'weekly', title: 'New companies' },
  exclusion: null,
  companyRecordId: '101',
  contactRecordIds: ['1', '2', null, '4'],
};
const headersOf = (mode: 'slot' | 'prospect') => slotColumns(mode).map(({ header }) => header);

describe('slotColumns', () => {
  it('starts with the result, ends with the delivery and the reason codes, and repeats no column', () => {
    for (const mode of ['slot', 'prospect'] as const) {
      const headers = headersOf(mode);
      expect(headers.slice(0, 5)).toEqual([
        'Position',
        'External Id',
        'Result Status',
        'Result Reasons',
        'Duplicate Of',
      ]);
      expect(headers.slice(-2)).toEqual(['Delivered At', 'Reason Codes']);
      expect(headers).toContain('HubSpot Company Id');
      expect(new Set(headers).size).toBe(headers.length);
      expect(new Set(slotColumns(mode).map(({ key }) => key)).size).toBe(headers.length);
    }
    expect(headersOf('slot')).toEqual(
      expect.arrayContaining(['Contacts', 'Best Contact Name', 'Best Contact HubSpot Contact Id']),
    );
    expect(headersOf('prospect')).toEqual(
      expect.arrayContaining(['Contact Name', 'Email Status', 'Email Delivery Quality', 'HubSpot Contact Id']),
    );
    expect(headersOf('prospect')).not.toContain('Contacts');
  });
});

describe('toSlotRows', () => {
  it('returns one row per slot, with the number of contacts and the best contact', () => {
    const rows = toSlotRows(slot(), { mode: 'slot', ...recordIds });
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      position: 7,
      external_id: 'crm-1',
      result_status: 'ENRICHED',
      result_reasons: 'Eligible',
      duplicate_of: null,
      company_name: 'Acme',
      company_postal_code: '01234',
      company_record_id: '101',
      contact_count: 4,
      contact_name: 'Top L',
      contact_record_id: '2',
      delivered_at: new Date('2026-11-21T10:00:00.123Z'),
    });
  });

  it('returns one row per prospect, and repeats the company', () => {
    const rows = toSlotRows(slot(), { mode: 'prospect', ...recordIds });
    expect(rows.map((row) => [row['company_name'], row['contact_name'], row['contact_record_id']])).toEqual([
      ['Acme', 'Low L', '1'],
      ['Acme', 'Top L', '2'],
      ['Acme', 'Also L', null],
      ['Acme', 'None L', '4'],
    ]);
    expect(rows[0]).toMatchObject({
      contact_email_status: 'verified',
      contact_email_client_deliverable: true,
      contact_email_delivery_quality: 'client_deliverable',
    });
  });

  it.each(['slot', 'prospect'] as const)('returns one row for a slot without contacts or company (%s)', (mode) => {
    const none = {
      mode,
      order: { id: 'order-1', run: 'weekly', title: 'New companies' },
      exclusion: null,
      companyRecordId: null,
      contactRecordIds: [],
    };
    expect(toSlotRows(slot({ company: { ...company, prospects: [] } }), none)).toHaveLength(1);
    const unresolved = slot({
      company: null,
      status: 'UNRESOLVED',
      external_id: undefined,
      duplicate_of_input_position: 0,
    });
    const [row, ...more] = toSlotRows(unresolved, none);
    expect(more).toEqual([]);
    expect(row).toMatchObject({ position: 7, external_id: null, result_status: 'UNRESOLVED', duplicate_of: 0 });
    expect(row?.['company_name']).toBeUndefined();
  });

  it('writes reasons like the service: message, detail in parentheses, joined by semicolons', () => {
    const reasons = [
      { code: 'WEBSITE_MOVED', message: 'The website redirects', detail: 'https://parking.example' },
      { code: 'NO_EMAIL_FOUND', message: 'No email' },
    ];
    const [row] = toSlotRows(slot({ reasons, reason_codes: ['WEBSITE_MOVED', 'NO_EMAIL_FOUND'] }), {
      mode: 'slot',
      ...recordIds,
    });
    expect(row?.['result_reasons']).toBe('The website redirects (https://parking.example); No email');
    expect(row?.['reason_codes']).toBe('WEBSITE_MOVED, NO_EMAIL_FOUND');
  });

  it('uses the known message, then the code, when a code has no reason', () => {
    const [row] = toSlotRows(slot({ reasons: [], reason_codes: ['WEBSITE_EMPTY', 'NEW_CODE'] }), {
      mode: 'slot',
      ...recordIds,
    });
    expect(row?.['result_reasons']).toBe('The website returned no usable content; NEW_CODE');
  });

  it('keeps unknown statuses and invalid timestamps', () => {
    const [row] = toSlotRows(slot({ status: 'ARCHIVED', delivered_at: 'soon' }), { mode: 'slot', ...recordIds });
    expect(row).toMatchObject({ result_status: 'ARCHIVED', delivered_at: 'soon' });
  });

  it('fills only existing columns in both modes', () => {
    for (const mode of ['slot', 'prospect'] as const) {
      const keys = new Set(slotColumns(mode).map(({ key }) => key));
      for (const row of toSlotRows(slot(), { mode, ...recordIds }))
        expect(Object.keys(row).filter((key) => !keys.has(key))).toEqual([]);
      const [row] = toSlotRows(slot(), { mode, ...recordIds });
      expect([...keys].filter((key) => row?.[key] === undefined)).toEqual([]);
    }
  });

  it('returns as many rows as prospects, and at least one', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }))), (scores) => {
        const prospects = scores.map((score, index) => prospect(`P${index}`, score));
        const of = (mode: 'slot' | 'prospect') =>
          toSlotRows(slot({ company: { ...company, prospects } }), {
            mode,
            order: { id: 'order-1', run: 'weekly', title: 'New companies' },
            exclusion: null,
            companyRecordId: null,
            contactRecordIds: [],
          });
        expect(of('prospect')).toHaveLength(Math.max(1, scores.length));
        const [best] = of('slot');
        expect(best?.['contact_count']).toBe(scores.length);
        for (const score of scores)
          expect(Number(best?.['contact_score'] ?? -Infinity)).toBeGreaterThanOrEqual(score ?? -Infinity);
      }),
    );
  });
});

describe('toSummarySections', () => {
  it('counts every known status and each reason, and keeps unknown codes', () => {
    expect(
      toSummarySections({
        order: { id: 'o', run: 'weekly', title: 'Weekly prospects' },
        kind: 'discovery',
        ordered: 7,
        delivered: 5,
        publishedAt: '2026-11-20T12:00:00.000Z',
        byStatus: { PARTIAL: 2, ENRICHED: 3, ARCHIVED: 1 },
        byReason: { NEW_CODE: 1, WEBSITE_MOVED: 2, POLICY_ELIGIBLE: 3 },
      }),
    ).toEqual([
      {
        title: 'Order',
        rows: [
          { label: 'Order', value: 'o' },
          { label: 'Run', value: 'weekly' },
          { label: 'Title', value: 'Weekly prospects' },
          { label: 'Kind', value: 'discovery' },
          { label: 'Published', value: '2026-11-20 12:00 UTC' },
          { label: 'Ordered', value: 7 },
          { label: 'Returned', value: 6 },
          { label: 'Delivered', value: 5 },
        ],
      },
      {
        title: 'By status',
        rows: [
          {
            label: 'ENRICHED',
            value: 3,
            note: 'The company was found, and the row is eligible under the delivery policy',
          },
          {
            label: 'PARTIAL',
            value: 2,
            note: 'The company was found; the row has a remark of the delivery policy and no contacts',
          },
          { label: 'UNRESOLVED', value: 0, note: 'No company was found for the row' },
          { label: 'DUPLICATE', value: 0, note: 'The row is of the same company as an earlier row' },
          { label: 'BLOCKED', value: 0, note: 'Held back for operator review' },
          { label: 'ARCHIVED (unknown to this version)', value: 1 },
        ],
      },
      {
        title: 'By reason',
        rows: [
          { label: 'Eligible', value: 3, note: 'Fully enriched and eligible under the delivery policy' },
          { label: 'Website moved', value: 2, note: reasonCodes.WEBSITE_MOVED.message },
          { label: 'NEW_CODE (unknown to this version)', value: 1 },
        ],
      },
    ]);
  });
});
