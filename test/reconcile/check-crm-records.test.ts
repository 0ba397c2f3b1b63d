import {
  checkCompanyRecord,
  checkContactRecord,
  type WrittenRecordCheck,
} from '../../src/reconcile/check-crm-records.ts';
import { slot } from '../mapping/slot-builders.ts';

const toOwner: WrittenRecordCheck['toOwner'] = (id) => (id === 'this' || id === 'other' ? id : 'unknown');
const companyCheck = { expectedKey: 'acme.example', matchedBy: 'key', toOwner };
const contactCheck = { expectedKey: 'contact-key', matchedBy: 'key', toOwner };

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
    prospect_sync_contact_key: 'contact-key',
    prospect_sync_order_id: 'this',
    ...changes,
  },
});

describe('checkCompanyRecord', () => {
  it.each([
    ['the written values', companyRecord(), null],
    ['no match in the CRM', undefined, 'crm_company_missing'],
    ['another key', companyRecord({ prospect_sync_company_key: 'other.example' }), 'crm_company_key_differs'],
    ['no key', companyRecord({ prospect_sync_company_key: null }), 'crm_company_key_differs'],
    ['another status', companyRecord({ prospect_sync_status: 'PARTIAL' }), 'crm_company_status_differs'],
    ['no order', companyRecord({ prospect_sync_order_id: null }), 'crm_company_order_differs'],
    ['an unknown order', companyRecord({ prospect_sync_order_id: 'nobody' }), 'crm_company_order_differs'],
    [
      'the status of another order',
      companyRecord({ prospect_sync_order_id: 'other', prospect_sync_status: 'PARTIAL' }),
      null,
    ],
  ])('checks a record with %s', (_, record, code) => {
    expect(checkCompanyRecord(slot(), { ...companyCheck, record })).toBe(code);
  });

  it.each([
    ['the enriched row that kept the record', 'ENRICHED', '3', null],
    ['another row that was not enriched either', 'UNRESOLVED', '3', 'crm_company_status_differs'],
    ['no other row', 'ENRICHED', '7', 'crm_company_status_differs'],
    ['no row at all', 'ENRICHED', null, 'crm_company_status_differs'],
  ])('checks the record of a partial row that names %s', (_, status, position, code) => {
    const record = companyRecord({ prospect_sync_status: status, prospect_sync_position: position });
    expect(checkCompanyRecord(slot({ status: 'PARTIAL', company: null }), { ...companyCheck, record })).toBe(code);
  });

  it('does not require a key of a record that only received the status of its row', () => {
    const record = companyRecord({ prospect_sync_company_key: null, prospect_sync_status: 'UNRESOLVED' });
    expect(checkCompanyRecord(slot({ status: 'UNRESOLVED', company: null }), { ...companyCheck, record })).toBeNull();
  });
});

describe('checkContactRecord', () => {
  it.each([
    ['the written values', contactRecord(), null],
    ['no match in the CRM', undefined, 'crm_contact_missing'],
    ['another key', contactRecord({ prospect_sync_contact_key: 'other' }), 'crm_contact_key_differs'],
    ['another order of the ledger', contactRecord({ prospect_sync_order_id: 'other' }), null],
    ['an unknown order', contactRecord({ prospect_sync_order_id: 'nobody' }), 'crm_contact_order_differs'],
  ])('checks a record with %s', (_, record, code) => {
    expect(checkContactRecord({ ...contactCheck, record })).toBe(code);
  });

  it('accepts another key on a record that was matched by its secondary email', () => {
    const record = contactRecord({ prospect_sync_contact_key: 'other' });
    expect(checkContactRecord({ ...contactCheck, record, matchedBy: 'secondary_email' })).toBeNull();
  });
});
