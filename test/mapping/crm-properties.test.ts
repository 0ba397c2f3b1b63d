import * as fc from 'fast-check';
import { ownProperties } from '../../src/hubspot/properties.ts';
import {
  companyProperties,
  contactProperties,
  isSame,
  toChanges,
  toCompanyProperties,
  toContactProperties,
  toStatusProperties,
} from '../../src/mapping/crm-properties.ts';
import { contactKey } from '../../src/mapping/identity.ts';
import { company, prospect, slot } from './fixtures.ts';

const provenance = { orderId: 'order-1', runName: 'weekly' };

describe('toCompanyProperties', () => {
  it('says which order the company comes from, and fills in what is known of it', () => {
    expect(toCompanyProperties(slot(), company(), provenance)).toEqual({
      own: {
        prospect_sync_company_key: 'acme.example',
        prospect_sync_order_id: 'order-1',
        prospect_sync_position: '7',
        prospect_sync_status: 'ENRICHED',
        prospect_sync_reason_codes: 'POLICY_ELIGIBLE',
        prospect_sync_delivered_at: '2026-11-20T12:00:00.123Z',
        prospect_sync_run: 'weekly',
      },
      fill: {
        name: 'Acme GmbH',
        domain: 'acme.example',
        website: 'https://www.acme.example',
        description: 'Makes things',
        address: 'Ring 1',
        zip: '10115',
        city: 'Berlin',
        country: 'Germany',
        numberofemployees: '12',
      },
    });
  });

  it('leaves the domain of a mailbox provider out', () => {
    const { own, fill } = toCompanyProperties(
      slot(),
      company({ domain: 'gmail.com', website_url: 'https://www.facebook.com/acme' }),
      provenance,
    );
    expect(fill).not.toHaveProperty('domain');
    expect(own['prospect_sync_company_key']).toBe(`id:${company().id}`);
  });

  it('fills nothing from a company of which only the id is there', () => {
    const { id } = company();
    const { own, fill } = toCompanyProperties(slot(), { id }, provenance);
    expect(fill).toEqual({});
    expect(own).toMatchObject({ prospect_sync_company_key: `id:${id}`, prospect_sync_status: 'ENRICHED' });
  });

  it('keeps a 0, which is not nothing', () => {
    expect(toCompanyProperties(slot(), company({ employee_count: 0 }), provenance).fill['numberofemployees']).toBe('0');
  });
});

describe('toStatusProperties', () => {
  it('keeps all reason codes, and survives a time it cannot read', () => {
    const codes = ['NO_PEOPLE_FOUND', 'MOON_PHASE'];
    expect(toStatusProperties(slot({ reason_codes: codes, delivered_at: 'soon' }), provenance)).toMatchObject({
      prospect_sync_reason_codes: 'NO_PEOPLE_FOUND;MOON_PHASE',
      prospect_sync_delivered_at: '',
    });
  });
});

describe('toContactProperties', () => {
  it('says which order a person comes from and how deliverable the address is', () => {
    expect(toContactProperties(slot(), prospect({ email: ' Anna.Abel@ACME.example' }), provenance)).toEqual({
      own: {
        prospect_sync_contact_key: contactKey(prospect()),
        prospect_sync_order_id: 'order-1',
        prospect_sync_position: '7',
        prospect_sync_email_status: 'valid',
        prospect_sync_email_delivery_quality: 'client_deliverable',
        prospect_sync_client_deliverable: 'true',
        prospect_sync_delivered_at: '2026-11-20T12:00:00.123Z',
        prospect_sync_run: 'weekly',
      },
      fill: { email: 'anna.abel@acme.example', firstname: 'Anna', lastname: 'Abel', jobtitle: 'Head of Sales' },
    });
  });

  it('needs of a person the address alone', () => {
    expect(toContactProperties(slot(), {}, provenance)).toBeNull();
    const { own, fill } = toContactProperties(slot(), { email: 'anna.abel@acme.example' }, provenance) ?? {};
    expect(fill).toEqual({ email: 'anna.abel@acme.example' });
    expect(own).toMatchObject({
      prospect_sync_contact_key: contactKey(prospect()),
      prospect_sync_email_status: '',
      prospect_sync_client_deliverable: '',
    });
  });

  it('tells "no" from "unknown"', () => {
    const deliverable = (email_client_deliverable: boolean | null) =>
      toContactProperties(slot(), prospect({ email_client_deliverable }), provenance)?.own[
        'prospect_sync_client_deliverable'
      ];
    expect([deliverable(false), deliverable(null)]).toEqual(['false', '']);
  });

  it('is nothing for a person without an address', () => {
    expect(toContactProperties(slot(), prospect({ email: null }), provenance)).toBeNull();
  });
});

describe('toChanges', () => {
  it('writes own properties whenever they differ, and others only where the record is empty', () => {
    const wanted = {
      own: { status: 'ENRICHED', run: 'weekly', code: '' },
      fill: { name: 'Acme', city: 'Bern', zip: '1' },
    };
    const current = { status: 'PARTIAL', run: 'weekly', code: null, name: 'By hand', city: '', zip: null };
    expect(toChanges(wanted, current)).toEqual({ status: 'ENRICHED', city: 'Bern', zip: '1' });
  });

  it('is empty once it was written, whatever stood there before', () => {
    const text = fc.string({ maxLength: 8 });
    const properties = (prefix: string) =>
      fc.dictionary(
        fc.constantFrom('a', 'b', 'c').map((name) => prefix + name),
        text,
      );
    const present = fc.dictionary(fc.constantFrom('oa', 'ob', 'fa', 'fb', 'fc'), fc.option(text));
    fc.assert(
      fc.property(properties('o'), properties('f'), present, (own, filled, current) => {
        const fill = Object.fromEntries(Object.entries(filled).filter(([, value]) => value !== ''));
        const changes = toChanges({ own, fill }, current);
        const after = { ...current, ...changes };
        expect(toChanges({ own, fill }, after)).toEqual({});
        for (const [name, value] of Object.entries(current)) {
          const isOwn = name in own;
          expect(isOwn || !value || after[name] === value).toBe(true);
        }
      }),
    );
  });
});

describe('isSame', () => {
  it.each([
    ['2026-11-20T12:00:00.000Z', '2026-11-20T12:00:00Z', true],
    ['2026-11-20T12:00:00.000Z', '2026-11-20T12:00:00.001Z', false],
    ['1764000000000', '2026-11-20T12:00:00Z', false],
    ['Text', 'Text', true],
    ['Text', 'Other Text', false],
    ['', '', true],
  ])('compares %j with %j', (wanted, current, same) => {
    expect(isSame(wanted, current)).toBe(same);
  });
});

describe('companyProperties and contactProperties', () => {
  it('read back every property that is written', () => {
    const { own, fill } = toCompanyProperties(slot(), company({ phone: '1', linkedin_url: 'x' }), provenance);
    expect([...companyProperties].sort()).toEqual([...Object.keys(own), ...Object.keys(fill)].sort());
    const contact = toContactProperties(slot(), prospect({ phone: '1', linkedin_url: 'x' }), provenance);
    const written = [...Object.keys(contact?.own ?? {}), ...Object.keys(contact?.fill ?? {})];
    expect([...contactProperties].sort()).toEqual(written.sort());
  });

  it('hold every property of ours that the portal is given', () => {
    expect(companyProperties).toEqual(expect.arrayContaining(ownProperties.companies.map(({ name }) => name)));
    expect(contactProperties).toEqual(expect.arrayContaining(ownProperties.contacts.map(({ name }) => name)));
  });
});
