import { openPortal } from './hubspot-harness.ts';

async function write(type: string, values: Record<string, unknown>, portal = openPortal()) {
  const base = type === 'companies' ? { name: 'Acme' } : { lastname: 'Lovelace' };
  const answer = await portal.call('POST', `/crm/v3/objects/${type}`, { properties: { ...base, ...values } });
  return { status: answer.status, code: answer.body.errors?.[0].code, stored: answer.body.properties };
}

async function withProperty(type: string, fieldType: string) {
  const portal = openPortal();
  const property = { name: 'own', label: 'Own', type, fieldType, groupName: 'companyinformation' };
  const options = ['a', 'b'].map((value) => ({ value, label: value }));
  const { status } = await portal.call('POST', '/crm/v3/properties/companies', { ...property, options });
  expect(status).toBe(201);
  return portal;
}

describe('property values', () => {
  it.each([
    ['companies', { nonsense: '1' }, 'PROPERTY_DOESNT_EXIST'],
    ['companies', { numberofemployees: 'many' }, 'INVALID_INTEGER'],
    ['companies', { numberofemployees: ' ' }, 'INVALID_INTEGER'],
    ['companies', { industry: 'Computer Software' }, 'INVALID_OPTION'],
    ['companies', { industry: 'computer_software' }, 'INVALID_OPTION'],
    ['companies', { is_public: 'yes' }, 'INVALID_OPTION'],
    ['companies', { closedate: 'tomorrow' }, 'INVALID_LONG'],
    ['companies', { hs_object_id: '1' }, 'READ_ONLY_VALUE'],
    ['companies', { createdate: '0' }, 'READ_ONLY_VALUE'],
    ['companies', { description: 'x'.repeat(65_537) }, 'PROPERTY_VALUE_TOO_LONG'],
    ['contacts', { email: 'ada' }, 'INVALID_EMAIL'],
    ['contacts', { email: 'ada@acme' }, 'INVALID_EMAIL'],
    ['contacts', { email: 'ada@acme.invalid' }, 'INVALID_EMAIL'],
    ['contacts', { email: 'a da@acme.example' }, 'INVALID_EMAIL'],
    ['contacts', { hs_lead_status: 'new' }, 'INVALID_OPTION'],
    ['contacts', { lifecyclestage: 'Customer' }, 'INVALID_OPTION'],
  ])('refuses %s %j with %s', async (type, values, code) => {
    expect(await write(type, values)).toMatchObject({ status: 400, code });
  });

  it.each([
    ['companies', { numberofemployees: 12 }, { numberofemployees: '12' }],
    ['companies', { annualrevenue: '1.5e6' }, { annualrevenue: '1.5e6' }],
    ['companies', { industry: 'COMPUTER_SOFTWARE' }, { industry: 'COMPUTER_SOFTWARE' }],
    ['companies', { is_public: true }, { is_public: 'true' }],
    ['companies', { closedate: '1764547200000' }, { closedate: '2025-12-01T00:00:00.000Z' }],
    ['companies', { closedate: '2025-12-01T10:00:00+01:00' }, { closedate: '2025-12-01T09:00:00.000Z' }],
    ['companies', { description: 'x'.repeat(65_536) }, {}],
    ['companies', { country: 'Atlantis' }, { country: 'Atlantis' }],
    ['contacts', { email: ' Ada@ACME.Example ' }, { email: 'ada@acme.example' }],
    ['contacts', { email: 'ada@acme.co.uk' }, { email: 'ada@acme.co.uk' }],
    ['contacts', { jobtitle: '' }, { jobtitle: '' }],
    ['contacts', { jobtitle: null }, { jobtitle: '' }],
  ])('accepts %s %j', async (type, values, stored) => {
    const answer = await write(type, values);
    expect(answer.status).toBe(201);
    expect(answer.stored).toMatchObject(stored);
  });

  it('names the allowed options of an enumeration', async () => {
    const { call } = openPortal();
    const { body } = await call('POST', '/crm/v3/objects/contacts', {
      properties: { lastname: 'L', hs_lead_status: 'x' },
    });
    expect(body.errors[0].message).toBe(
      'x was not one of the allowed options: [NEW, OPEN, IN_PROGRESS, OPEN_DEAL, UNQUALIFIED, ATTEMPTED_TO_CONTACT, CONNECTED, BAD_TIMING]',
    );
  });

  it('lists every bad value of a record', async () => {
    const { call } = openPortal();
    const { body } = await call('POST', '/crm/v3/objects/companies', {
      properties: { name: 'A', x: '1', annualrevenue: 'y' },
    });
    expect(body.errors.map(({ code }) => code)).toEqual(['PROPERTY_DOESNT_EXIST', 'INVALID_INTEGER']);
  });

  it('accepts dates only at midnight UTC', async () => {
    const portal = await withProperty('date', 'date');
    expect(await write('companies', { own: '2026-11-21' }, portal)).toMatchObject({ stored: { own: '2026-11-21' } });
    expect(await write('companies', { own: '1764547200000' }, portal)).toMatchObject({ stored: { own: '2025-12-01' } });
    expect(await write('companies', { own: '1764547200001' }, portal)).toMatchObject({ code: 'INVALID_DATE' });
    expect(await write('companies', { own: '21.11.2026' }, portal)).toMatchObject({ code: 'INVALID_LONG' });
  });

  it('accepts several options for checkboxes, one for a select', async () => {
    const checkbox = await withProperty('enumeration', 'checkbox');
    expect(await write('companies', { own: 'a;b' }, checkbox)).toMatchObject({ stored: { own: 'a;b' } });
    expect(await write('companies', { own: 'a;c' }, checkbox)).toMatchObject({ code: 'INVALID_OPTION' });
    expect(await write('companies', { own: 'a;b' }, await withProperty('enumeration', 'select'))).toMatchObject({
      code: 'INVALID_OPTION',
    });
  });

  it('moves the lifecycle stage only forward, unless it was cleared', async () => {
    const { call, create } = openPortal();
    const [id] = await create('companies', { name: 'A', lifecyclestage: 'opportunity' });
    const set = async (lifecyclestage: string) => {
      const { status } = await call('PATCH', `/crm/v3/objects/companies/${id}`, { properties: { lifecyclestage } });
      const { body } = await call('GET', `/crm/v3/objects/companies/${id}?properties=lifecyclestage`);
      return [status, body.properties.lifecyclestage];
    };
    expect(await set('lead')).toEqual([200, 'opportunity']);
    expect(await set('customer')).toEqual([200, 'customer']);
    expect(await set('')).toEqual([200, null]);
    expect(await set('lead')).toEqual([200, 'lead']);
  });

  it('refuses an earlier stage when that is assumed', async () => {
    const { call, create } = openPortal({ assumed: { backwardLifecycle: 'refused' } });
    const [id] = await create('contacts', { lastname: 'L', lifecyclestage: 'customer' });
    const path = `/crm/v3/objects/contacts/${id}`;
    expect((await call('PATCH', path, { properties: { lifecyclestage: 'lead' } })).status).toBe(400);
    expect((await call('PATCH', path, { properties: { lifecyclestage: 'customer' } })).status).toBe(200);
  });
});
