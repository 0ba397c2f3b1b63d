import { propertyNames } from '../../../src/delivery/crm/record-match.ts';
import { defaultMapping } from '../../../src/delivery/mapping/default-mapping.ts';
import { companyKey, contactKey } from '../../../src/ledger/identity.ts';
import { matchContacts, type ContactIdentity } from '../../../src/delivery/crm/match-contacts.ts';
import { companyAt, createCrm, prospectAt, planWith, enrichedRow, type Crm } from './projection-harness.ts';

const properties = propertyNames('contacts', defaultMapping);
const key = 'prospect_sync_contact_key';

const keyOf = (email: string) => contactKey(prospectAt(email), companyAt('acme.example')) ?? '';
const sought = (email: string): ContactIdentity => ({ key: keyOf(email), email });

async function match({ dependencies }: Crm, ...contacts: ContactIdentity[]) {
  const matches = await matchContacts(dependencies, contacts, properties);
  return [...matches.values()].map(({ rule, record, candidates, conflictingProperties }) => ({
    rule,
    id: record?.id ?? null,
    candidates,
    conflictingProperties,
  }));
}

const found = (rule: string, id: string | undefined) => ({ rule, id, candidates: [id], conflictingProperties: [] });
const none = { rule: 'none', id: null, candidates: [], conflictingProperties: [] };

/** A contact with two addresses, the result of a merge. */
async function createMerged(crm: Crm): Promise<string> {
  const [one = '', two = ''] = await crm.create(
    'contacts',
    { email: 'anna@acme.example' },
    { email: 'abel@acme.example' },
  );
  return crm.merge('contacts', one, two);
}

const bothWays = [['found'], ['not-found']] as const;

describe('matchContacts', () => {
  it('prefers the record with the key to the one with the address', async () => {
    const crm = await createCrm();
    const [keyed = '', addressed] = await crm.create(
      'contacts',
      { firstname: 'Keyed', [key]: keyOf('anna@acme.example') },
      { email: 'Anna@Acme.example' },
    );
    const [matched] = await match(crm, sought('anna@acme.example'));
    expect(matched).toMatchObject({ rule: 'key', id: keyed });
    await crm.archive('contacts', keyed);
    expect(await match(crm, sought('anna@acme.example'), sought('new@acme.example'))).toEqual([
      found('email', addressed),
      none,
    ]);
  });

  it('matches a contact without an address by its key only', async () => {
    const crm = await createCrm();
    const known = contactKey(prospectAt(null), companyAt('acme.example')) ?? '';
    const [id] = await crm.create('contacts', { firstname: 'Anna', [key]: known });
    expect(await match(crm, { key: known, email: null }, { key: 'other', email: null })).toEqual([
      found('key', id),
      none,
    ]);
  });

  it('matches a contact by its key after its address was changed', async () => {
    const crm = await createCrm();
    const [id] = await crm.create('contacts', { email: 'new@acme.example', [key]: keyOf('anna@acme.example') });
    expect(await match(crm, sought('anna@acme.example'))).toEqual([found('key', id)]);
  });

  it('names the other record that has the address of a matched contact', async () => {
    const crm = await createCrm();
    const [ours, other] = await crm.create(
      'contacts',
      { firstname: 'Anna', [key]: keyOf('anna@acme.example') },
      { email: 'anna@acme.example' },
    );
    expect(await match(crm, sought('anna@acme.example'))).toEqual([
      { rule: 'key', id: ours, candidates: [ours, other], conflictingProperties: ['email'] },
    ]);
  });

  it('matches a record by a secondary address when HubSpot can read it', async () => {
    const crm = await createCrm({ assumed: { readBySecondaryEmail: 'found' } });
    const id = await createMerged(crm);
    expect(await match(crm, sought('anna@acme.example'), sought('abel@acme.example'))).toEqual([
      found('email', id),
      found('secondary_email', id),
    ]);
  });

  it('matches a record by the ledger when HubSpot cannot read secondary addresses, as long as it has the address', async () => {
    const crm = await createCrm({ assumed: { readBySecondaryEmail: 'not-found' } });
    const id = await createMerged(crm);
    expect(await match(crm, sought('abel@acme.example'))).toEqual([none]);
    const keys = ['abel@acme.example', 'stranger@acme.example'].map(keyOf);
    await crm.dependencies.ledger.records.save(
      'contacts',
      keys.map((known) => ({ key: known, recordId: id })),
    );
    expect(await match(crm, sought('abel@acme.example'), sought('stranger@acme.example'))).toEqual([
      found('secondary_email', id),
      none,
    ]);
  });
});

describe('projectSlots with two addresses of one contact', () => {
  it.each(bothWays)(
    'writes one record for two prospects, and nothing in the second pass (secondary address %s)',
    async (read) => {
      const crm = await createCrm({ assumed: { readBySecondaryEmail: read } });
      const id = await createMerged(crm);
      const slots = [enrichedRow(0, 'acme.example', ['anna@acme.example', 'abel@acme.example'])];
      const first = await crm.project(slots);
      expect(first.summary).toEqual(['0 company created', '0 contact:0 updated', '0 contact:1 skipped same_person']);
      expect(first.outcomes[2]).toMatchObject({ recordId: id, matchedBy: 'secondary_email', candidates: [id] });
      expect(await crm.record('contacts', id)).toMatchObject({
        email: 'anna@acme.example',
        [key]: keyOf('anna@acme.example'),
        firstname: 'First anna@acme.example',
      });
      crm.calls.length = 0;
      const second = await crm.project(slots, { projectionId: 'second' });
      expect(second.summary).toEqual([
        '0 company unchanged',
        '0 contact:0 unchanged',
        '0 contact:1 skipped same_person',
      ]);
      expect(crm.writes()).toEqual([]);
    },
  );

  it.each(bothWays)('writes one record for two prospects of two rows (secondary address %s)', async (read) => {
    const crm = await createCrm({ assumed: { readBySecondaryEmail: read } });
    await createMerged(crm);
    const slots = [
      enrichedRow(0, 'acme.example', ['abel@acme.example']),
      enrichedRow(1, 'other.example', ['anna@acme.example']),
    ];
    for (const projectionId of ['first', 'second']) {
      crm.calls.length = 0;
      const { summary } = await crm.project(slots, { projectionId });
      expect(summary.filter((line) => line.includes('skipped'))).toHaveLength(1);
      expect(await crm.records('contacts')).toHaveLength(1);
    }
    expect(crm.writes()).toEqual([]);
  });

  it.each([[1], [2]])('gives a record to the prospect that matches by key, of %i rows', async (rows) => {
    const crm = await createCrm();
    const id = await createMerged(crm);
    await crm.edit('contacts', id, { [key]: keyOf('anna@acme.example') });
    const [anna, abel] = ['anna@acme.example', 'abel@acme.example'];
    const slots =
      rows === 1
        ? [enrichedRow(0, 'acme.example', [anna, abel])]
        : [enrichedRow(0, 'acme.example', [anna]), enrichedRow(1, 'other.example', [abel])];
    // Two rows like two batches: the first has an outcome when the second is written.
    if (rows === 2) await crm.project(slots.slice(0, 1));
    const { outcomes } = await crm.project(slots);
    const [, first, ...others] = outcomes;
    expect(first).toMatchObject({ outcome: 'updated', recordId: id });
    expect(others.at(-1)).toMatchObject({ outcome: 'skipped', rule: 'same_person', recordId: id, candidates: [id] });
    expect(await crm.record('contacts', id)).toMatchObject({ firstname: `First ${anna}`, prospect_sync_position: '0' });
    crm.calls.length = 0;
    await crm.project(slots, { projectionId: 'second' });
    expect(crm.writes()).toEqual([]);
  });

  it('keeps the key of a matched record', async () => {
    const crm = await createCrm();
    const [id] = await crm.create('contacts', { email: 'anna@acme.example', [key]: keyOf('abel@acme.example') });
    const slots = [enrichedRow(0, 'acme.example', ['anna@acme.example'])];
    expect((await crm.project(slots)).summary[1]).toBe('0 contact:0 updated');
    expect(await crm.record('contacts', id)).toMatchObject({
      [key]: keyOf('abel@acme.example'),
      jobtitle: 'Head of Sales',
    });
  });

  it('does not send again an address that another record has', async () => {
    const crm = await createCrm();
    const plan = planWith('contacts', 'email', 'always');
    const slots = [enrichedRow(0, 'acme.example', ['anna@acme.example'])];
    const [, first] = (await crm.project(slots, { plan })).outcomes;
    const id = first?.recordId ?? '';
    await crm.edit('contacts', id, { email: 'moved@acme.example' });
    const [other] = await crm.create('contacts', { email: 'anna@acme.example' });
    crm.calls.length = 0;
    const { outcomes } = await crm.project(slots, { plan, projectionId: 'second' });
    expect(outcomes[1]).toMatchObject({ outcome: 'unchanged', recordId: id, candidates: [id, other] });
    expect(crm.writes()).toEqual([]);
    expect(await crm.record('contacts', id)).toMatchObject({ email: 'moved@acme.example' });
  });

  it('matches contacts without an address again', async () => {
    const crm = await createCrm();
    const withoutEmail = { ...planWith('contacts', 'email', 'always') };
    const plan = { ...withoutEmail, contacts: { ...withoutEmail.contacts, withoutEmail: 'create' as const } };
    const slots = [enrichedRow(0, 'acme.example', [null])];
    expect((await crm.project(slots, { plan })).summary[1]).toBe('0 contact:0 created');
    expect((await crm.project(slots, { plan, projectionId: 'second' })).summary[1]).toBe('0 contact:0 unchanged');
    expect(companyKey(companyAt('acme.example'))).toBe('acme.example');
  });
});
