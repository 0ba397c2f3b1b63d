import { contactKey } from '../../src/mapping/identity.ts';
import { checkCompanyRecord, checkContactRecord, type OrderCheck } from '../../src/reconcile/check-crm-records.ts';
import { prospect, slot } from '../mapping/fixtures.ts';

const company = slot().company ?? never();
const byKey = { matchedBy: 'key' };

function never(): never {
  throw new Error('the fixture has a company');
}

const isOurOrder: OrderCheck = (id) => (id === 'this' || id === 'other' ? id : 'unknown');

const companyRecord = (changes: Record<string, string | null> = {}) => ({
  properties: {
    prospect_sync_company_key: 'acme.example',
    prospect_sync_order_id: 'this',
    prospect_sync_status: 'ENRICHED',
    ...changes,
  },
});

const contactRecord = (changes: Record<string, string | null> = {}) => ({
  properties: {
    prospect_sync_contact_key: contactKey(prospect(), company),
    prospect_sync_order_id: 'this',
    ...changes,
  },
});

describe('checkCompanyRecord', () => {
  it.each([
    ['what was written', companyRecord(), null],
    ['no record', undefined, 'crm_company_missing'],
    ['another key', companyRecord({ prospect_sync_company_key: 'other.example' }), 'crm_company_key_differs'],
    ['no key', companyRecord({ prospect_sync_company_key: null }), 'crm_company_key_differs'],
    ['another status', companyRecord({ prospect_sync_status: 'PARTIAL' }), 'crm_company_status_differs'],
    ['no order', companyRecord({ prospect_sync_order_id: null }), 'crm_company_order_differs'],
    ['an order of nobody', companyRecord({ prospect_sync_order_id: 'nobody' }), 'crm_company_order_differs'],
    [
      'the status of another order',
      companyRecord({ prospect_sync_order_id: 'other', prospect_sync_status: 'PARTIAL' }),
      null,
    ],
  ])('judges %s', (_, record, code) => {
    expect(checkCompanyRecord(slot(), record, isOurOrder, byKey)).toBe(code);
  });

  it.each([
    ['the enriched row that kept the record', 'ENRICHED', '3', null],
    ['another row that was not enriched either', 'UNRESOLVED', '3', 'crm_company_status_differs'],
    ['no other row', 'ENRICHED', '7', 'crm_company_status_differs'],
    ['no row at all', 'ENRICHED', null, 'crm_company_status_differs'],
  ])('judges the record of a partial row that names %s', (_, status, position, code) => {
    const record = companyRecord({ prospect_sync_status: status, prospect_sync_position: position });
    expect(checkCompanyRecord(slot({ status: 'PARTIAL', company: null }), record, isOurOrder, byKey)).toBe(code);
  });

  it('asks no key of a record that only learnt how its row ended', () => {
    const record = companyRecord({ prospect_sync_company_key: null, prospect_sync_status: 'UNRESOLVED' });
    expect(checkCompanyRecord(slot({ status: 'UNRESOLVED', company: null }), record, isOurOrder, byKey)).toBeNull();
  });
});

describe('checkContactRecord', () => {
  it.each([
    ['what was written', contactRecord(), null],
    ['no record', undefined, 'crm_contact_missing'],
    ['another key', contactRecord({ prospect_sync_contact_key: 'other' }), 'crm_contact_key_differs'],
    ['another order of ours', contactRecord({ prospect_sync_order_id: 'other' }), null],
    ['an order of nobody', contactRecord({ prospect_sync_order_id: 'nobody' }), 'crm_contact_order_differs'],
  ])('judges %s', (_, record, code) => {
    expect(checkContactRecord({ prospect: prospect(), company }, record, isOurOrder, byKey)).toBe(code);
  });

  it('lets a record that was found by its address keep the key that it had', () => {
    const record = contactRecord({ prospect_sync_contact_key: 'other' });
    const found = { matchedBy: 'secondary_email' };
    expect(checkContactRecord({ prospect: prospect(), company }, record, isOurOrder, found)).toBeNull();
  });
});
