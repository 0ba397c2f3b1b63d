import * as fc from 'fast-check';
import type { Prospect } from '../../../src/service/contract/index.ts';
import type { CrmMapping, FieldMapping, Policy } from '../../../src/delivery/mapping/crm-plan.ts';
import { defaultMapping } from '../../../src/delivery/mapping/default-mapping.ts';
import {
  toCompanyProperties,
  toContactProperties,
  toStatusProperties,
  toUnenrichedProperties,
} from '../../../src/delivery/mapping/crm-properties.ts';
import { contactKey } from '../../../src/ledger/identity.ts';
import { sourcePaths } from '../../../src/delivery/mapping/source-paths.ts';
import { transformNames } from '../../../src/delivery/mapping/transforms.ts';
import { company, prospect, slot } from './slot-builders.ts';

const provenance = { order: { id: 'order-1', run: 'weekly', title: 'New companies' }, mappingVersion: '0123456789ab' };

const status = {
  prospect_sync_order_id: 'order-1',
  prospect_sync_position: '7',
  prospect_sync_status: 'ENRICHED',
  prospect_sync_reason_codes: 'POLICY_ELIGIBLE',
  prospect_sync_delivered_at: '2026-11-20T12:00:00.123Z',
};
const stamp = { prospect_sync_run: 'weekly', prospect_sync_mapping_version: '0123456789ab' };

const field = (from: string, changes: Partial<FieldMapping> = {}): FieldMapping => ({
  from,
  transform: null,
  policy: 'always',
  ...changes,
});
const ofCompanies = (companies: CrmMapping['companies'], of = slot(), at = company()) =>
  toCompanyProperties(of, at, provenance, { companies, contacts: {} });
const ofContacts = (contacts: CrmMapping['contacts'], of = prospect()) =>
  toContactProperties({ slot: slot(), prospect: of, company: company() }, provenance, { companies: {}, contacts });

describe('toCompanyProperties', () => {
  it('writes the order of the company, and fills its known properties', () => {
    expect(toCompanyProperties(slot(), company(), provenance, defaultMapping)).toEqual({
      always: { prospect_sync_company_key: 'acme.example', ...status },
      fillEmpty: {
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
      onlyIfOurs: {},
      stamp,
    });
  });

  it('leaves out the domain of a mailbox provider', () => {
    const shared = company({ domain: 'gmail.com', website_url: 'https://www.facebook.com/acme' });
    const { always, fillEmpty } = toCompanyProperties(slot(), shared, provenance, defaultMapping);
    expect(fillEmpty).not.toHaveProperty('domain');
    expect(always['prospect_sync_company_key']).toBe(`id:${company().id}`);
  });

  it('fills nothing when only the id of the company is known', () => {
    const { id } = company();
    const { always, fillEmpty } = toCompanyProperties(slot(), { id }, provenance, defaultMapping);
    expect(fillEmpty).toEqual({});
    expect(always).toEqual({ prospect_sync_company_key: `id:${id}`, ...status });
  });

  it('maps any field of slot, order and company with its policy', () => {
    const wanted = ofCompanies({
      b: field('company.founded_year'),
      c: field('order.id', { policy: 'fill-empty' }),
      d: field('order.run', { policy: 'only-if-ours' }),
      e: field('slot.reason_codes', { transform: 'join' }),
      f: field('company.employee_count', { policy: 'only-if-ours' }),
    });
    expect(wanted.always).toMatchObject({ b: '1990', e: 'POLICY_ELIGIBLE' });
    expect(wanted.fillEmpty).toEqual({ c: 'order-1' });
    expect(wanted.onlyIfOurs).toEqual({ d: 'weekly', f: '12' });
  });

  it('writes constants and texts with fields, each with its policy', () => {
    const { always, fillEmpty, onlyIfOurs } = ofCompanies({
      lifecyclestage: { value: 'lead', policy: 'fill-empty' },
      source: { value: '{order.title} {slot.delivered_at|date}', policy: 'only-if-ours' },
      people: { value: '{company.employee_count} people in {company.city|uppercase} {{exactly}}', policy: 'always' },
      turnover: { value: 'Turnover: {raw.company.turnover}', policy: 'always' },
    });
    expect(fillEmpty).toEqual({ lifecyclestage: 'lead' });
    expect(onlyIfOurs).toEqual({ source: 'New companies 2026-11-20' });
    expect(always).toMatchObject({ people: '12 people in BERLIN {exactly}' });
    expect(always).not.toHaveProperty('turnover');
  });

  it('counts contacts, and reads a field of each', () => {
    const many = company({ prospects: [prospect(), prospect({ full_name: 'Bea Bell', email: null })] });
    const fields = {
      people: field('company.prospects', { transform: 'count' }),
      names: field('company.prospects.full_name', { transform: 'join-lines' }),
      emails: field('company.prospects.email', { transform: 'count' }),
    };
    const { always } = ofCompanies(fields, slot(), many);
    expect(always).toMatchObject({ people: '2', names: 'Anna Abel\nBea Bell', emails: '1' });
  });

  it('keeps a 0, a false and the milliseconds of a time', () => {
    const wanted = ofCompanies(
      {
        a: field('company.employee_count'),
        t: field('slot.delivered_at'),
        d: field('slot.delivered_at', { transform: 'date' }),
      },
      slot(),
      company({ employee_count: 0 }),
    );
    expect(wanted.always).toMatchObject({ a: '0', t: '2026-11-20T12:00:00.123Z', d: '2026-11-20' });
    expect(
      ofContacts(
        { firstname: field('prospect.first_name'), no: field('prospect.email_client_deliverable') },
        prospect({ email_client_deliverable: false }),
      )?.always,
    ).toMatchObject({ no: 'false' });
  });

  it('never writes an empty value to a mapped property, whatever the policy', () => {
    const policy = fc.constantFrom<Policy>('always', 'fill-empty', 'only-if-ours');
    const transform = fc.option(fc.constantFrom(...transformNames));
    const paths = [...sourcePaths.keys()].filter((path) => path.startsWith('company.'));
    const empty = fc.constantFrom(null, undefined, '', '  ');
    fc.assert(
      fc.property(fc.constantFrom(...paths), policy, transform, empty, (from, policy, transform, nothing) => {
        const name = from.split('.')[1] ?? '';
        const bare = { ...company(), [name]: from.includes('prospects') ? [] : nothing };
        const { always, fillEmpty, onlyIfOurs } = ofCompanies({ x: { from, policy, transform } }, slot(), bare);
        expect({ ...always, ...fillEmpty, ...onlyIfOurs }).not.toHaveProperty('x');
      }),
    );
  });

  it('shortens values that are longer than HubSpot accepts', () => {
    const { fillEmpty } = toCompanyProperties(
      slot(),
      company({ description: 'x'.repeat(70_000) }),
      provenance,
      defaultMapping,
    );
    expect(fillEmpty['description']).toHaveLength(65_536);
  });
});

describe('toStatusProperties', () => {
  it('writes only the status of a row', () => {
    const blocked = slot({ status: 'BLOCKED', company: null });
    expect(toStatusProperties(blocked, provenance)).toEqual({
      always: { ...status, prospect_sync_status: 'BLOCKED' },
      fillEmpty: {},
      onlyIfOurs: {},
      stamp,
    });
  });

  it('keeps all reason codes, and leaves out an invalid time', () => {
    const codes = ['NO_PEOPLE_FOUND', 'MOON_PHASE'];
    expect(toStatusProperties(slot({ reason_codes: codes, delivered_at: 'soon' }), provenance).always).toMatchObject({
      prospect_sync_reason_codes: 'NO_PEOPLE_FOUND;MOON_PHASE',
      prospect_sync_delivered_at: '',
    });
  });
});

describe('toUnenrichedProperties', () => {
  const partial = (...codes: string[]) => slot({ status: 'PARTIAL', reason_codes: codes });
  const write = (row = partial('NO_PEOPLE_FOUND'), mapping: Partial<CrmMapping> = {}) =>
    toUnenrichedProperties(row, provenance, { ...defaultMapping, ...mapping });

  it('fills empty properties from the company of a PARTIAL row, but not its domain', () => {
    const { always, fillEmpty, onlyIfOurs } = write();
    expect(fillEmpty).toEqual({
      name: 'Acme GmbH',
      website: 'https://www.acme.example',
      description: 'Makes things',
      address: 'Ring 1',
      zip: '10115',
      city: 'Berlin',
      country: 'Germany',
      numberofemployees: '12',
    });
    expect(onlyIfOurs).toEqual({});
    expect(always).not.toHaveProperty('prospect_sync_company_key');
  });

  it('replaces no value, whatever the policy of the property, and writes no constants', () => {
    const companies = {
      city: { from: 'company.city', transform: null, policy: 'always' },
      turnover: { from: 'raw.company.turnover', transform: null, policy: 'only-if-ours' },
      lifecyclestage: { value: 'lead', policy: 'always' },
    } as const;
    const row = { ...partial('WEBSITE_EMPTY'), raw: { company: { turnover: 5 } } };
    const { always, fillEmpty } = write(row, { companies });
    expect(fillEmpty).toEqual({ city: 'Berlin', turnover: '5' });
    expect(always).not.toHaveProperty('city');
  });

  it('writes only the status where the reason, the default or the status says so', () => {
    const isFilled = (...given: Parameters<typeof write>) => Object.keys(write(...given).fillEmpty).length > 0;
    const partialCompanies = { default: 'never', NO_PEOPLE_FOUND: 'fill-empty', WEBSITE_MOVED: 'never' } as const;
    expect(isFilled(partial('NO_PEOPLE_FOUND'), { partialCompanies })).toBe(true);
    expect(isFilled(partial('NO_PEOPLE_FOUND', 'WEBSITE_MOVED'), { partialCompanies })).toBe(false);
    expect(isFilled(partial('A_NEW_CODE'), { partialCompanies })).toBe(false);
    expect(isFilled(partial('A_NEW_CODE'))).toBe(true);
    expect(isFilled(slot({ status: 'BLOCKED' }))).toBe(false);
    expect(isFilled(slot({ status: 'PARTIAL', company: null }))).toBe(false);
  });
});

describe('toContactProperties', () => {
  const write = (of: Prospect, at = company()) =>
    toContactProperties({ slot: slot(), prospect: of, company: at }, provenance, defaultMapping);

  it('writes the order of the contact and how deliverable its address is', () => {
    expect(write(prospect({ email: ' Anna.Abel@ACME.example' }))).toEqual({
      always: {
        prospect_sync_contact_key: contactKey(prospect(), company()),
        prospect_sync_email_status: 'valid',
        prospect_sync_email_delivery_quality: 'client_deliverable',
        prospect_sync_client_deliverable: 'true',
        ...status,
      },
      fillEmpty: { email: 'anna.abel@acme.example', firstname: 'Anna', lastname: 'Abel', jobtitle: 'Head of Sales' },
      onlyIfOurs: {},
      stamp,
    });
  });

  it('requires only an address, and clears values that are no longer known', () => {
    const { always, fillEmpty } = write({ email: 'anna.abel@acme.example' }) ?? {};
    expect(fillEmpty).toEqual({ email: 'anna.abel@acme.example' });
    expect(always).toMatchObject({ prospect_sync_email_status: '', prospect_sync_client_deliverable: '' });
  });

  it('distinguishes false from unknown', () => {
    const deliverable = (email_client_deliverable: boolean | null) =>
      write(prospect({ email_client_deliverable }))?.always['prospect_sync_client_deliverable'];
    expect([deliverable(false), deliverable(null)]).toEqual(['false', '']);
  });

  it('returns the name of a contact that has an id but no address', () => {
    const { fillEmpty, always } = write(prospect({ email: null })) ?? {};
    expect(fillEmpty).toEqual({ firstname: 'Anna', lastname: 'Abel', jobtitle: 'Head of Sales' });
    expect(always?.['prospect_sync_contact_key']).toMatch(/^[0-9a-f]{32}$/);
  });

  it('returns null without address and id, and without address and name', () => {
    expect(write(prospect({ email: null, id: null }))).toBeNull();
    expect(write(prospect({ email: ' ', first_name: null, last_name: '' }))).toBeNull();
  });

  it('maps fields of the company too', () => {
    const fields = { email: field('prospect.email'), company: field('company.name') };
    expect(ofContacts(fields)?.always).toMatchObject({ email: 'anna.abel@acme.example', company: 'Acme GmbH' });
  });
});
